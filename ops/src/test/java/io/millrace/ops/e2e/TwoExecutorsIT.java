package io.millrace.ops.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Two executors of one host name with spools of their own: every run is carried out by one. */
@Order(2)
@Shared(user = "mrtwoexec")
@Tag("night")
class TwoExecutorsIT {
  private static final String HOST = "twin";
  private static final Duration SOON = Duration.ofSeconds(180);
  private static final int JOBS = 30;

  @Test
  void noRunIsCarriedOutTwice(Site site, Account user) throws Exception {
    try (Hosts first = new Hosts(Files.createDirectory(site.folder().resolve("first")), false);
        Hosts second = new Hosts(Files.createDirectory(site.folder().resolve("second")), false)) {
      site.qmgr("create node " + HOST);
      // A busy machine may keep an executor from being heard for a while: not what is tested here.
      site.qmgr("set server max_unheard = 300");
      start(first, site, "first");
      run(site, user, first, second);
      site.qmgr("delete node " + HOST);
      site.qmgr("unset server max_unheard");
    }
  }

  private static void run(Site site, Account user, Hosts first, Hosts second) throws Exception {
    Path work = site.folderOf(user, "work");
    List<String> jobs = new ArrayList<>();
    jobs.add(submit(site, user, work, "while [ ! -e go ]; do sleep 0.1; done"));
    site.awaitState(jobs.get(0), "R");

    String since = upSince(site);
    start(second, site, "second");
    Site.await(SOON, "the second is refused", () -> !second.process(HOST).isAlive());
    assertTrue(
        second.said(HOST).contains("millrace-executor: host twin is served by executor "),
        second.said(HOST));
    assertEquals(3, second.exitStatus(HOST), "whoever starts it again must ask somebody");
    assertTrue(first.process(HOST).isAlive());
    assertTrue(first.said(HOST).contains("millrace-executor: serves twin"), first.said(HOST));

    assertEquals(since, upSince(site), "neither takes the other's node down");

    Files.createFile(work.resolve("go"));
    site.awaitState(jobs.get(0), "F");
    start(second, site, "second");
    Site.await(SOON, "the first hears of the second", () -> !first.process(HOST).isAlive());
    assertTrue(first.said(HOST).contains("was taken over by executor "), first.said(HOST));

    for (int i = 0; i < JOBS; i++) {
      jobs.add(submit(site, user, work, "sleep 0.2"));
      if (i == JOBS / 2) {
        start(first, site, "first"); // refused, or it takes over when nothing runs just then
      }
    }
    for (String id : jobs) {
      site.awaitState(id, "F");
      assertEquals(1, site.job(id).path("run_count").asInt(), id);
    }
    List<String> lines = Files.readAllLines(work.resolve("lines"));
    assertEquals(new TreeSet<>(jobs), new TreeSet<>(lines));
    assertEquals(jobs.size(), lines.size(), lines.toString());
  }

  private static String upSince(Site site) throws Exception {
    String shown = site.run("pbsnodes -v " + HOST).must();
    return shown.lines().filter(it -> it.contains("last_state_change_time")).findFirst().get();
  }

  private static void start(Hosts hosts, Site site, String name) throws Exception {
    hosts.start(site, HOST, "ncpus=4", site.folder().resolve("spool-" + name));
  }

  private static String submit(Site site, Account user, Path work, String wait) throws Exception {
    String line =
        "qsub -l select=1:host="
            + HOST
            + " -j oe -o /dev/null -- /bin/sh -c 'cd "
            + work
            + "; "
            + wait
            + "; echo $PBS_JOBID >>lines'";
    return site.run(user, work, line).must().strip();
  }
}
