package io.millrace.ops.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.ops.installation.Installation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Rules of a site from the command line: limits, access, rights, and what may be altered. */
@Order(2)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Shared(user = "mrrules", site = SharedSite.OTHER_HOSTS)
class RulesIT {
  private static final Duration SOON = Duration.ofSeconds(180);
  private static final int ACCUMULATION_S = 4;

  private Site site;
  private Account user;
  private Path work;

  @BeforeAll
  void begin(Site shared, Account its) throws Exception {
    site = shared;
    user = its;
    work = site.folderOf(user, "work");
  }

  @BeforeEach
  void queue() throws Exception {
    site.qmgr("create queue rules queue_type=e,enabled=t,started=t,kill_delay=4");
  }

  @AfterEach
  void noQueue() throws Exception {
    site.run("qdel -W force $(qselect -q rules)");
    Site.await(SOON, "the queue is empty", () -> site.told("qselect -q rules").isEmpty());
    site.qmgr("delete queue rules");
  }

  private Shell.Answer as(String line) throws Exception {
    return site.run(user, work, line);
  }

  private String submit(String options, String command) throws Exception {
    return as("qsub -q rules " + options + " -- " + command).must().strip();
  }

  private String sleeps(String options) throws Exception {
    return submit(options, "/bin/sleep 600");
  }

  private static void refused(int code, String text, Shell.Answer answer) {
    assertEquals(text + "\n", answer.err(), answer.toString());
    assertEquals(code % 256, answer.status(), answer.toString());
  }

  private void waits(String job, String why) throws Exception {
    // A listing may break the comment anywhere.
    String comment = "qstat -f -F json " + job;
    Site.await(SOON, job + " waits: " + why, () -> site.told(comment).contains(why));
    assertEquals("Q", site.state(job));
  }

  @Test
  void whoIsAloneOnANodeIsSeen() throws Exception {
    String host = Installation.host(1);
    String alone = sleeps("-l select=1:ncpus=1:host=" + host + " -l place=excl");
    site.awaitState(alone, "R");
    String node = site.run("pbsnodes " + host).must();
    assertTrue(node.contains("\n     state = job-exclusive\n"), node);
    assertTrue(site.qmgr("list node " + host).contains("\n    state = job-exclusive\n"));
    assertTrue(site.run("pbsnodes -aSj").must().contains(" job-exclusive "));
    assertEquals("", site.run("pbsnodes -l").must());
    String other = sleeps("-l select=1:ncpus=1:host=" + host);
    waits(other, "Not Running: ");
    as("qdel " + alone).must();
    site.awaitState(other, "R");
    node = site.run("pbsnodes " + host).must();
    assertTrue(node.contains("\n     state = free\n"), node);
  }

  @Test
  void aRunLastsAsLongAsQalterSaid() throws Exception {
    String job = sleeps("-l walltime=300");
    site.awaitState(job, "R");
    refused(15007, "qalter: Unauthorized Request  " + job, as("qalter -l walltime=400 " + job));
    as("qalter -l walltime=200 " + job).must();
    assertEquals("00:03:20", walltime(job));
    site.run("qalter -l walltime=500 " + job).must();
    assertEquals("00:08:20", walltime(job));
    String fixed = "qalter: Cannot modify attribute while job running  ";
    refused(15015, fixed + "Resource_List.ncpus " + job, site.run("qalter -l ncpus=2 " + job));
    refused(15015, fixed + "project " + job, as("qalter -P blue " + job));
    refused(15015, fixed + "umask " + job, as("qalter -W umask=27 " + job));
    refused(
        15003,
        "qalter: Cannot set attribute, read only or insufficient permission  block " + job,
        as("qalter -W block=true " + job));
    as("qalter -l walltime=1 " + job).must();
    site.awaitState(job, "F");
    assertEquals(-29, site.job(job).path("Exit_status").asInt());
  }

  private String walltime(String job) throws Exception {
    return site.job(job).path("Resource_List").path("walltime").asText();
  }

  @Test
  void aLimitOfAProjectCountsWhoPassesToIt() throws Exception {
    site.qmgr("set queue rules max_run = [p:blue=1]");
    String first = sleeps("-P blue");
    site.awaitState(first, "R");
    String second = sleeps("-P blue");
    waits(second, "reached for project blue");
    String third = sleeps("-h");
    as("qalter -P blue " + third).must();
    assertEquals("blue", site.job(third).path("project").asText());
    as("qrls " + third).must();
    waits(third, "reached for project blue");
    as("qalter -P red " + second).must();
    site.awaitState(second, "R");
    assertEquals("Q", site.state(third));
    site.qmgr("set queue rules max_queued = [p:red=1]");
    Shell.Answer full = as("qalter -P red " + third);
    assertEquals(15142 % 256, full.status(), full.toString());
    assertTrue(full.err().contains("project"), full.toString());
    refused(
        15014,
        "qalter: Illegal attribute or resource value  project",
        as("qalter -P 'a,b' " + third));
  }

