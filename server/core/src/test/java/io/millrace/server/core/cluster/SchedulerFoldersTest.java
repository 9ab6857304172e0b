package io.millrace.server.core.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.millrace.schemas.CommandFamily;
import io.millrace.schemas.command.ChangeOperation;
import io.millrace.schemas.command.Continue;
import io.millrace.schemas.command.NoteFolder;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.common.Role;
import io.millrace.schemas.fact.ChangeOpened;
import io.millrace.schemas.output.Reply;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.shard.Calls;
import io.millrace.server.core.shard.TestShards;
import io.millrace.server.core.state.Keys;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** sched_priv and sched_log of scheduler objects; codes and texts are those of OpenPBS. */
class SchedulerFoldersTest {

  private static final String PRIV_TAKEN =
      "15215 Another scheduler also has same value for its sched_priv directory";
  private static final String LOG_TAKEN =
      "15216 Another scheduler also has same value for its sched_log directory";
  private static final String NOT_DEFAULT = "15223 Operation is not permitted on default scheduler";

  private static final String RUN_WAIT = "job_run_wait";

  private final TestShards shards = TestShards.initialised();

  @BeforeEach
  void twoSchedulersAtHome() {
    shards.send(CommandFamily.SHARD, 0, new Continue(self(), Initialise.WORK, "mill;root;/home/m"));
    shards.run();
    shards.must(ChangeOperation.CREATE, ObjectKind.SCHEDULER, "s1", "partition=P1");
    shards.must(ChangeOperation.CREATE, ObjectKind.SCHEDULER, "s2");
  }

  private CommandMeta self() {
    CommandMeta meta = shards.manager();
    meta.setRole(Role.SHARD);
    return meta;
  }

  private void set(String name, String... pairs) {
    shards.must(ChangeOperation.SET, ObjectKind.SCHEDULER, name, pairs);
  }

  private void refused(String answer, ChangeOperation how, String name, String... pairs) {
    Reply reply = shards.qmgr(how, ObjectKind.SCHEDULER, name, pairs);
    assertEquals(answer, reply.getCode() + " " + String.join("", reply.getLines()));
  }

  private void refused(String answer, String name, String pair) {
    refused(answer, ChangeOperation.SET, name, pair);
  }

  private String get(String name, String attribute) {
    ClusterObject object = shards.tables(2).objects().get(Keys.object(ObjectKind.SCHEDULER, name));
    return Context.attribute(object, attribute, null);
  }

  private void note(String scheduler, String attribute, String path) {
    shards.send(CommandFamily.SHARD, 0, new NoteFolder(self(), scheduler, attribute, path));
    shards.run();
  }

  @Test
  void noTwoHaveTheSame() {
    refused(PRIV_TAKEN, "s1", "sched_priv=/home/m/sched_priv");
    refused(LOG_TAKEN, "s1", "sched_log=/home/m/sched_logs");
    refused(LOG_TAKEN, "s1", "sched_log=/home/m/./sched_logs_s2/");
    refused(LOG_TAKEN, "s1", "sched_log=/../home//x/../m/sched_logs_s2");
    set("s1", "sched_log=home/m/sched_logs_s2");
    set("s1", "sched_priv=/does/not/exist", "sched_log=/var/log/s1");
    refused(PRIV_TAKEN, "s2", "sched_priv=/does/not/exist");
    refused(LOG_TAKEN, ChangeOperation.CREATE, "s3", "sched_log=/var/log/s1");
    set("s1", "sched_log=/home/m/sched_logs_s3");
    refused(LOG_TAKEN, ChangeOperation.CREATE, "s3");
    shards.must(ChangeOperation.UNSET, ObjectKind.SCHEDULER, "s1", "sched_priv", "sched_log");
    assertNull(get("s1", "sched_log"));
    set("s2", "sched_priv=/does/not/exist");
    set("s1", "sched_log=/home/m/./sched_logs_s1");
    assertNull(get("s1", "sched_log"), "the usual one, which is made when it is needed");
    set("s2", "comment=its own usual folder is nobody else's");
  }

  @Test
  void theDefaultOneHasTheUsualOnes() {
    for (String pair : List.of("sched_priv=/tmp/x", "sched_log=/tmp/x", "partition=P9")) {
      refused(NOT_DEFAULT, "default", pair);
    }
    for (String attribute : List.of("sched_priv", "sched_log", "partition")) {
      shards.must(ChangeOperation.UNSET, ObjectKind.SCHEDULER, "default", attribute);
    }
  }

  @Test
  void pathsHaveABound() {
    String illegal = "15014 Illegal attribute or resource value";
    refused(illegal, "s1", "sched_log=/" + "x".repeat(1024));
    refused(illegal, "s1", "sched_log=/a\nb");
  }

