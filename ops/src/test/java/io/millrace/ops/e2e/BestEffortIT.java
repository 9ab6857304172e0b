package io.millrace.ops.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.ops.installation.Installation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/**
 * A host is full of best-effort runs: a user's job starts on it, one of them ends for it and is run
 * again, and everything that tells of runs tells of that.
 */
@Order(2)
@Shared(user = "mrbest", site = "second")
class BestEffortIT {
  private static final Duration PATIENCE = Duration.ofSeconds(180);

  @Test
  void aFullHostMakesRoom(Site site, Account user) throws Exception {
    Path work = site.folderOf(user, "work");
    site.qmgr("create queue be queue_type=e,enabled=t,started=t,best_effort=True,kill_delay=0");
    site.qmgr("set queue be best_effort_requeue=True");
    String host = Installation.host(1);
    String here = " -l select=1:ncpus=1:host=" + host + " -- ";
    List<String> tasks = new ArrayList<>();
    try {
      for (int i = 0; i < SharedSite.PROCESSORS; i++) {
        tasks.add(site.run(user, work, "qsub -q be" + here + "/bin/sleep 600").must().strip());
        site.awaitState(tasks.get(i), "R");
      }
      String youngest = tasks.get(tasks.size() - 1);
      String script = "sh -c 'echo begun >>" + work + "/begun; sleep 600'";
      String job = site.run(user, work, "qsub" + here + script).must().strip();
      Path begun = work.resolve("begun");
      Site.await(PATIENCE, "the job has begun", () -> begun.toFile().length() > 0);
      assertEquals("R", site.state(job));
      site.awaitState(youngest, "Q");
      for (String task : tasks.subList(0, tasks.size() - 1)) {
        assertEquals("R", site.state(task), "the others run on");
      }
      String why = site.run(user, work, "why " + youngest).must();
      assertTrue(why.contains("Its run 1 was ended for " + job + ". "), why);
      String trace = site.run("tracejob " + youngest).must();
      assertTrue(trace.contains("preempted for " + job), trace);
      assertEquals(-33, site.job(youngest).path("Exit_status").asInt());
      Path accounts = site.home().accounting();
      Site.await(
          PATIENCE,
          "accounting tells of it",
          () -> lines(accounts).contains(";PREEMPTED;" + youngest + ";preempted_for=" + job));

      site.run(user, work, "qdel " + job).must();
      site.awaitState(youngest, "R");
      assertEquals(1, Files.readAllLines(begun).size(), "it ran once");
    } finally {
      site.run("qdel -W force $(qselect -q be)");
      Site.await(PATIENCE, "the queue is empty", () -> site.told("qselect -q be").isEmpty());
      site.qmgr("delete queue be");
    }
  }

  private static String lines(Path folder) throws IOException {
    StringBuilder all = new StringBuilder();
    try (var files = Files.newDirectoryStream(folder, "2*")) {
      for (Path file : files) {
        all.append(Files.readString(file));
      }
    }
    return all.toString();
  }
}