  @Test
  void aLimitOfAGroupHoldsAndASoftOneDoesNot() throws Exception {
    String group = as("id -gn").must().strip();
    site.qmgr("set queue rules max_run_soft = [g:" + group + "=1]");
    String first = sleeps("-W group_list=" + group);
    String second = sleeps("");
    site.awaitState(first, "R");
    site.awaitState(second, "R");
    site.qmgr("set queue rules max_run = [g:" + group + "=2]");
    String third = sleeps("");
    waits(third, "reached for group " + group);
    as("qalter -W group_list=" + group + " " + third).must();
    assertEquals(group, site.job(third).path("group_list").asText());
    refused(
        15045,
        "qalter: Bad GID for job execution " + third,
        as("qalter -W group_list=no-such-group " + third));
    as("qdel " + first).must();
    site.awaitState(third, "R");
  }

  @Test
  void aLimitOfTheServerHoldsForAllSchedulersTogether() throws Exception {
    List<String> queues = List.of("rules", "rules1", "rules2");
    for (int i = 1; i <= 2; i++) {
      site.qmgr("create queue rules" + i + " queue_type=e,enabled=t,started=f,partition=p" + i);
    }
    try {
      site.qmgr("set server max_queued = [u:" + user.name() + "=3]");
      String first = as("qsub -h -q rules -- /bin/true").must().strip();
      as("qsub -q rules1 -- /bin/true").must();
      as("qsub -q rules2 -- /bin/true").must();
      String full = "qsub: Maximum number of jobs for user " + user.name() + " already in complex";
      for (String queue : queues) {
        refused(15142, full, as("qsub -q " + queue + " -- /bin/true"));
      }
      as("qmove rules2 " + first).must();
      refused(15142, full, as("qsub -q rules -- /bin/true"));
      as("qdel " + first).must();
      as("qsub -q rules1 -- /bin/true").must();
      refused(15142, full, as("qsub -q rules -- /bin/true"));
    } finally {
      site.qmgr("unset server max_queued");
      for (String queue : queues.subList(1, 3)) {
        site.run("qdel -W force $(qselect -q " + queue + ")");
        Site.await(SOON, queue + " is empty", () -> site.told("qselect -q " + queue).isEmpty());
        site.qmgr("delete queue " + queue);
      }
    }
  }

  @Test
  void whoseJobsAQueueTakes() throws Exception {
    String group = as("id -gn").must().strip();
    String line = "qsub -q rules -- /bin/true";
    site.qmgr("set queue rules acl_group_enable = True");
    site.qmgr("set queue rules acl_groups = no-such-group");
    refused(15007, "qsub: Unauthorized Request ", as(line));
    site.qmgr("set queue rules acl_groups += " + group);
    as(line).must();
    site.qmgr("set queue rules acl_host_enable = True");
    site.qmgr("set queue rules acl_hosts = nowhere");
    refused(15008, "qsub: Access from host not allowed, or unknown host", as(line));
    site.qmgr("set queue rules acl_hosts += " + Installation.host(1));
    as(line).must();
  }

  @Test
  void operatorsMayLessThanManagers() throws Exception {
    if (!Account.superuser()) {
      Assumptions.abort("operators: who runs this is a manager himself");
    }
    String job = sleeps("-h");
    String priority = "qmgr -c 'set queue rules Priority = 7'";
    assertNotEquals(0, as(priority).status());
    site.qmgr("set server operators += " + user.name() + "@*");
    try {
      as(priority).must();
      as("qhold -h o " + job).must();
      as("qrls -h uo " + job).must();
      refused(15007, "qhold: Unauthorized Request  " + job, as("qhold -h s " + job));
      assertEquals(15007 % 256, as("qmgr -c 'create queue other queue_type=e'").status());
      assertEquals(15003 % 256, as("qmgr -c 'set server managers += x@*'").status());
    } finally {
      site.qmgr("set server operators -= " + user.name() + "@*");
    }
    assertNotEquals(0, as(priority).status());
  }

