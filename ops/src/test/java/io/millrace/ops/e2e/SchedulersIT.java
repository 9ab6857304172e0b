package io.millrace.ops.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Several schedulers from the shell: what they share, and what is refused about them. */
@Order(2)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Shared(user = "mrscheds", site = "second")
class SchedulersIT {
  private static final Duration SOON = Duration.ofSeconds(180);

  /** What other schedulers give up is noticed within two seconds, here on a busy machine. */
  private static final Duration NOTICED = Duration.ofSeconds(10);

  /** The queues, and the partitions to which they belong; "" for the usual one. */
  private static final Map<String, String> QUEUES = Map.of("rs", "", "rs1", "p1", "rs2", "p2");

  private Site site;
  private Account user;

  @BeforeAll
  void begin(Site shared, Account its) {
    site = shared;
    user = its;
  }

  @BeforeEach
  void queues() throws Exception {
    for (Map.Entry<String, String> queue : QUEUES.entrySet()) {
      String partition = queue.getValue().isEmpty() ? "" : ",partition=" + queue.getValue();
      site.qmgr("create queue " + queue.getKey() + " queue_type=e,enabled=t,started=t" + partition);
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

  private String sleeps(String queue, int ncpus) throws Exception {
    String line = "qsub -q " + queue + " -l ncpus=" + ncpus + " -- /bin/sleep 600";
    return site.run(user, user.home(), line).must().strip();
  }

  private boolean runs(String job) throws Exception {
    return site.told("qstat -f " + job).contains("job_state = R");
  }

  private void waits(String job, String why) throws Exception {
    // A listing may break the comment anywhere.
    String comment = "qstat -f -F json " + job;
    Site.await(SOON, job + " waits: " + why, () -> site.told(comment).contains(why));
    assertEquals("Q", site.state(job));
  }

  @Test
  void whatTheServerHasIsThereForAllSchedulersTogether() throws Exception {
    String little = "Not Running: Insufficient amount of server resource: ncpus ";
    site.qmgr("set server resources_available.ncpus = 5");
    try {
      String first = sleeps("rs1", 3);
      site.awaitState(first, "R");
      String third = sleeps("rs", 2);
      site.awaitState(third, "R");
      String second = sleeps("rs2", 3);
      waits(second, little + "(R: 3 A: 0 T: 5)");
      site.killAndUp("server");
      // Nothing runs in its partition: by the count of its own scheduler it would have room.
      String fourth = sleeps("rs2", 1);
      waits(fourth, little + "(R: 1 A: 0 T: 5)");
      for (String runs : List.of(first, third)) {
        site.awaitState(runs, "R");
      }
      site.awaitState(second, "Q");
      site.run("qdel " + fourth + " && qdel " + first).must();
      site.awaitState(first, "F");
      Site.await(NOTICED, "it is seen that there is room", () -> runs(second));
      site.awaitState(third, "R");
      site.run("qdel " + second + " " + third).must();
    } finally {
      site.qmgr("unset server resources_available.ncpus");
    }
    String free = sleeps("rs1", 8);
    site.awaitState(free, "R");
  }

  /** Each end of the first one's runs could be followed by its next start, for a minute. */
  @Test
  @Tag("night")
  void aSchedulerThatAlwaysHasJobsLeavesSomeToAnother() throws Exception {
    site.qmgr("set server resources_available.ncpus = 4");
    try {
      String load = "for i in $(seq 120); do qsub -q rs1 -l ncpus=1 -- /bin/sleep 2; done";
      site.run(user, user.home(), SOON, load).must();
      Site.await(
          SOON, "all is in use", () -> site.told("qselect -q rs1 -s R").lines().count() == 4);
      String line = "qsub -q rs2 -l ncpus=1 -- /bin/true";
      String other = site.run(user, user.home(), line).must().strip();
      site.awaitState(other, "F");
      assertNotEquals("", site.told("qselect -q rs1 -s Q"), "the first one still has jobs");
    } finally {
      site.qmgr("unset server resources_available.ncpus");
    }
  }

  /** Each has an express job stop one of its own, at the same time. */
  @Test
  void twoSchedulersStopJobsAtTheSameTime() throws Exception {
    List<String> low = List.of(sleeps("rs1", 8), sleeps("rs2", 8));
    for (String job : low) {
      site.awaitState(job, "R");
    }
    List<String> express = List.of("rx1", "rx2");
    try {
      for (int i = 1; i <= 2; i++) {
        site.qmgr(
            "create queue rx"
                + i
                + " queue_type=e,enabled=t,started=t,Priority=150,partition=p"
                + i);
      }
      List<String> high = List.of(sleeps("rx1", 8), sleeps("rx2", 8));
      for (int i = 0; i < 2; i++) {
        site.awaitState(high.get(i), "R");
        site.awaitState(low.get(i), "S");
      }
      site.run("qdel " + String.join(" ", high)).must();
      for (String job : low) {
        site.awaitState(job, "R");
      }
    } finally {
      for (String queue : express) {
        site.run("qdel -W force $(qselect -q " + queue + ")");
        Site.await(SOON, queue + " is empty", () -> site.told("qselect -q " + queue).isEmpty());
        site.qmgr("delete queue " + queue);
      }
    }
  }

  @Test
  void whatASchedulerWasToldStaysWhenTheServerIsKilled() throws Exception {
    String before = site.qmgr("print sched s1");
    site.qmgr(
        "set sched s1 scheduler_iteration = 300, sched_cycle_length = 00:10:00, log_events = 2047,"
            + " preempt_queue_prio = 200, preempt_order = SR, job_run_wait = execjob_hook,"
            + " attr_update_period = 10, server_dyn_res_alarm = 10, opt_backfill_fuzzy = high");
    try {
      String set = site.qmgr("print sched s1");
      assertNotEquals(before, set);
      assertTrue(set.contains("set sched s1 sched_cycle_length = 00:10:00\n"), set);
      site.killAndUp("server");
      assertEquals(set, site.qmgr("print sched s1"));
    } finally {
      site.qmgr(
          "unset sched s1 scheduler_iteration,sched_cycle_length,log_events,preempt_queue_prio,"
              + "preempt_order,job_run_wait,attr_update_period,server_dyn_res_alarm,"
              + "opt_backfill_fuzzy");
    }
    assertEquals(before, site.qmgr("print sched s1"));
  }

  @Test
  void pbsfsKnowsWhichSchedulersThereAre() throws Exception {
    Shell.Answer answer = site.run("pbsfs -I nosuch -p");
    assertEquals("Scheduler nosuch does not exist\n", answer.err(), answer.toString());
    assertEquals(1, answer.status());
  }

  private List<String> states(String... jobs) throws Exception {
    List<String> states = new ArrayList<>();
    for (String job : jobs) {
      states.add(site.state(job));
    }
    return states;
  }

  private void refused(int code, String text, String directive) throws Exception {
    Shell.Answer answer = site.run("qmgr -c '" + directive + "'");
    String all = text + "\nqmgr: Error (" + code + ") returned from server\n";
    assertEquals(all, answer.err(), directive);
    assertEquals("", answer.out(), directive);
    assertEquals(code % 256, answer.status(), directive);
  }

  private String objects() throws Exception {
    return site.qmgr("print sched @default")
        + site.qmgr("print server")
        + site.qmgr("print node @default");
  }

  /** Codes and texts are those of OpenPBS 23.06 for the same lines. */
  @Test
  void whatIsWrongIsRefusedInPbssWordsAndChangesNothing() throws Exception {
    String before = objects();
    String home = site.home().root().toRealPath().toString();
    String long16 = "abcdefghijklmnop";
    refused(
        15212,
        "qmgr obj=" + long16 + " svr=default: Scheduler name is too long",
        "create sched " + long16);
    Shell.Answer queue = site.run("qmgr -c 'create queue " + long16 + " queue_type=e'");
    assertEquals(15028 % 256, queue.status(), queue.toString());
    String s1 = "qmgr obj=s1 svr=default: ";
    refused(
        15215,
        s1 + "Another scheduler also has same value for its sched_priv directory",
        "set sched s1 sched_priv = " + home + "/sched_priv_s2");
    refused(
        15216,
        s1 + "Another scheduler also has same value for its sched_log directory",
        "set sched s1 sched_log = " + home + "/sched_logs");
    refused(
        15014,
        s1 + "Illegal attribute or resource value sched_host",
        "set sched s1 sched_host = nosuchhost");
    refused(
        15224,
        s1 + "Partition is already associated with other scheduler",
        "set sched s1 partition = p2");
    refused(
        15224,
        "qmgr obj=twice svr=default: Partition is already associated with other scheduler",
        "create sched twice partition=p1");
    refused(
        15223,
        "qmgr obj=default svr=default: Operation is not permitted on default scheduler",
        "set sched default partition = p9");
    assertEquals(before, objects());
  }

  /** Ten megabytes of a value are refused in a line, and are not read to their end. */
  @Test
  void anAttributeOfTenMegabytesIsRefused() throws Exception {
    String before = objects();
    Path file = site.folder().resolve("long-directives");
    String next = "list sched s1 partition\n";
    Files.writeString(
        file, next + "set sched s1 comment = " + "x".repeat(10_000_000) + "\n" + next);
    Shell.Answer answer = site.run("qmgr < " + file);
    assertEquals("qmgr: line 2 has more than 262144 bytes\n", answer.err());
    assertEquals(1, answer.status());
    assertEquals(1, answer.out().split("partition = p1", -1).length - 1, answer.out());
    assertEquals(before, objects());
    Files.delete(file);
  }

  /** A folder of another account is none for a scheduler's log, nor for its files. */
  @Test
  void aFolderThatBelongsToAnotherStopsItsScheduler() throws Exception {
    if (!Account.superuser()) {
      Assumptions.abort("only root gives folders away");
    }
    stoppedBy("sched_log", "Unable to change the sched_log directory");
    if (Site.NIGHT) {
      stoppedBy("sched_priv", "PBS failed validation checks for sched_priv directory");
    }
  }

  private void stoppedBy(String attribute, String comment) throws Exception {
    Path folder = Files.createDirectory(site.folder().resolve("of-another-" + attribute));
    site.run("chown " + user.name() + " " + folder + "; chmod 750 " + folder).must();
    site.qmgr("set sched s1 " + attribute + " = " + folder.toRealPath());
    try {
      Site.await(
          SOON,
          "it says so",
          () -> site.told("qmgr -c 'list sched s1 comment'").contains("comment = " + comment));
      assertTrue(site.told("qmgr -c 'list sched s1 scheduling'").contains("scheduling = False"));
      assertEquals(Set.of(), Set.of(folder.toFile().list()));
    } finally {
      site.qmgr("unset sched s1 " + attribute);
      site.qmgr("set sched s1 scheduling = True");
    }
  }

  private Shell.Answer held(String queue) throws Exception {
    return site.run(user, user.home(), "qsub -h -q " + queue + " -- /bin/true");
  }

  private void allAreFull() throws Exception {
    for (String queue : QUEUES.keySet()) {
      Shell.Answer answer = held(queue);
      String full = "qsub: Maximum number of jobs for user " + user.name() + " already in complex";
      assertEquals(full + "\n", answer.err(), queue);
      assertEquals(15142 % 256, answer.status(), queue);
    }
  }

  /** The server's limit holds after the death of all parts, and where a partition is another's. */
  @Test
  @Tag("night")
  void aLimitHoldsWhenAllIsKilledAndWhenAPartitionMoves() throws Exception {
    site.qmgr("set server max_queued = [u:" + user.name() + "=3]");
    try {
      String first = held("rs1").must().strip();
      held("rs1").must();
      held("rs2").must();
      allAreFull();
      site.killAndUp("server");
      allAreFull();
      site.qmgr("set sched s1 partition -= p1");
      site.qmgr("set sched s2 partition += p1");
      allAreFull();
      site.killAndUp("server");
      site.run(user, user.home(), "qdel " + first).must();
      held("rs").must();
      allAreFull();
    } finally {
      site.run("qmgr -c 'set sched s2 partition -= p1'");
      site.qmgr("set sched s1 partition = p1");
      site.qmgr("unset server max_queued");
    }
  }

  private Shell.Answer open(String queue) {
    String line = Site.SOON_REFUSED + "qsub -h -q " + queue + " -N open" + queue + " -- /bin/true";
    try {
      return site.run(user, user.home(), line);
    } catch (IOException e) {
      throw new AssertionError(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  /** Nobody owns the shards of any scheduler: each job may be there later, and once. */
  @Test
  @Tag("night")
  void withoutAServerNobodyKnowsOfEachSchedulersJobs() throws Exception {
    Site.kill(List.of(site.processes().get("server")));
    Map<String, CompletableFuture<Shell.Answer>> said = new TreeMap<>();
    QUEUES
        .keySet()
        .forEach(queue -> said.put(queue, CompletableFuture.supplyAsync(() -> open(queue))));
    said.values().forEach(CompletableFuture::join);
    site.up("").must();
    Pattern repeated =
        Pattern.compile("; it may still be carried out; repeated as qsub (\\S+ \\S+) ");
    for (Map.Entry<String, CompletableFuture<Shell.Answer>> each : said.entrySet()) {
      Shell.Answer answer = each.getValue().join();
      assertEquals(110, answer.status(), answer.toString());
      assertTrue(answer.tookMs() < 25_000, answer.toString());
      Matcher again = repeated.matcher(answer.err());
      assertTrue(again.find(), answer.toString());
      String queue = each.getKey();
      String line =
          "qsub " + again.group(1) + " -h -q " + queue + " -N open" + queue + " -- /bin/true";
      String job = site.run(user, user.home(), line).must();
      assertEquals(job, site.run(user, user.home(), line).must());
      assertEquals(job, site.run("qselect -q " + queue).must());
    }
  }
}
