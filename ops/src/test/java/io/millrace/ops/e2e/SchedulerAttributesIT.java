package io.millrace.ops.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What each attribute of a scheduler object does, seen from the shell. */
@Order(2)
@Tag("night")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Shared(user = "mrattrs", site = "second")
class SchedulerAttributesIT {
  private static final Duration SOON = Duration.ofSeconds(180);
  private static final Duration QSUBS = Duration.ofSeconds(300);
  private static final int ACCUMULATION_S = 4;

  /** In partition p1: one with usual jobs, and an express queue. */
  private static final List<String> QUEUES = List.of("aq", "ax");

  /** What the tests set. */
  private static final String ATTRIBUTES =
      "preempt_order,preempt_queue_prio,preempt_prio,preempt_sort,sched_cycle_length,log_events,"
          + "attr_update_period,job_accumulation_time,server_dyn_res_alarm,policy,"
          + "opt_backfill_fuzzy,sched_preempt_enforce_resumption,job_run_wait,sched_user";

  /** A cycle without time looks at a thousand jobs of one node, at most. */
  private static final int MORE_THAN_A_CYCLE = 1_200;

  private Site site;
  private Account user;
  private String before;

  @BeforeAll
  void begin(Site shared, Account its) throws Exception {
    site = shared;
    user = its;
    before = site.qmgr("print sched s1");
  }

  @BeforeEach
  void queues() throws Exception {
    for (String queue : QUEUES) {
      site.qmgr(
          "create queue "
              + queue
              + " queue_type=e,enabled=t,started=t,partition=p1,Priority="
              + (queue.equals("ax") ? 150 : 0));
    }
  }

  @AfterEach
  void asBefore() throws Exception {
    site.qmgr("unset sched s1 " + ATTRIBUTES);
    site.qmgr("set sched s1 scheduling = True");
    empty();
    for (String queue : QUEUES) {
      site.qmgr("delete queue " + queue);
    }
    assertEquals(before, site.qmgr("print sched s1"));
  }

  private void empty() throws Exception {
    for (String queue : QUEUES) {
      site.run("qdel -W force $(qselect -q " + queue + ")");
      Site.await(SOON, queue + " is empty", () -> told("qselect -q " + queue).isEmpty());
    }
  }