  @Test
  void optionsOfQsubReachTheJob() throws Exception {
    Files.writeString(work.resolve("text.sh"), "#!/bin/sh\nfalse and no command at all\n");
    user.own(site.folder(), work.resolve("text.sh"));
    String shown = as("qsub -q rules -S /bin/cat -P green -j oe -o shown text.sh").must().strip();
    String kept = submit("-N kept -k oe", "/bin/echo here").strip();
    site.awaitState(shown, "F");
    assertEquals(0, site.job(shown).path("Exit_status").asInt());
    assertEquals("green", site.job(shown).path("project").asText());
    String text = Files.readString(work.resolve("shown"));
    assertTrue(text.contains("false and no command at all"), text);
    site.awaitState(kept, "F");
    String number = kept.substring(0, kept.indexOf('.'));
    assertEquals("here\n", as("cat ~/kept.o" + number + "; rm ~/kept.[oe]" + number).must());
    String later = sleeps("-a $(date -d '+1 day' +%Y%m%d%H%M)");
    assertEquals("W", site.state(later));
    as("qalter -a 0001 " + later).must();
    assertEquals("W", site.state(later), "the next time that it is one minute past midnight");
    as("qalter -a 202001010000 " + later).must();
    site.awaitState(later, "R");
  }

  @Test
  @Tag("night")
  void whoRerunsAJobWaitsNoLongerThanTheServerSays() throws Exception {
    String stubborn = submit("-r n", "/bin/sh -c \"trap '' TERM; while :; do sleep 1; done\"");
    site.awaitState(stubborn, "R");
    refused(15038, "qrerun: job is not rerunnable " + stubborn, site.run("qrerun " + stubborn));
    as("qalter -r y " + stubborn).must();
    site.qmgr("set server job_requeue_timeout = 1");
    try {
      refused(
          15011,
          "qrerun: Response timed out. Job rerun request still in progress for " + stubborn,
          site.run("qrerun " + stubborn));
    } finally {
      site.qmgr("unset server job_requeue_timeout");
    }
    Site.await(SOON, "the second run", () -> runs(stubborn) == 2);
    as("qalter -r n " + stubborn).must();
    Shell.Answer forced = site.run("qrerun -W force " + stubborn);
    forced.must();
    Site.await(SOON, "the third run", () -> runs(stubborn) == 3);
  }

