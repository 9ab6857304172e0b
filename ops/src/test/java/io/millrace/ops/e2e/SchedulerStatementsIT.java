package io.millrace.ops.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.ops.installation.Installation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What the specification of several schedulers states, from the shell. */
@Order(2)
@Tag("night")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Shared(user = "mrstates", site = "second")
class SchedulerStatementsIT {
  private static final Duration SOON = Duration.ofSeconds(180);
  private static final String LIMIT = "Not Running: User has reached server running job limit.";

  /** Queues and their partitions, "" for that of the default scheduler. */
  private static final Map<String, String> QUEUES =
      Map.of("st", "", "st1", "p1", "st1b", "p1", "st2", "p2");

  /** A line about a cycle: its number, and what is behind it. */
  private static final Pattern CYCLE = Pattern.compile(".* s1 +(\\d+) (\\S.*)");

  private Site site;
  private Account user;
  private String home;

  @BeforeAll
  void begin(Site shared, Account its) throws IOException {
    site = shared;
    user = its;
    home = site.home().root().toRealPath().toString();
  }

  @BeforeEach
  void queues() throws Exception {
    for (String queue : QUEUES.keySet()) {
      String partition = QUEUES.get(queue).isEmpty() ? "" : ",partition=" + QUEUES.get(queue);
      site.qmgr("create queue " + queue + " queue_type=e,enabled=t,started=t" + partition);
    }
  }

  @AfterEach
  void noQueues() throws Exception {
    for (String queue : QUEUES.keySet()) {
      site.run("qdel -W force $(qselect -q " + queue + ")");
      Site.await(SOON, queue + " is empty", () -> site.told("qselect -q " + queue).isEmpty());
      site.qmgr("delete queue " + queue);
    }
  }

  private String sleeps(String queue, String options) throws Exception {
    String line = "qsub -q " + queue + " " + options + " -- /bin/sleep 600";
    return site.run(user, user.home(), line).must().strip();
  }

  private String runs(String queue, String options) throws Exception {
    String job = sleeps(queue, options);
    site.awaitState(job, "R");
    return job;
  }

  private void waits(String job, String why) throws Exception {
    // A listing may break the comment anywhere.
    String comment = "qstat -f -F json " + job;
    Site.await(SOON, job + " waits: " + why, () -> site.told(comment).contains(why));
    assertEquals("Q", site.state(job));
  }

  private String log(String scheduler) throws Exception {
    return site.told("cat " + home + "/sched_logs" + scheduler + "/*");
  }

  private void isOn(String job, int host) throws Exception {
    site.awaitState(job, "R");
    String nodes = site.job(job).path("exec_vnode").asText();
    assertTrue(nodes.startsWith("(" + Installation.host(host) + ":"), job + " is on " + nodes);
  }

  private void refused(int code, String text, String directive) throws Exception {
    refused(code, text, directive, site.run("qmgr -c '" + directive + "'"));
  }

  private static void refused(int code, String text, String directive, Shell.Answer answer) {
    String all = text + "\nqmgr: Error (" + code + ") returned from server\n";
    assertEquals(all, answer.err(), directive);
    assertEquals(code % 256, answer.status(), directive);
  }

  private String listed(String object, String attributes) throws Exception {
    return site.told("qmgr -c 'list " + object + " " + attributes + "'");
  }

  @Test
  void aNewSchedulerHasWhatPbsGivesIt() throws Exception {
    String mine = "qmgr obj=fresh svr=default: ";
    Shell.Answer no = site.run(user, user.home(), "qmgr -c 'create sched fresh'");
    refused(15007, mine + "Unauthorized Request ", "create sched fresh", no);
    refused(15211, "qmgr obj= svr=default: Scheduler already exists", "create sched");
    site.qmgr("create sched fresh");
    try {
      assertEquals(
          "Sched fresh\n"
              + "    sched_cycle_length = 00:20:00\n"
              + "    throughput_mode = True\n"
              + "    job_run_wait = runjob_hook\n"
              + ("    sched_priv = " + home + "/sched_priv_fresh\n")
              + ("    sched_log = " + home + "/sched_logs_fresh\n")
              + "    scheduling = False\n"
              + "    scheduler_iteration = 600\n"
              + "    state = down\n"
              + "    preempt_queue_prio = 150\n"
              + "    preempt_prio = express_queue, normal_jobs\n"
              + "    preempt_order = SCR\n"
              + "    preempt_sort = min_time_since_start\n"
              + "    log_events = 767\n"
              + "    server_dyn_res_alarm = 30\n\n",
          // The last line is an attribute that PBS does not have.
          site.qmgr("list sched fresh").replaceFirst("    shard = \\d+\n", ""));
      refused(15002, mine + "Undefined attribute ", "set sched fresh sched_port = 15050");
      refused(
          15003,
          mine + "Cannot set attribute, read only or insufficient permission  state",
          "set sched fresh state = idle");
    } finally {
      site.qmgr("delete sched fresh");
    }
    String usual = "qmgr obj=default svr=default: ";
    refused(15214, usual + "Can not delete Scheduler", "delete sched default");
    String not = usual + "Operation is not permitted on default scheduler";
    refused(15223, not, "set sched default sched_priv = /tmp");
    assertTrue(listed("sched default", "sched_priv").contains("= " + home + "/sched_priv\n"));
    assertTrue(listed("sched default", "sched_log").contains("= " + home + "/sched_logs\n"));
  }

