package io.millrace.ops.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/**
 * A host is lost with two runs on it, and comes back. First it is only stopped with its runs, like
 * a host whose network is gone; then it is lost with everything on it. The outcome is judged by the
 * files that the jobs wrote.
 */
@Order(2)
@Shared(user = "mrnodelost", site = SharedSite.OTHER_HOSTS)
class NodeLostIT {
  private static final String FIRST = "lost-one";
  private static final String SECOND = "lost-two";
  private static final Duration SOON = Duration.ofSeconds(180);

  /**
   * Script that writes its run number and goes on until this run, or all runs of the job, may end.
   */
  private static final String WORK =
      "echo begin $PBS_JOBNAME $MILLRACE_RUN >>lines; echo printed by run $MILLRACE_RUN; "
          + "until [ -e go-$PBS_JOBNAME -o -e go-$PBS_JOBNAME-$MILLRACE_RUN ]; do sleep 0.2; done; "
          + "echo end $PBS_JOBNAME $MILLRACE_RUN >>lines";

  @Test
  void runsOfALostHostRunElsewhereAndEndWhenItReturns(Site site, Account user) throws Exception {
    try (Hosts hosts = new Hosts(Files.createDirectory(site.folder().resolve("hosts")), false)) {
      new Scenario(site, user, hosts).run();
    }
  }

  private static final class Scenario {
    private final Site site;
    private final Account user;
    private final Hosts hosts;
    private final Path work;

    Scenario(Site site, Account user, Hosts hosts) throws IOException, InterruptedException {
      this.site = site;
      this.user = user;
      this.hosts = hosts;
      this.work = site.folderOf(user, "work");
    }

    void run() throws Exception {
      site.qmgr("create queue lost queue_type=e,enabled=t,started=t");
      site.qmgr("set server max_unheard = 20");
      site.qmgr("set server node_fail_requeue = 1");
      make(FIRST);
      awaitState(FIRST, "free");
      String again = submit("again", "");
      String once = submit("once", "-r n");
      String early = submit("early", "");
      site.awaitState(again, "R");
      site.awaitState(once, "R");
      site.awaitState(early, "R");
      Site.await(SOON, "all write", () -> lines().size() == 3);
      make(SECOND);
      awaitState(SECOND, "free");

      stand(again, once);
      endsElsewhere(early);
      returns(again, once);
      assertEquals("printed by run 2\n", printed("early"), "a run that was given up");
      loseAll();
      for (String host : List.of(FIRST, SECOND)) {
        site.qmgr("delete node " + host);
      }
      site.qmgr("unset server max_unheard");
      site.qmgr("unset server node_fail_requeue");
    }

    /** Creates a host for the jobs of this test alone. */
    private void make(String host) throws Exception {
      site.qmgr("create node " + host);
      site.qmgr("set node " + host + " queue = lost");
      start(host);
    }

    /** The stopped host's jobs are given up, and one of them runs on the other host. */
    private void stand(String again, String once) throws Exception {
      all("STOP");
      awaitState(FIRST, "down");
      String shown = site.run("pbsnodes " + FIRST).must();
      assertTrue(shown.contains("comment = node down: nothing heard for "), shown);
      String down = site.run("pbsnodes -l").must();
      assertTrue(down.lines().anyMatch(line -> line.startsWith(FIRST + " ")), down);
      site.awaitState(once, "F");
      assertEquals(-20, site.job(once).path("Exit_status").asInt());
      String comment = site.job(once).path("comment").asText();
      assertTrue(comment.endsWith(" and failed, execution node " + FIRST + " down"), comment);
      Site.await(SOON, "it runs on the other host", () -> lines().contains("begin again 2"));
      assertEquals(2, site.job(again).path("run_count").asInt());
      assertEquals(SECOND + "/0", site.job(again).path("exec_host").asText());
    }

    private void endsElsewhere(String early) throws Exception {
      Site.await(SOON, "it runs on the other host", () -> lines().contains("begin early 2"));
      Files.createFile(work.resolve("go-early-2"));
      site.awaitState(early, "F");
      assertEquals("printed by run 2\n", printed("early"));
    }

    /** The host continues: its old runs end without ending their jobs, and it takes jobs again. */
    private void returns(String again, String once) throws Exception {
      all("CONT");
      awaitState(FIRST, "free");
      Site.await(SOON, "the old runs have ended", () -> processes().isEmpty());
      assertEquals("R", site.state(again), "what the old run had to say is ignored");
      Files.createFile(work.resolve("go-again"));
      Files.createFile(work.resolve("go-once"));
      site.awaitState(again, "F");
      assertEquals(0, site.job(again).path("Exit_status").asInt());
      assertEquals(
          List.of("begin again 1", "begin again 2", "begin once 1", "end again 2"),
          lines().stream().filter(it -> !it.contains("early")).sorted().toList());
      assertEquals("printed by run 2\n", printed("again"));
      accounted(again, "R -20,E 0");
      accounted(once, "E -20");
    }