  private String told(String line) {
    try {
      return site.run(line).out();
    } catch (IOException e) {
      throw new AssertionError(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  private String submit(String queue, String options, String command) throws Exception {
    String line = "qsub -q " + queue + " " + options + " -- " + command;
    return site.run(user, user.home(), line).must().strip();
  }

  private String sleeps(String queue, String options) throws Exception {
    return submit(queue, options, "/bin/sleep 600");
  }

  private String runs(String queue, int ncpus) throws Exception {
    String job = sleeps(queue, "-l ncpus=" + ncpus);
    site.awaitState(job, "R");
    return job;
  }

  /** Waits until the scheduler has said in its log that it looked at the job. */
  private void considered(String job) throws Exception {
    Site.await(SOON, job + " is considered", () -> log().contains(";" + job + ";Considering"));
  }

  private String log() {
    return told("cat " + site.home().root() + "/sched_logs_s1/*");
  }

  private boolean hasComment(String job) {
    return told("qstat -f " + job).contains("comment = ");
  }

  @Test
  void preemptOrderSaysHowARunMakesRoom() throws Exception {
    for (Map.Entry<String, String> way : Map.of("S", "S", "R", "Q", "D", "F").entrySet()) {
      site.qmgr("set sched s1 preempt_order = " + way.getKey());
      String low = runs("aq", 8);
      runs("ax", 8);
      site.awaitState(low, way.getValue());
      empty();
    }
  }

  @Test
  void preemptQueuePrioSaysWhichQueuesAreExpress() throws Exception {
    site.qmgr("set sched s1 preempt_queue_prio = 200, log_events = 2047");
    String low = runs("aq", 8);
    String high = sleeps("ax", "-l ncpus=8");
    considered(high);
    assertEquals("Q", site.state(high));
    assertEquals("R", site.state(low));
    site.qmgr("unset sched s1 preempt_queue_prio");
    site.awaitState(high, "R");
  }

  @Test
  void preemptPrioSaysWhoStandsHigher() throws Exception {
    site.qmgr("set sched s1 preempt_prio = \"normal_jobs, express_queue\", log_events = 2047");
    String low = runs("aq", 8);
    String high = sleeps("ax", "-l ncpus=8");
    considered(high);
    assertEquals("Q", site.state(high));
    site.qmgr("unset sched s1 preempt_prio");
    site.awaitState(high, "R");
    site.awaitState(low, "S");
  }

  @Test
  void preemptSortTakesTheYoungest() throws Exception {
    site.qmgr("set sched s1 preempt_sort = min_time_since_start");
    String older = runs("aq", 4);
    String younger = runs("aq", 4);
    runs("ax", 4);
    site.awaitState(younger, "S");
    assertEquals("R", site.state(older));
  }

  @Test
  void withoutSchedulingNothingStarts() throws Exception {
    site.qmgr("set sched s1 scheduling = False");
    String job = submit("aq", "-l ncpus=1", "/bin/true");
    String other = site.run(user, user.home(), "qsub -- /bin/true").must().strip();
    site.awaitState(other, "F");
    assertEquals("Q", site.state(job));
    site.qmgr("set sched s1 scheduling = True");
    site.awaitState(job, "F");
  }

  /** Without a time each job's own limit makes it differ from all others. */
  @Test
  void aCycleThatMayTakeNoTimeSaysSoAndGoesOn() throws Exception {
    site.qmgr("set sched s1 sched_cycle_length = 00:00:00, log_events = 2047");
    runs("aq", 8);
    site.qmgr("set sched s1 scheduling = False");
    String line =
        "for i in $(seq "
            + MORE_THAN_A_CYCLE
            + "); do qsub -q aq -l ncpus=1,walltime=$i -- /bin/true || exit; done";
    List<String> jobs = site.run(user, user.home(), QSUBS, line).must().lines().toList();
    site.qmgr("set sched s1 scheduling = True");
    String cut = "has exceeded sched_cycle_length of 0 seconds";
    Site.await(SOON, "it says so", () -> log().contains(cut));
    String last = jobs.get(jobs.size() - 1);
    Site.await(SOON, last + " is looked at, too", () -> hasComment(last));
    // Each end would be told with all the others that wait, which takes the log minutes.
    site.qmgr("set sched s1 scheduling = False, log_events = 0");
    empty();
  }

  @Test
  void logEventsSaysWhatIsInTheLog() throws Exception {
    site.qmgr("set sched s1 log_events = 0");
    String silent = submit("aq", "-l ncpus=1", "/bin/true");
    site.awaitState(silent, "F");
    site.qmgr("set sched s1 log_events = 2047");
    String loud = submit("aq", "-l ncpus=1", "/bin/true");
    considered(loud);
    assertFalse(log().contains(";" + silent + ";"), "nothing of the first");
  }

  @Test
  void attrUpdatePeriodSaysHowOftenCommentsAreTold() throws Exception {
    runs("aq", 8);
    String first = sleeps("aq", "-l ncpus=3");
    Site.await(SOON, "it has a comment", () -> hasComment(first));
    site.qmgr("set sched s1 attr_update_period = 3600, log_events = 2047");
    String second = sleeps("aq", "-l ncpus=5");
    considered(second);
    assertFalse(hasComment(second), "not before an hour is over");
    site.qmgr("unset sched s1 attr_update_period");
    Site.await(SOON, "it has a comment", () -> hasComment(second));
  }

  @Test
  void jobAccumulationTimeWaitsForFurtherSubmissions() throws Exception {
    site.qmgr("set sched s1 job_accumulation_time = " + ACCUMULATION_S);
    // A cycle for another reason, such as a host's report, starts it sooner: once it waits.
    long longest = 0;
    for (int i = 0; i < 3 && longest < TimeUnit.SECONDS.toNanos(ACCUMULATION_S); i++) {
      long begin = System.nanoTime();
      site.awaitState(submit("aq", "-l ncpus=1", "/bin/true"), "F");
      longest = Math.max(longest, System.nanoTime() - begin);
    }
    assertTrue(longest >= TimeUnit.SECONDS.toNanos(ACCUMULATION_S), "it took " + longest);
  }

  private Path policy(String name, Map<String, String> files) throws IOException {
    Path folder = Files.createDirectories(site.folder().resolve(name));
    for (Map.Entry<String, String> file : files.entrySet()) {
      Files.writeString(folder.resolve(file.getKey()), file.getValue());
    }
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    return folder;
  }

  @Test
  void serverDynResAlarmStopsASlowProgram() throws Exception {
    Path folder = policy("attrs-slow", Map.of("slow", "#!/bin/sh\nsleep 600\necho 1\n"));
    Path program = folder.resolve("slow");
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
    Path config =
        policy(
            "attrs-policy",
            Map.of("sched_config", "server_dyn_res: \"berths !" + program + "\"\n"));
    site.qmgr("create resource berths type=long");
    try {
      site.qmgr("set sched s1 server_dyn_res_alarm = 1");
      site.launcher("policy load s1 " + config, "").must();
      submit("aq", "-l ncpus=1 -l berths=1", "/bin/true");
      Site.await(
          SOON,
          "it is stopped",
          () -> site.launcher("status", "").out().contains(program + " has not ended within 1 s"));
    } finally {
      site.qmgr("unset sched s1 policy,sched_config");
      empty();
      site.qmgr("delete resource berths");
    }
  }

  /** The order of two entities is another one for each scheduler, also after all parts died. */
  @Test
  void twoSchedulersHaveSharesOfTheirOwn() throws Exception {
    Path config =
        policy(
            "attrs-shares",
            Map.of(
                "sched_config",
                "fair_share: true\n",
                "resource_group",
                "anna 10 root 50\nbert 11 root 50\n"));
    try {
      for (String scheduler : List.of("s1", "s2")) {
        site.launcher("policy load " + scheduler + " " + config, "").must();
      }
      site.run("pbsfs -I s1 -s anna 1000 && pbsfs -I s2 -s bert 1000").must();
      for (int i = 0; i < 2; i++) {
        assertEquals("bert\n", site.run("pbsfs -I s1 -c anna bert").must());
        assertEquals("anna\n", site.run("pbsfs -I s2 -c anna bert").must());
        if (i == 0) {
          site.killAndUp("server");
        }
      }
    } finally {
      for (String scheduler : List.of("s1", "s2")) {
        site.qmgr("unset sched " + scheduler + " policy,sched_config");
      }
    }
  }

  /** The first that was stopped is to go on; one of a higher priority of its own came later. */
  @Test
  void schedPreemptEnforceResumptionSaysWhoComesFirst() throws Exception {
    site.qmgr("set sched s1 preempt_order = R");
    for (boolean enforced : new boolean[] {true, false}) {
      site.qmgr("set sched s1 sched_preempt_enforce_resumption = " + enforced);
      String stopped = runs("aq", 8);
      String express = runs("ax", 8);
      site.awaitState(stopped, "Q");
      String later = sleeps("aq", "-p 100 -l ncpus=8");
      site.run("qdel " + express).must();
      site.awaitState(enforced ? stopped : later, "R");
      assertEquals("Q", site.state(enforced ? later : stopped));
      empty();
    }
  }

  /** A quarter of the node is free after ten minutes, half of it after twenty, all after forty. */
  @Test
  void optBackfillFuzzySaysHowRoughlyAStartIsPromised() throws Exception {
    site.qmgr("set sched s1 policy = easy");
    for (String part :
        List.of("ncpus=2,walltime=600", "ncpus=2,walltime=1200", "ncpus=4,walltime=2400")) {
      site.awaitState(sleeps("aq", "-l " + part), "R");
    }
    site.qmgr("set sched s1 opt_backfill_fuzzy = high");
    long roughly = promisedInMinutes();
    assertTrue(roughly > 30, "in " + roughly + " min");
    site.qmgr("set sched s1 opt_backfill_fuzzy = off");
    long exactly = promisedInMinutes();
    assertTrue(exactly <= 20, "in " + exactly + " min");
  }

  private long promisedInMinutes() throws Exception {
    String job = sleeps("aq", "-l ncpus=4,walltime=00:05:00");
    Site.await(SOON, job + " has a promise", () -> !promised(job).isEmpty());
    LocalDateTime start =
        LocalDateTime.parse(
            promised(job).replaceAll(" +", " "),
            DateTimeFormatter.ofPattern("EEE MMM d HH:mm:ss yyyy", Locale.ROOT));
    site.run("qdel " + job).must();
    site.awaitState(job, "F");
    return Duration.between(LocalDateTime.now(), start).toMinutes();
  }

  private String promised(String job) throws IOException, InterruptedException {
    return site.job(job).path("estimated").path("start_time").asText();
  }

  /** There are no hooks to wait for, and engines are of the server's account. */
  @Test
  void whatHasNoEffectHereIsKeptAndShown() throws Exception {
    for (Map.Entry<String, String> mode :
        Map.of("True", "runjob_hook", "False", "execjob_hook").entrySet()) {
      site.qmgr("set sched s1 throughput_mode = " + mode.getKey());
      assertTrue(shown("job_run_wait").contains("job_run_wait = " + mode.getValue()));
    }
    site.qmgr("set sched s1 job_run_wait = none, sched_user = " + user.name());
    site.killAndUp("server");
    assertTrue(shown("job_run_wait").contains("job_run_wait = none"));
    assertTrue(shown("sched_user").contains("sched_user = " + user.name()));
    site.awaitState(submit("aq", "-l ncpus=1", "/bin/true"), "F");
    Shell.Answer wrong = site.run("qmgr -c 'set sched s1 job_run_wait = never'");
    assertEquals(15014 % 256, wrong.status(), wrong.toString());
    assertTrue(shown("job_run_wait").contains("job_run_wait = none"));
  }

  private String shown(String attribute) {
    return told("qmgr -c 'list sched s1 " + attribute + "'");
  }

  /** Of an entity that a scheduler's shares name no more, -e forgets what it has used. */
  @Test
  void pbsfsForgetsWhoHasNoSharesAnyMore() throws Exception {
    Path both =
        policy(
            "attrs-both",
            Map.of(
                "sched_config", "fair_share: true\n",
                "resource_group", "anna 11 root 10\nbert 12 root 10\n"));
    Path none = policy("attrs-none", Map.of("sched_config", "fair_share: true\n"));
    try {
      site.launcher("policy load s1 " + both, "").must();
      site.run("pbsfs -I s1 -s anna 1000").must();
      assertEquals("bert\n", site.run("pbsfs -I s1 -c anna bert").must());
      site.launcher("policy load s1 " + none, "").must();
      site.run("pbsfs -I s1 -e").must();
      site.launcher("policy load s1 " + both, "").must();
      site.run("pbsfs -I s1 -s bert 500").must();
      assertEquals("anna\n", site.run("pbsfs -I s1 -c anna bert").must());
    } finally {
      site.qmgr("unset sched s1 policy,sched_config");
    }
  }

  @Test
  void cyclesAreFollowedAlsoWhenAllIsKilled() throws Exception {
    Path told = site.folder().resolve("cycles-followed");
    Path pid = site.folder().resolve("cycles-pid");
    String launcher = site.checkout().resolve("millrace") + " cycles s1 -f --last 1 --home ";
    String line = launcher + site.home().root() + " >" + told + " 2>&1 & echo $! >" + pid;
    site.run(line).must();
    try {
      Site.await(SOON, "its head is there", () -> lines(told) > 0);
      isFollowed(told);
      site.killAndUp("server");
      isFollowed(told);
      for (String row : Files.readAllLines(told).subList(1, lines(told))) {
        boolean ofTheBroker = row.startsWith("cycles: the broker ");
        String cycle = "\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d\\.\\d{3} s1 .*";
        assertTrue(ofTheBroker || row.matches(cycle), row);
      }
    } finally {
      site.run("kill $(cat " + pid + ")");
    }
  }

  private void isFollowed(Path told) throws Exception {
    int before = lines(told);
    site.awaitState(submit("aq", "-l ncpus=1", "/bin/true"), "F");
    Site.await(SOON, "further cycles are told", () -> lines(told) > before);
  }

  private static int lines(Path file) throws IOException {
    return Files.exists(file) ? Files.readAllLines(file).size() : 0;
  }
}