  @Test
  void serverAndDefaultSchedulerShareTwoAttributes() throws Exception {
    String usual = "scheduler_iteration = 600";
    assertTrue(listed("server", "scheduler_iteration").contains(usual));
    try {
      site.qmgr("set server scheduler_iteration = 500");
      isListed("sched default", "scheduler_iteration = 500");
      site.qmgr("set sched default scheduler_iteration = 400");
      isListed("server", "scheduler_iteration = 400");
      site.qmgr("set sched scheduler_iteration = 300");
      isListed("sched default", "scheduler_iteration = 300");
      isListed("sched s1", usual);
      site.qmgr("set server scheduling = False");
      isListed("sched default", "scheduling = False");
      isListed("sched s1", "scheduling = True");
      site.qmgr("set sched default scheduling = True");
      isListed("server", "scheduling = True");
    } finally {
      site.qmgr("set server scheduling = True, scheduler_iteration = 600");
    }
  }

  private void isListed(String object, String value) throws Exception {
    String all = listed(object, value.replaceFirst(" = .*", ""));
    assertTrue(all.contains("    " + value + "\n"), all);
  }

  @Test
  void jobsGoToTheNodesOfTheirPartitionByItsScheduler() throws Exception {
    isOn(sleeps("st", "-l ncpus=1"), 1);
    String first = sleeps("st1", "-l ncpus=1");
    String second = sleeps("st1b", "-l ncpus=1");
    String third = sleeps("st2", "-l ncpus=1");
    isOn(first, 2);
    isOn(second, 2);
    isOn(third, 3);
    for (String job : List.of(first, second)) {
      Site.await(SOON, "its log has it", () -> log("_s1").contains(";" + job + ";Job run\n"));
    }
    Site.await(SOON, "its log has it", () -> log("_s2").contains(";" + third + ";Job run\n"));
    assertFalse(log("_s1").contains(";" + third + ";"));
    site.run("qdel $(qselect -q st)").must();
    Site.await(SOON, "the queue is empty", () -> site.told("qselect -q st").isEmpty());
    site.qmgr("set queue st partition = p2");
    isOn(sleeps("st", "-l ncpus=1"), 3);
    for (String line :
        List.of("qmgr -c 'list queue st partition'", "qmgr -c 'list node @default partition'")) {
      assertTrue(site.run(user, user.home(), line).must().contains("partition = p2"), line);
    }
  }

  @Test
  void aSchedulerStartsNothingWithoutAPartition() throws Exception {
    site.qmgr("create sched lone scheduling = True");
    try {
      isListed("sched lone", "state = down");
      Site.await(
          SOON,
          "its log says why",
          () -> log("_lone").contains(";Scheduler does not contain a partition\n"));
      site.qmgr("set sched lone partition = p7");
      Site.await(SOON, "it works", () -> listed("sched lone", "state").contains("= idle"));
      site.qmgr("set sched lone partition -= p7");
      isListed("sched lone", "state = down");
      Site.await(
          SOON,
          "its log says so again",
          () -> log("_lone").split(";Scheduler does not contain a partition\n", -1).length > 2);
    } finally {
      site.qmgr("delete sched lone");
    }
  }

  /** The job of another scheduler is submitted later, and starts. */
  @Test
  void whoseLastPartitionIsTakenAwayStartsNothingUntilItIsBack() throws Exception {
    site.qmgr("set sched s1 partition -= p1");
    try {
      isListed("sched s1", "state = down");
      String waiting = sleeps("st1", "-l ncpus=1");
      runs("st2", "-l ncpus=1");
      assertEquals("Q", site.state(waiting));
      site.qmgr("set sched s1 partition = p1");
      isOn(waiting, 2);
    } finally {
      site.qmgr("set sched s1 partition = p1");
    }
  }

