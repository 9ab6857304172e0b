package io.millrace.ops.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.ops.home.FolderTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A campaign whose parts are replaced while its tasks run, and whose home is destroyed and restored
 * from a backup. What became of the task that ran then nobody knows: it is an event, and is tried
 * again when its owner says so.
 */
@Tag("night")
@Beside
class CampaignGoesOnIT {

  private static final Duration PATIENCE = Duration.ofSeconds(180);
  private static final int TASKS = 60;

  /** It runs when the backup is made. */
  private static final int UNKNOWN = 40;

  private static final Pattern DONE = Pattern.compile("Progress: ([0-9]+)/");

  private static final String SCRIPT =
      """
      #!/bin/sh
      if [ $1 = %d ] && [ $MILLRACE_ATTEMPT = 1 ]; then
        touch runs; n=0; until [ -e over ] || [ $n -ge 3000 ]; do n=$((n+1)); sleep 0.2; done; exit 9
      fi
      sleep 0.5
      echo $MILLRACE_ATTEMPT >>out-$1
      """
          .formatted(UNKNOWN);

  @Test
  void eachTaskIsDoneOnce() throws Exception {
    try (Site site = Site.prepare("campaignlife")) {
      new Life(site, site.user("mrlife")).tell();
    }
  }

  private static final class Life {
    private final Site site;
    private final Account user;
    private final Path work;

    Life(Site site, Account user) throws IOException, InterruptedException {
      this.site = site;
      this.user = user;
      this.work = site.folderOf(user, "work");
    }

    void tell() throws Exception {
      site.up("--no-keeper --shards 2 --campaigns --resources ncpus=2").must();
      Path script = Files.writeString(work.resolve("task.sh"), SCRIPT);
      script.toFile().setExecutable(true, false);
      user.own(site.folder(), script);
      String document =
          "{\"name\": \"life\", \"exec_file\": \"%1$s/task.sh\", \"exec_directory\": \"%1$s\","
              + " \"nb_jobs\": %2$d, \"clusters\": {\"workq\": {}}}";
      String said =
          site.run(user, work, "gridsub '" + document.formatted(work, TASKS) + "'").must();
      String id = said.replaceFirst("(?s).*CAMPAIGN_ID=", "").strip();

      Site.await(PATIENCE, "some are done", () -> done(id) >= TASKS / 6);
      site.launcher("upgrade", "").must();
      int before = done(id);
      Site.await(PATIENCE, "more are done", () -> done(id) > before);

      Site.await(PATIENCE, "one runs on", () -> Files.exists(work.resolve("runs")));
      site.run(user, work, "griddel -p " + id).must();
      Site.await(PATIENCE, "no other runs", () -> shown(id).contains("running_jobs: 1\n"));
      Site.await(PATIENCE, "none waits", () -> shown(id).contains("waiting_jobs: 0\n"));
      int kept = done(id);
      assertTrue(kept < TASKS - 1, shown(id));
      restored();

      assertEquals(kept, done(id));
      assertTrue(shown(id).contains("State: paused"), shown(id));
      site.run(user, work, "griddel -r " + id).must();
      Site.await(PATIENCE, "all others are done", () -> done(id) == TASKS - 1);
      Site.await(PATIENCE, "it is told", () -> shown(id).contains("(events)"));
      site.run(user, work, "gridevents -c " + id + " -f -r").must();
      Site.await(PATIENCE, "it is over", () -> shown(id).contains("State: terminated"));
      assertTrue(shown(id).contains("Progress: " + TASKS + "/" + TASKS), shown(id));
      eachOnce();
      Files.createFile(work.resolve("over"));
    }

    private void restored() throws Exception {
      Path file = site.folder().resolve("kept");
      site.launcher("backup", file.toString()).must();
      Site.kill(site.processes().values());
      FolderTree.delete(site.home().root());
      site.launcher("restore", file.toString()).must();
      site.up("").must();
    }

    private void eachOnce() throws IOException {
      try (Stream<Path> files = Files.list(work)) {
        List<Path> outputs =
            files.filter(it -> it.getFileName().toString().startsWith("out-")).toList();
        assertEquals(TASKS, outputs.size());
        for (Path output : outputs) {
          boolean again = output.endsWith("out-" + UNKNOWN);
          assertEquals(List.of(again ? "2" : "1"), Files.readAllLines(output), output.toString());
        }
      }
    }

    private String shown(String id) throws IOException, InterruptedException {
      return site.run(user, work, "gridstat -c " + id).out();
    }

    private int done(String id) throws IOException, InterruptedException {
      Matcher done = DONE.matcher(shown(id));
      return done.find() ? Integer.parseInt(done.group(1)) : 0;
    }
  }
}
