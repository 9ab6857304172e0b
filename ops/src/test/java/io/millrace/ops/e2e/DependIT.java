package io.millrace.ops.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/** A diamond and a chain of jobs over three partitions; the server is killed while they run. */
@Order(2)
@Shared(user = "mrdepend", site = SharedSite.OTHER_HOSTS)
class DependIT {
  private static final Duration PATIENCE = Duration.ofSeconds(180);

  /** Runs until it may end; fails when it is told to. */
  private static final String SCRIPT =
      """
      cd $PBS_O_WORKDIR
      echo $PBS_JOBNAME >>order
      until [ -e go-$PBS_JOBNAME ]; do sleep 0.05; done
      """;

  @Test
  void jobsWaitForJobsInOtherPartitions(Site site, Account user) throws Exception {
    new Scenario(site, user).run();
  }

  private static final class Scenario {
    private final Site site;
    private final Account user;
    private final Path work;

    Scenario(Site site, Account user) throws IOException, InterruptedException {
      this.site = site;
      this.user = user;
      this.work = site.folderOf(user, "work");
    }

    void run() throws Exception {
      for (int i = 1; i <= 2; i++) {
        site.qmgr("create queue q" + i + " queue_type=e,enabled=t,started=t,partition=p" + i);
      }
      Path script = Files.writeString(work.resolve("script.sh"), SCRIPT);
      user.own(site.folder(), script);
      String top = submit("top", "workq", "");
      String left = submit("left", "q1", "-W depend=afterok:" + top);
      String right = submit("right", "q2", "-W depend=afterok:" + top);
      String bottom = submit("bottom", "workq", "-W depend=afterok:" + left + ":" + right);
      String never = submit("never", "q1", "-W depend=afternotok:" + top);
      String behind = submit("behind", "q2", "-W depend=afterany:" + never);
      for (String waiting : List.of(left, right, bottom, never, behind)) {
        assertEquals("H 22", standing(waiting));
      }
      String server = top.substring(top.indexOf('.') + 1);
      assertEquals(
          "afterok:" + left + "@" + server + ":" + right + "@" + server,
          site.job(bottom).path("depend").asText());
      Site.await(PATIENCE, "the top runs", () -> lines().contains("top"));
      Site.await(PATIENCE, "all are registered", () -> depend(top).contains(right));

      Files.createFile(work.resolve("go-top"));
      if (Site.NIGHT) {
        Polling.moment(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(70)); // in the middle
        site.killAndUp("server");
      }
      Site.await(PATIENCE, "both sides run", () -> lines().containsAll(Set.of("left", "right")));
      assertEquals("H 22", standing(bottom));
      Files.createFile(work.resolve("go-left"));
      site.awaitState(left, "F");
      assertEquals("H 22", standing(bottom));
      Files.createFile(work.resolve("go-bottom"));
      Files.createFile(work.resolve("go-right"));
      site.awaitState(bottom, "F");
      deleted(never, top);
      deleted(behind, never);
      List<String> order = Files.readAllLines(work.resolve("order"));
      assertEquals("top", order.get(0));
      assertEquals("bottom", order.get(3));
      assertEquals(4, order.size(), "each ran once: " + order);
      time();
      chain();
    }

    /**
     * Each job waits in another partition than the one before; at night the server is killed while
     * the chain runs.
     */
    private void chain() throws Exception {
      List<String> queues = List.of("workq", "q1", "q2");
      List<String> names = new ArrayList<>();
      List<String> jobs = new ArrayList<>();
      int before = Files.readAllLines(work.resolve("order")).size();
      for (int i = 0; i < 9; i++) {
        String options = i == 0 ? "" : "-W depend=afterok:" + jobs.get(i - 1);
        names.add("link" + i);
        jobs.add(submit("link" + i, queues.get(i % 3), options));
      }
      for (String job : jobs.subList(1, 9)) {
        assertEquals("H 22", standing(job));
      }
      for (int i = 0; i < 9; i++) {
        if (i == 4 && Site.NIGHT) {
          site.killAndUp("server");
        }
        String name = names.get(i);
        Site.await(PATIENCE, name + " runs", () -> lines().contains(name));
        Files.createFile(work.resolve("go-" + name));
      }
      for (String job : jobs) {
        site.awaitState(job, "F");
        assertEquals(0, site.job(job).path("Exit_status").asInt(), job);
      }
      List<String> order = Files.readAllLines(work.resolve("order"));
      assertEquals(names, order.subList(before, order.size()));
    }

    /**
     * The job waits for its start time, then for another job, whose start time has come by then.
     */
    private void time() throws Exception {
      Files.createFile(work.resolve("go-timed"));
      Files.createFile(work.resolve("go-last"));
      String timed = submit("timed", "q1", "-a $(date -d '+1 hour' +%Y%m%d%H%M)");
      assertEquals("W 30", standing(timed));
      assertTrue(site.run("why " + timed).must().contains("waits for its time, "));
      assertTrue(site.run("qstat -Qf q1").must().contains(" Held:0 Waiting:1 "));
      String last = submit("last", "workq", "-W depend=afterok:" + timed);
      site.run(user, work, "qalter -a $(date -d '+20 sec' +%Y%m%d%H%M.%S) " + timed).must();
      site.awaitState(last, "F");
      assertEquals(0, site.job(last).path("Exit_status").asInt());
      List<String> order = Files.readAllLines(work.resolve("order"));
      assertEquals(List.of("timed", "last"), order.subList(4, 6));
    }

    private void deleted(String job, String because) throws Exception {
      site.awaitState(job, "F");
      JsonNode shown = site.job(job);
      assertTrue(shown.path("Exit_status").isMissingNode(), shown.toString());
      assertEquals(92, shown.path("substate").asInt());
      String told = site.run("tracejob " + job).must();
      assertTrue(told.contains("Job deleted as result of dependency on job " + because), told);
    }

    private String standing(String job) throws Exception {
      JsonNode shown = site.job(job);
      return shown.path("job_state").asText() + " " + shown.path("substate").asText();
    }

    private String submit(String name, String queue, String options) throws Exception {
      return site.run(user, work, "qsub -q " + queue + " -N " + name + " " + options + " script.sh")
          .must()
          .strip();
    }

    private Set<String> lines() throws IOException {
      Path order = work.resolve("order");
      return Files.exists(order) ? new TreeSet<>(Files.readAllLines(order)) : Set.of();
    }

    private String depend(String job) throws IOException, InterruptedException {
      return site.job(job).path("depend").asText();
    }
  }
}