  /** OpenPBS looks for names that other schedulers have, and keeps the list as it was given. */
  @Test
  void aPartitionThatIsNamedTwiceIsTakenAndMeansOne() throws Exception {
    try {
      site.qmgr("set sched s1 partition = \"p1,p1\"");
      isListed("sched s1", "partition = p1,p1");
      isOn(sleeps("st1", "-l ncpus=1"), 2);
      String twice =
          "qmgr obj=s2 svr=default: Partition is already associated with other scheduler";
      refused(15224, twice, "set sched s2 partition = \"p2,p1\"");
      isListed("sched s2", "partition = p2");
    } finally {
      site.qmgr("set sched s1 partition = p1");
    }
    isOn(sleeps("st1", "-l ncpus=1"), 2);
  }

  @Test
  void nodesAndTheirQueuesAreOfOnePartition() throws Exception {
    String node = Installation.host(2);
    String of = "qmgr obj=" + node + " svr=default: ";
    refused(
        15220,
        of + "Partition p1 is not part of queue for node",
        "set node " + node + " queue = st2");
    site.qmgr("set node " + node + " queue = st1");
    try {
      refused(
          15219,
          of + "Queue st1 is not part of partition for node",
          "set node " + node + " partition = p2");
      refused(
          15221,
          "qmgr obj=st1 svr=default: Invalid partition in queue",
          "set queue st1 partition = p2");
      isOn(sleeps("st1", "-l ncpus=1"), 2);
    } finally {
      site.run("qdel -W force $(qselect -q st1)");
      Site.await(SOON, "the queue is empty", () -> site.told("qselect -q st1").isEmpty());
      site.qmgr("unset node " + node + " queue");
    }
    refused(
        15218,
        "qmgr obj=st1 svr=default: Route queues are incompatible with the partition attribute"
            + " queue_type",
        "set queue st1 queue_type = route");
    site.qmgr("create queue str queue_type=route,route_destinations=st1");
    try {
      refused(
          15217,
          "qmgr obj=str svr=default: Cannot assign a partition to route queue",
          "set queue str partition = p1");
    } finally {
      site.qmgr("delete queue str");
    }
  }

  @Test
  void cyclesBeginForJobsAndWhenTheirTimeIsOver() throws Exception {
    runs("st1", "-l ncpus=8");
    long before = lastCycle();
    String waiting = sleeps("st1", "-l ncpus=2");
    waits(waiting, "Not Running: Insufficient amount of resource: ncpus");
    triggered("job", before);
    before = lastCycle();
    site.run("qdel $(qselect -q st1 -s R)").must();
    site.awaitState(waiting, "R");
    triggered("end", before);
    site.qmgr("set sched s1 scheduler_iteration = 1");
    try {
      sleeps("st1", "-l ncpus=8");
      triggered("time", lastCycle());
    } finally {
      site.qmgr("unset sched s1 scheduler_iteration");
    }
  }

  private long lastCycle() throws Exception {
    return cycles().map(cycle -> Long.parseLong(cycle.group(1))).reduce(0L, Math::max);
  }

  private Stream<MatchResult> cycles() throws Exception {
    return site.launcher("cycles s1 --last 30", "")
        .out()
        .lines()
        .map(CYCLE::matcher)
        .filter(Matcher::matches)
        .map(Matcher::toMatchResult);
  }

  private void triggered(String by, long after) throws Exception {
    Site.await(
        SOON,
        "a cycle after " + after + " was due by " + by,
        () ->
            cycles()
                .anyMatch(
                    cycle ->
                        Long.parseLong(cycle.group(1)) > after
                            && cycle.group(2).matches(".*\\b" + by + "\\b.*")));
  }

  /**
   * PBS counts the classes of all jobs that wait when a cycle begins, and so of those it starts.
   */
  @Test
  void aCycleTellsHowManyClassesOfJobsThereWere() throws Exception {
    site.qmgr("set sched s1 scheduling = False, log_events = 2047");
    try {
      sleeps("st1", "-l ncpus=8");
      sleeps("st1", "-l ncpus=1");
      sleeps("st1", "-l ncpus=1");
      site.qmgr("set sched s1 scheduling = True");
      String said = ";Number of job equivalence classes: 2\n";
      Site.await(SOON, "the log has it", () -> log("_s1").contains(said));
    } finally {
      site.qmgr("set sched s1 scheduling = True");
      site.qmgr("unset sched s1 log_events");
    }
  }

