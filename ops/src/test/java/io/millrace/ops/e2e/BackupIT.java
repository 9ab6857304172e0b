package io.millrace.ops.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.ops.home.FolderTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A home is backed up while it works, destroyed with everything that runs, and restored. */
@Tag("night")
@Beside
class BackupIT {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration PATIENCE = Duration.ofSeconds(180);

  /** Attributes that change even when nothing happens to a job. */
  private static final Set<String> MOVING =
      Set.of("eligible_time", "resources_used", "comment", "estimated");

  private static final String SCRIPT =
      """
      cd $PBS_O_WORKDIR
      echo $PBS_JOBID >>ran
      n=0; until [ -e go-$PBS_JOBNAME ] || [ $n -ge 36000 ]; do n=$((n+1)); sleep 0.1; done
      """;

  @Test
  void aDestroyedHomeIsThereAgain() throws Exception {
    try (Site site = Site.prepare("backup")) {
      new Scenario(site, site.user("mrbackup")).run();
    }
  }

  private static final class Scenario {
    private final Site site;
    private final Account user;
    private final Path work;
    private final Map<String, String> ids = new LinkedHashMap<>();

    Scenario(Site site, Account user) throws IOException, InterruptedException {
      this.site = site;
      this.user = user;
      this.work = site.folderOf(user, "work");
    }

    void run() throws Exception {
      site.up("--no-keeper --shards 2 --resources ncpus=4").must();
      site.run("qmgr -c 'set server job_history_enable = True'").must();
      submit();
      Path file = site.folder().resolve("kept");
      killedInTheMiddle(file);
      Map<String, JsonNode> before = jobs();
      JsonNode reserved = reservations();
      String server = site.run("qmgr -c 'print server'").must();
      site.launcher("backup", file.toString()).must();
      assertEquals(before, jobs(), "the parts go on as they were");
      submit("later", "-h");

      Site.kill(site.processes().values());
      FolderTree.delete(site.home().root());
      site.launcher("restore", file.toString()).must();
      Shell.Answer twice = site.launcher("restore", file.toString());
      assertEquals(1, twice.status());
      assertTrue(twice.err().contains(" is not empty: "), twice.err());
      site.up("").must();

      assertEquals(before, jobs());
      assertEquals(reserved, reservations());
      assertEquals(server, site.run("qmgr -c 'print server'").must());
      String next = submit("next", "-h");
      assertFalse(before.containsKey(next), next);
      goOn();
      assertEquals("Q", site.state(ids.get("reserved")), "nothing runs before its window");
      reserved();
    }

    /** In two days, of a user, with a job that waits in it. */
    private void reserve() throws Exception {
      String start = site.run("date -d '+2 days' +%Y%m%d%H%M").must().strip();
      String line = "pbs_rsub -I 60 -N kept -R " + start + " -D 3600 -l select=1:ncpus=1";
      String[] answer = site.run(user, work, line).must().strip().split(" ");
      assertEquals("CONFIRMED", answer[1]);
      submit("reserved", "-q " + answer[0].replaceFirst("\\..*", ""));
    }

    private JsonNode reservations() throws IOException, InterruptedException {
      return JSON.readTree(site.run("pbs_rstat --json").must());
    }

    /** What it had is still its own: another one of the same time finds no more than the rest. */
    private void reserved() throws Exception {
      String start = site.run("date -d '+2 days' +%Y%m%d%H%M").must().strip();
      String line = "pbs_rsub -I 60 -R " + start + " -D 60 -l select=1:ncpus=";
      assertTrue(site.run(user, work, line + 4).must().contains(" DENIED"));
      assertTrue(site.run(user, work, line + 3).must().contains(" CONFIRMED"));
    }

    private void submit() throws Exception {
      Path script = Files.writeString(work.resolve("script.sh"), SCRIPT);
      user.own(site.folder(), script);
      Files.createFile(work.resolve("go-finished"));
      site.awaitState(submit("finished", ""), "F");
      String running = submit("running", "-l select=1:ncpus=3");
      site.awaitState(running, "R");
      submit("waiting", "-l select=1:ncpus=2");
      submit("array", "-J 1-1000%2 -h");
      submit("depends", "-W depend=afterany:" + running);
      reserve();
      Site.await(PATIENCE, "two jobs have begun", () -> lines() == 2);
    }

    private String submit(String name, String options) throws Exception {
      String id =
          site.run(user, work, "qsub -N " + name + " " + options + " script.sh").must().strip();
      ids.put(name, id);
      return id;
    }

    private long lines() {
      try {
        return Files.readAllLines(work.resolve("ran")).size();
      } catch (IOException e) {
        return 0;
      }
    }

    /** All jobs without the attributes that change by themselves. */
    private Map<String, JsonNode> jobs() throws IOException, InterruptedException {
      Map<String, JsonNode> jobs = site.jobs();
      jobs.values().forEach(job -> ((ObjectNode) job).remove(MOVING));
      return jobs;
    }

    /** A backup that is killed leaves no file of its name and no stopped process. */
    private void killedInTheMiddle(Path file) throws Exception {
      for (String after : Site.NIGHT ? List.of("0.3", "0.6", "0.9", "1.2") : List.of("0.9")) {
        site.run(
            "timeout -s KILL "
                + after
                + " "
                + site.checkout()
                + "/millrace backup --home "
                + site.home().root()
                + " "
                + file);
        if (Files.exists(file)) {
          site.launcher("restore", "--home " + site.folder().resolve(after) + " " + file).must();
          Files.delete(file);
        }
        site.run("qstat").must();
      }
    }

    private void goOn() throws Exception {
      assertEquals("R", site.state(ids.get("running")));
      assertEquals("Q", site.state(ids.get("waiting")));
      Files.createFile(work.resolve("go-running"));
      Files.createFile(work.resolve("go-waiting"));
      Files.createFile(work.resolve("go-depends"));
      // Its run directory was lost with the home, so its outcome is unknown and it is not run
      // again.
      site.awaitState(ids.get("running"), "F");
      site.awaitState(ids.get("waiting"), "F");
      site.awaitState(ids.get("depends"), "F");
      assertNotEquals(0, site.job(ids.get("running")).path("Exit_status").asInt());
      assertEquals(0, site.job(ids.get("waiting")).path("Exit_status").asInt());
      assertEquals(0, site.job(ids.get("depends")).path("Exit_status").asInt());
      // The last two begin at the same time.
      List<String> ran = Files.readAllLines(work.resolve("ran"));
      assertEquals(List.of(ids.get("finished"), ids.get("running")), ran.subList(0, 2));
      assertEquals(
          Set.of(ids.get("waiting"), ids.get("depends")), Set.copyOf(ran.subList(2, ran.size())));
      assertEquals(4, ran.size());
    }
  }
}