    /** Everything on the host is killed; its executor restarts with the same spool. */
    private void loseAll() throws Exception {
      site.run("pbsnodes -o " + SECOND).must();
      String third = submit("third", "");
      Site.await(SOON, "it runs", () -> lines().contains("begin third 1"));
      all("KILL");
      awaitState(FIRST, "down");
      site.run("pbsnodes -r " + SECOND).must();
      Site.await(SOON, "it runs elsewhere", () -> lines().contains("begin third 2"));
      Files.createFile(work.resolve("go-third-2"));
      site.awaitState(third, "F");
      start(FIRST);
      awaitState(FIRST, "free");
      Path kept = spool(FIRST).resolve("undelivered").resolve(third + ".1.OU");
      Site.await(SOON, "run 1 is buried", () -> Files.exists(kept));
      assertEquals("printed by run 1\n", Files.readString(kept));
      assertEquals("printed by run 2\n", printed("third"));
      assertEquals(0, site.job(third).path("Exit_status").asInt());
      assertEquals(
          List.of("begin third 1", "begin third 2", "end third 2"),
          lines().stream().filter(it -> it.contains("third")).toList());
    }

    private void start(String host) throws Exception {
      hosts.start(site, host, "ncpus=4", spool(host));
    }

    private Path spool(String host) {
      return site.folder().resolve("spool-" + host);
    }

    private String printed(String job) throws IOException {
      return Files.readString(work.resolve("out-" + job));
    }

    private String submit(String name, String options) throws Exception {
      String line =
          "qsub -q lost -N %s %s -j oe -o %s -- /bin/sh -c '%s'"
              .formatted(name, options, work.resolve("out-" + name), "cd " + work + "; " + WORK);
      return site.run(user, work, line).must().strip();
    }

    private List<String> lines() throws IOException {
      Path file = work.resolve("lines");
      return Files.exists(file) ? Files.readAllLines(file) : List.of();
    }

    private void awaitState(String host, String state) throws InterruptedException {
      Site.await(SOON, host + " is " + state, () -> nodeState(host).contains(state));
    }

    private String nodeState(String host) throws Exception {
      return site.told("pbsnodes -aS | awk '$1 == \"" + host + "\" {print $2}'");
    }

    /** Sends a signal to everything on the first host: jobs and supervisors before the executor. */
    private void all(String signal) throws IOException, InterruptedException {
      List<ProcessHandle> victims = processes();
      assertFalse(victims.isEmpty());
      ProcessHandle executor = hosts.process(FIRST);
      List<String> numbers = new ArrayList<>();
      if (signal.equals("CONT")) {
        victims.forEach(victim -> numbers.add(Long.toString(victim.pid())));
        numbers.add(Long.toString(executor.pid()));
      } else {
        numbers.add(Long.toString(executor.pid()));
        victims.forEach(victim -> numbers.add(Long.toString(victim.pid())));
      }
      site.run("kill -" + signal + " " + String.join(" ", numbers)).must();
    }

    /** The first runs of jobs, which are those on the first host, and their supervisors. */
    private List<ProcessHandle> processes() {
      Set<ProcessHandle> found = new LinkedHashSet<>();
      ProcessHandle.allProcesses()
          .filter(this::ofFirstRun)
          .forEach(
              process -> {
                process.parent().filter(Scenario::supervises).ifPresent(found::add);
                found.add(process);
              });
      return List.copyOf(found);
    }

    private boolean ofFirstRun(ProcessHandle process) {
      String environment = proc(process, "environ");
      return environment.contains("PBS_O_WORKDIR=" + work + "\0")
          && environment.contains("MILLRACE_RUN=1\0");
    }

    private static boolean supervises(ProcessHandle process) {
      return proc(process, "cmdline").contains("millrace-supervisor");
    }

    /** A file in /proc of a process; empty when it has ended meanwhile. */
    private static String proc(ProcessHandle process, String file) {
      try {
        return Files.readString(Path.of("/proc", Long.toString(process.pid()), file));
      } catch (IOException e) {
        return "";
      }
    }

    /**
     * Waits until the accounting files have these ends of the runs; they are written a moment
     * later.
     */
    private void accounted(String id, String ends) throws Exception {
      String line =
          "grep -h ';"
              + id
              + ";' "
              + site.home().accounting()
              + "/2* | grep -E ';[ER];' | "
              + "sed -E 's/^[^;]*;([ER]);.* Exit_status=(-?[0-9]+).*/\\1 \\2/' | paste -sd,";
      Site.await(SOON, id + ": " + ends, () -> site.told(line).strip().equals(ends));
    }
  }
}
