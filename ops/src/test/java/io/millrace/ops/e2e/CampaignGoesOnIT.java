package io.millrace.ops.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.ops.home.FolderTree;
import io.millrace.ops.home.KafkaPrincipal;
import io.millrace.schemas.Topics;
import io.millrace.schemas.campaign.AttemptEnded;
import io.millrace.schemas.campaign.TaskStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A campaign goes on when its installation is upgraded with a third of it done, and when, with two
 * thirds done, everything is destroyed and restored from a backup. Each task writes what it is at
 * its begin and at its end.
 */
@Tag("night")
@Beside
class CampaignGoesOnIT {

  private static final Duration PATIENCE = Duration.ofSeconds(300);

  /** So many are done before the campaign is stopped for the first time; twice as many, then. */
  private static final int PART = 80;

  private static final int TASKS = 3 * PART;

  /** So many run at a time. */
  private static final int PLACES = 6;

  /**
   * Tasks stand still while the campaign is closed, and say so. While there is no gateway, those
   * with even numbers go on once they are armed.
   */
  private static final String SCRIPT =
      """
      #!/bin/sh
      echo $1 $MILLRACE_ATTEMPT $$ >>begun
      n=0
      while [ -e closed ] && [ $n -lt 18000 ]; do
        [ $n = 0 ] && echo $1 $MILLRACE_ATTEMPT >>standing
        [ $(($1 % 2)) = 0 ] && [ -e armed ] && [ ! -e GATEWAY ] && break
        n=$((n+1)); sleep 0.1
      done
      echo $1 $MILLRACE_ATTEMPT >>succeeded
      """;

  @Test
  void overAnUpgradeAndARestore() throws Exception {
    try (Site site = Site.prepare("goes-on")) {
      new Story(site, site.user("mrgoeson")).tell();
    }
  }

  private static final class Story {
    private final Site site;
    private final Account user;
    private final Path work;
    private String id;

    Story(Site site, Account user) throws IOException, InterruptedException {
      this.site = site;
      this.user = user;
      this.work = site.folderOf(user, "work");
    }

    void tell() throws Exception {
      site.up("--campaigns --no-keeper --shards 2 --resources ncpus=" + PLACES).must();
      for (String queue : List.of("bag1", "bag2")) {
        site.qmgr("create queue " + queue + " queue_type=e,enabled=t,started=t");
      }
      submit();
      close(PART);
      upgrade();
      Files.delete(work.resolve("closed"));
      close(2 * PART);
      Set<String> lost = restore();
      Files.delete(work.resolve("closed"));
      Site.await(PATIENCE, "it is over", () -> shown().contains("State: terminated"));
      agreed(lost);
    }

    private void submit() throws Exception {
      Path script = work.resolve("task.sh");
      String gateway = site.home().pid("gateway").toString();
      Files.writeString(script, SCRIPT.replace("GATEWAY", gateway));
      script.toFile().setExecutable(true, false);
      user.own(site.folder(), script);
      String document =
          "{\"name\": \"goes on\", \"exec_file\": \""
              + script
              + "\", \"exec_directory\": \""
              + work
              + "\", \"nb_jobs\": "
              + TASKS
              + ", \"clusters\": {\"bag1\": {}, \"bag2\": {}}}";
      String said = site.run(user, work, "gridsub '" + document + "'").must();
      id = said.replaceFirst("(?s).*CAMPAIGN_ID=", "").strip();
    }

    /** Once so many are done, stops the others: all that run stand still. */
    private void close(int done) throws IOException, InterruptedException {
      Site.await(PATIENCE, done + " are done", () -> succeeded().size() >= done);
      Files.createFile(work.resolve("closed"));
      Site.await(PATIENCE, "others stand still", () -> standing().size() == PLACES);
    }