  private int runs(String job) {
    try {
      JsonNode told = site.job(job);
      return told.path("job_state").asText().equals("R") ? told.path("run_count").asInt() : 0;
    } catch (java.io.IOException e) {
      throw new AssertionError(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  @Test
  @Tag("night")
  void whatRunsGoesOnWhileTheServerHasEnded() throws Exception {
    String job = sleeps("");
    site.awaitState(job, "R");
    if (Account.superuser()) {
      refused(2, "qterm: Unauthorized Request  ", as("qterm -t quick"));
    }
    site.run("qterm").must();
    Set<String> left = Set.of("broker", "executor", "executor-2", "executor-3");
    Site.await(SOON, "the server has ended", () -> onlyLeft(left));
    Shell.Answer nobody = as("qstat");
    assertTrue(nobody.err().startsWith("qstat: cannot connect to server "), nobody.toString());
    String kept = site.launcher("up", "--keep").must();
    assertTrue(kept.contains("nothing is started"), kept);
    site.up("").must();
    assertEquals("R", site.state(job));
    assertEquals(1, site.job(job).path("run_count").asInt());
  }

  @Test
  void aReadOnlyResourceIsForOperators() throws Exception {
    if (!Account.superuser()) {
      return; // then the user of the tests is a manager
    }
    site.qmgr("create resource mrweight type=long,flag=rh");
    try {
      String why = "Cannot set attribute, read only or insufficient permission  Resource_List.";
      String within = "Resource invalid in \"select\" specification: mrweight";
      String weighed = "-l select=1:ncpus=1:mrweight=2 ";
      refused(
          15003,
          "qsub: " + why + "mrweight",
          as("qsub -q rules -h -l mrweight=2 -- /bin/sleep 600"));
      refused(15108, "qsub: " + within, as("qsub -q rules -h " + weighed + "-- /bin/sleep 600"));
      String job = submit("-h -l select=1:ncpus=1", "/bin/true");
      refused(15108, "qalter: " + within + " " + job, as("qalter " + weighed + job));
      site.run("qalter " + weighed + job).must();
      as("qalter -l walltime=60 " + job).must();
      String list = site.job(job).path("Resource_List").toString();
      assertTrue(list.contains("\"select\":\"1:ncpus=1:mrweight=2\""), list);
      as("qdel " + job).must();
    } finally {
      site.run("qdel -W force $(qselect -q rules)");
      Site.await(SOON, "the queue is empty", () -> site.told("qselect -q rules").isEmpty());
      site.qmgr("delete resource mrweight");
    }
  }

  @Test
  void aFormulaOrders() throws Exception {
    String alone = " -l select=1:ncpus=1:host=" + Installation.host(1) + " -l place=excl ";
    String first = sleeps(alone);
    site.awaitState(first, "R");
    Shell.Answer wrong = site.run("qmgr -c 'set server job_sort_formula = \"walltime *\"'");
    assertTrue(wrong.err().contains("Invalid Formula Format"), wrong.toString());
    site.qmgr("set server job_sort_formula = \"-walltime + 0 * job_priority\"");
    try {
      String longer = sleeps(alone + "-p 100 -l walltime=2:00:00");
      String shorter = sleeps(alone + "-l walltime=1:00:00");
      waits(shorter, "Not Running: ");
      as("qdel " + first).must();
      site.awaitState(shorter, "R");
      assertEquals("Q", site.state(longer));
      site.qmgr("set server job_sort_formula = \"job_priority\"");
      String late = sleeps(alone + "-l walltime=1:00:00");
      as("qdel " + shorter).must();
      site.awaitState(longer, "R");
      assertEquals("Q", site.state(late));
    } finally {
      site.qmgr("unset server job_sort_formula");
    }
  }

  /** From before two jobs are submitted until the first has ended; the second ends too. */
  private long nanosOfTwo() throws Exception {
    long begin = System.nanoTime();
    String first = submit("", "/bin/true");
    String second = submit("", "/bin/true");
    site.awaitState(first, "F");
    long took = System.nanoTime() - begin;
    site.awaitState(second, "F");
    return took;
  }

  /** A cycle after submissions alone waits for further ones; each cycle is told of. */
  @Test
  @Tag("night")
  void submissionsAccumulate() throws Exception {
    for (String object : List.of("server", "sched default")) {
      site.qmgr("set " + object + " job_accumulation_time = " + ACCUMULATION_S);
      try {
        // A cycle for another reason, such as a host's report, starts them sooner: once it waits.
        long longest = 0;
        for (int i = 0; i < 3 && longest < TimeUnit.SECONDS.toNanos(ACCUMULATION_S); i++) {
          longest = Math.max(longest, nanosOfTwo());
        }
        assertTrue(longest >= TimeUnit.SECONDS.toNanos(ACCUMULATION_S), object + ": " + longest);
      } finally {
        site.qmgr("unset " + object + " job_accumulation_time");
      }
    }
    Shell.Answer told = site.launcher("cycles", "default --last 10000");
    assertEquals(0, told.status(), told.toString());
    assertTrue(told.out().contains(" job"), told.out());
  }

  @Test
  @Tag("night")
  void theServerEndsWithWhatRunsOrBehindIt() throws Exception {
    Set<String> left = Set.of("broker", "executor", "executor-2", "executor-3");
    String again = sleeps("-r y");
    String once = sleeps("-r n");
    site.awaitState(again, "R");
    site.awaitState(once, "R");
    site.run("qterm -t immediate").must();
    Site.await(SOON, "the server has ended", () -> onlyLeft(left));
    site.up("").must();
    assertEquals("F", site.state(once));
    Site.await(SOON, "it runs again", () -> runs(again) == 2);

    Path go = work.resolve("go");
    Path script = work.resolve("awaits.sh");
    Files.writeString(script, "until [ -e " + go + " ]; do sleep 0.1; done\n");
    String awaited = submit("-r n", "/bin/sh " + script);
    site.awaitState(awaited, "R");
    assertEquals(124, site.run("timeout -s INT 3 qterm -t delay").status());
    Site.await(SOON, "taken back", () -> site.told("qstat -B").contains(" Active"));
    Site.await(SOON, "it runs again", () -> runs(again) == 3);
    FutureTask<String> qterm = new FutureTask<>(() -> site.told("qterm -t delay 2>&1"));
    new Thread(qterm).start();
    Site.await(SOON, "it is told", () -> site.told("qstat -B").contains(" Terminating_Delay"));
    site.awaitState(again, "Q");
    String later = submit("-r n", "/bin/true");
    assertTrue(site.told("why " + later).contains("The server is being ended"));
    assertEquals("Q", site.state(later));
    assertEquals("R", site.state(awaited));
    Files.createFile(go);
    assertEquals("", qterm.get(SOON.toSeconds(), TimeUnit.SECONDS));
    Site.await(SOON, "the server has ended", () -> onlyLeft(left));
    site.up("").must();
    site.awaitState(later, "F");
    assertEquals(0, site.job(awaited).path("Exit_status").asInt(-1));
    Site.await(SOON, "it runs again", () -> runs(again) == 4);
    assertTrue(site.told("qstat -B").contains(" Active"));
  }

  private boolean onlyLeft(Set<String> parts) throws IOException {
    return site.processes().keySet().equals(parts);
  }

  @Test
  void whatTheServerPresetsCountsLeast() throws Exception {
    site.qmgr("set server default_qsub_arguments = \"-A preset -N preset\"");
    try {
      String job = sleeps("-h -N own");
      assertEquals("preset", site.job(job).path("Account_Name").asText());
      assertEquals("own", site.job(job).path("Job_Name").asText());
    } finally {
      site.qmgr("unset server default_qsub_arguments");
    }
  }
}