  /** Comments are those of OpenPBS. */
  @Test
  void oneThatCannotBeUsedStopsItsScheduler() {
    set("s1", "sched_log=/var/does_not_exist", "scheduling=True");
    note("s1", "sched_log", "/var/does_not_exist");
    assertEquals("Unable to change the sched_log directory", get("s1", "comment"));
    assertEquals("False", get("s1", "scheduling"));
    assertEquals("/var/does_not_exist", get("s1", "sched_log"));
    List<ChangeOpened> opened = shards.facts(0, ChangeOpened.class);
    CommandMeta by = opened.get(opened.size() - 1).getChange().getWaiting();
    assertEquals("Scheduler@mill", by.getPrincipal() + "@" + by.getHost());
    int facts = opened.size();
    note("s1", "sched_log", "/var/does_not_exist");
    assertEquals(facts, shards.facts(0, ChangeOpened.class).size(), "said once");
    set("s1", "sched_log=/var/log/s1");
    assertNull(get("s1", "comment"));
    assertEquals("False", get("s1", "scheduling"), "as in PBS an administrator sets it again");
    set("s1", "sched_priv=/var/does_not_exist");
    note("s1", "sched_priv", "/var/does_not_exist");
    assertEquals("PBS failed validation checks for sched_priv directory", get("s1", "comment"));
    set("s1", "comment=mine", "sched_priv=/var/x");
    assertEquals("mine", get("s1", "comment"));
  }

  /** As a folder that is made after it was named. */
  @Test
  void whatWasSaidOfItIsOverWhenTheSchedulerIsToGoOn() {
    set("s1", "sched_log=/var/later");
    note("s1", "sched_log", "/var/later");
    set("s1", "scheduling=False");
    assertEquals("Unable to change the sched_log directory", get("s1", "comment"));
    set("s1", "scheduling=True");
    assertNull(get("s1", "comment"));
    note("s1", "sched_log", "/var/later");
    assertEquals("Unable to change the sched_log directory", get("s1", "comment"), "still so");
    assertEquals("False", get("s1", "scheduling"));
  }

  /** The host looked at a folder that another one has replaced meanwhile. */
  @Test
  void whatIsNoLongerNamedStopsNobody() {
    set("s1", "sched_log=/var/good", "scheduling=True");
    note("s1", "sched_log", "/var/bad");
    note("s1", "partition", "P1");
    note("nobody", "sched_log", "/var/bad");
    assertEquals("True", get("s1", "scheduling"));
    assertNull(get("s1", "comment"));
    shards.silence(3, true);
    shards.send(
        0,
        Calls.change(
            shards.manager(), ChangeOperation.SET, ObjectKind.SCHEDULER, "s1", "sched_log=/n"));
    note("s1", "sched_log", "/var/good");
    shards.silence(3, false);
    shards.run();
    assertEquals("/n", get("s1", "sched_log"));
    assertEquals("True", get("s1", "scheduling"), "a change was under way");
  }

  @Test
  void theHomeOfTheServerThatBeganLastIsKnown() {
    refused(PRIV_TAKEN, "s1", "sched_priv=/home/m/sched_priv");
    shards.send(CommandFamily.SHARD, 0, new Continue(self(), Initialise.WORK, "mill;root;/new"));
    shards.run();
    refused(PRIV_TAKEN, "s1", "sched_priv=/new/sched_priv");
    set("s1", "sched_priv=/home/m/sched_priv");
    int changes = shards.facts(0, ChangeOpened.class).size();
    shards.send(CommandFamily.SHARD, 0, new Continue(self(), Initialise.WORK, "mill;root;/new"));
    shards.run();
    assertEquals(changes, shards.facts(0, ChangeOpened.class).size());
  }

  /** What OpenPBS prints of a scheduler object with everything set. */
  @Test
  void eachAttributeOfARecordedSchedulerIsTaken() {
    set(
        "s1",
        "sched_cycle_length=00:20:00",
        "do_not_span_psets=True",
        "only_explicit_psets=True",
        "sched_preempt_enforce_resumption=True",
        "preempt_targets_enable=True",
        "job_sort_formula_threshold=2",
        "throughput_mode=False",
        "job_run_wait=execjob_hook",
        "opt_backfill_fuzzy=high",
        "sched_priv=/var/spool/pbs/sched_priv_multi_sched_1",
        "sched_log=/var/spool/pbs/sched_logs_multi_sched_1",
        "sched_user=pbsu1",
        "preempt_prio=express_queue, normal_jobs, fairshare",
        "preempt_order=SC 80 S",
        "server_dyn_res_alarm=10",
        "attr_update_period=10");
    assertEquals("high", get("s1", "opt_backfill_fuzzy"));
    assertEquals("express_queue, normal_jobs, fairshare", get("s1", "preempt_prio"));
    set("s1", "opt_backfill_fuzzy=MEDIUM", "job_run_wait=RunJob_Hook");
    assertEquals("MEDIUM RunJob_Hook", get("s1", "opt_backfill_fuzzy") + " " + get("s1", RUN_WAIT));
    set("s1", "opt_backfill_fuzzy=600");
    set("s1", "sched_cycle_length=1234");
    assertEquals("00:20:34", get("s1", "sched_cycle_length"));
    String illegal = "15014 Illegal attribute or resource value";
    for (String pair :
        List.of(
            "sched_cycle_length=xx",
            "job_run_wait=bogus",
            "opt_backfill_fuzzy=bogus",
            "opt_backfill_fuzzy=-60",
            "attr_update_period=-1")) {
      refused(illegal, "s1", pair);
    }
  }

  @Test
  void throughputModeIsAnotherWordForJobRunWait() {
    set("s1", "throughput_mode=false");
    assertEquals("execjob_hook", get("s1", "job_run_wait"));
    assertNull(get("s1", "throughput_mode"), "kept in one place");
    set("s1", "job_run_wait=none");
    assertEquals("none", get("s1", "job_run_wait"));
    shards.must(ChangeOperation.UNSET, ObjectKind.SCHEDULER, "s1", "throughput_mode");
    assertNull(get("s1", "job_run_wait"), "the usual value, which is not kept");
  }
}