    /** The way of docs/upgrade.md: a backup, then the upgrade. Half of what runs ends meanwhile. */
    private void upgrade() throws Exception {
      Set<String> at = standing();
      site.launcher("backup", site.folder().resolve("before").toString()).must();
      Path armed = Files.createFile(work.resolve("armed"));
      site.launcher("upgrade", "").must();
      Site.await(PATIENCE, "even ones have ended", () -> even(at).allMatch(succeeded()::contains));
      Files.delete(armed);
      at.removeAll(succeeded());
      for (String line : lines("begun")) {
        String[] words = line.split(" ");
        if (at.contains(words[0] + " " + words[1])) {
          assertTrue(Files.exists(Path.of("/proc", words[2])), "lives: " + line);
        }
      }
    }

    private static Stream<String> even(Set<String> attempts) {
      return attempts.stream().filter(it -> Integer.parseInt(it.split(" ")[0]) % 2 == 0);
    }

    /**
     * All processes of the installation and of its jobs are killed, and its home is deleted.
     *
     * @return what ran
     */
    private Set<String> restore() throws Exception {
      Path file = site.folder().resolve("kept");
      site.launcher("backup", file.toString()).must();
      Machine.killAllOf(site.folder());
      Set<String> lost = running();
      FolderTree.delete(site.home().root());
      site.launcher("restore", file.toString()).must();
      site.up("").must();
      return lost;
    }

    private String shown() throws IOException, InterruptedException {
      return site.run(user, work, "gridstat -c " + id).out();
    }

    /**
     * The tasks' own file, gridstat and the campaign's ledger say the same of each task.
     *
     * @param lost attempts whose processes were killed
     */
    private void agreed(Set<String> lost) throws Exception {
      List<String> ends = lines("succeeded");
      Set<String> once = succeeded();
      assertEquals(ends.size(), once.size(), "an attempt that succeeded twice: " + ends);
      Set<Integer> tasks = new HashSet<>();
      once.forEach(it -> assertTrue(tasks.add(Integer.parseInt(it.split(" ")[0])), it));
      assertEquals(TASKS, tasks.size());
      Set<String> begun = begun();
      assertEquals(lines("begun").size(), begun.size(), "an attempt that began twice");
      begun.removeAll(once);
      assertEquals(lost, begun, "what began and did not succeed");

      Set<String> counted = new TreeSet<>();
      int ledger = 0;
      for (Object fact :
          TopicContents.read(site.client(KafkaPrincipal.ADMIN), Topics.CAMPAIGN_LEDGER)) {
        if (fact instanceof AttemptEnded end && end.getStatus() == TaskStatus.DONE) {
          ledger++;
          counted.add(end.getTask() + " " + end.getAttempt());
        }
      }
      assertEquals(once, counted);
      assertEquals(TASKS, ledger, "each counted once");
      String shown = shown();
      assertTrue(shown.contains("Progress: " + TASKS + "/" + TASKS + " (100%)"), shown);
      assertEquals(TASKS, finished(shown), shown);
      assertEquals("", site.run(user, work, "gridevents -a -c " + id).must());
    }

    private static int finished(String shown) {
      int finished = 0;
      Matcher clusters = Pattern.compile("finished_jobs: (\\d+)").matcher(shown);
      while (clusters.find()) {
        finished += Integer.parseInt(clusters.group(1));
      }
      return finished;
    }

    /** Attempts that have begun and not succeeded; each is its task's number and its own. */
    private Set<String> running() throws IOException {
      Set<String> running = begun();
      running.removeAll(succeeded());
      return running;
    }

    private Set<String> standing() throws IOException {
      Set<String> standing = new TreeSet<>(lines("standing"));
      standing.removeAll(succeeded());
      return standing;
    }

    private Set<String> begun() throws IOException {
      return lines("begun").stream()
          .map(line -> line.substring(0, line.lastIndexOf(' ')))
          .collect(Collectors.toCollection(TreeSet::new));
    }

    private Set<String> succeeded() throws IOException {
      return new TreeSet<>(lines("succeeded"));
    }

    private List<String> lines(String name) throws IOException {
      Path file = work.resolve(name);
      return Files.exists(file) ? Files.readAllLines(file) : List.of();
    }
  }
}