  @Test
  void theServersRunLimitsHoldForEachSchedulerByItself() throws Exception {
    site.qmgr("set server max_run = [u:PBS_GENERIC=1]");
    try {
      for (String queue : List.of("st", "st1", "st2")) {
        runs(queue, "-l ncpus=1");
        waits(sleeps(queue, "-l ncpus=1"), LIMIT);
      }
      waits(sleeps("st1b", "-l ncpus=1"), LIMIT);
    } finally {
      site.qmgr("unset server max_run");
    }
  }

  @Test
  void qrunStartsAJobOfASchedulerThatIsOff() throws Exception {
    site.qmgr("set sched s1 scheduling = False");
    try {
      String job = sleeps("st1", "-l ncpus=2");
      site.run("qrun " + job).must();
      isOn(job, 2);
    } finally {
      site.qmgr("set sched s1 scheduling = True");
    }
  }

  @Test
  void anExpressQueueStopsJobsOfItsPartitionAlone() throws Exception {
    site.qmgr("set queue st1b Priority = 150");
    String low = runs("st1", "-l ncpus=8");
    String other = runs("st2", "-l ncpus=8");
    runs("st1b", "-l ncpus=8");
    site.awaitState(low, "S");
    assertEquals("R", site.state(other));
    String said = ";" + low + ";Job preempted by suspension\n";
    Site.await(SOON, "the log has it", () -> log("_s1").contains(said));
  }

  @Test
  void strictOrderIsOneSchedulersOwn() throws Exception {
    site.qmgr("set sched s1 strict_ordering = True");
    try {
      for (String queue : List.of("st1", "st2")) {
        runs(queue, "-l ncpus=8,walltime=600");
      }
      String strict = sleeps("st1", "-l ncpus=8,walltime=600");
      String loose = sleeps("st2", "-l ncpus=8,walltime=600");
      waits(strict, "Insufficient amount of resource: ncpus");
      waits(loose, "Insufficient amount of resource: ncpus");
      Site.await(SOON, "it is promised", () -> site.job(strict).has("estimated"));
      assertFalse(site.job(loose).has("estimated"));
    } finally {
      site.qmgr("unset sched s1 strict_ordering");
    }
  }

  /** As long as the partition's scheduler does not schedule the reservation waits for it. */
  @Test
  void aReservationWaitsForTheSchedulerOfItsPartition() throws Exception {
    site.qmgr("set sched s1 scheduling = False");
    String line = "pbs_rsub -p p1 -R $(date -d '+2 hours' +%H%M) -D 60 -l select=1:ncpus=1";
    String id = "";
    try {
      String made = site.run(user, user.home(), line).must();
      assertTrue(made.contains(" UNCONFIRMED"), made);
      id = made.split(" ")[0];
      site.qmgr("set sched s1 scheduling = True");
      String asked = "pbs_rstat -f " + id;
      Site.await(
          SOON,
          "it is confirmed",
          () -> site.told(asked).contains("reserve_state = RESV_CONFIRMED"));
      assertTrue(site.told(asked).contains("(" + Installation.host(2) + ":"));
    } finally {
      site.qmgr("set sched s1 scheduling = True");
      site.run("pbs_rdel " + id);
    }
  }

  /** A folder that no other scheduler has, and is as PBS wants it. */
  @Test
  void itsFoldersMoveAndTheLogSaysSo() throws Exception {
    site.qmgr("create sched moved partition = p7");
    try {
      Path priv = Files.createDirectory(site.folder().resolve("moved-priv"));
      Path logs = Files.createDirectory(site.folder().resolve("moved-logs"));
      site.run("chmod 750 " + priv + "; chmod 755 " + logs).must();
      site.qmgr(
          "set sched moved sched_log = "
              + logs.toRealPath()
              + ", sched_priv = "
              + priv.toRealPath());
      String all = "cat " + logs + "/*";
      for (String said :
          List.of(
              "Scheduler log directory is changed to " + logs.toRealPath(),
              "Scheduler priv directory is changed to " + priv.toRealPath())) {
        Site.await(SOON, said, () -> site.told(all).contains(";" + said + "\n"));
      }
    } finally {
      site.qmgr("delete sched moved");
    }
  }
}
