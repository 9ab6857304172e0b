package io.millrace.server.core.job.accrue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.millrace.schemas.command.AlterJob;
import io.millrace.schemas.command.ChangeOperation;
import io.millrace.schemas.command.NewJob;
import io.millrace.schemas.command.RecordCycle;
import io.millrace.schemas.common.ClassReason;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.fact.ArrayEnded;
import io.millrace.schemas.fact.RunFinished;
import io.millrace.schemas.fact.RunRequeued;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.output.StartRun;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.pbs.reasons.EligibleTime;
import io.millrace.schemas.state.AccrueType;
import io.millrace.schemas.state.ArrayState;
import io.millrace.schemas.state.Dependency;
import io.millrace.schemas.state.DependencyKind;
import io.millrace.schemas.state.IndexRange;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.Reason;
import io.millrace.schemas.state.WaitedJob;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.shard.Calls;
import io.millrace.server.core.shard.TestShards;
import io.millrace.server.core.state.Keys;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What of a job's time counts as waiting for resources. */
class AccrualsTest {
  private static final long MINUTE = 60_000;
  private static final String LIMIT = "max_run [u:PBS_GENERIC=1] of server";

  private final TestShards shards = TestShards.threePartitions();

  private void enable(String value) {
    shards.must(ChangeOperation.SET, ObjectKind.SERVER, "server", "eligible_time_enable=" + value);
  }

  private EligibleTime.ShownEligibleTime now(String id) {
    Job job = shards.job(id);
    Reason reason =
        shards.tables(0).reasons().get(Keys.reason("default", EligibleTime.classKey(job)));
    long sinceMs =
        Long.parseLong(
            Context.attribute(
                shards.tables(0).objects().get(Keys.object(ObjectKind.SERVER, Keys.SERVER)),
                EligibleTime.COUNTED_SINCE,
                "-1"));
    return EligibleTime.at(job, reason, sinceMs, shards.nowMs);
  }

  /** Type and whole minutes: each step of the shards takes some milliseconds. */
  private void counts(String job, AccrueType type, long minutes) {
    EligibleTime.ShownEligibleTime shown = now(job);
    assertEquals(type, shown.type());
    assertEquals(minutes, Math.round(shown.eligibleMs() / (double) MINUTE));
  }

  private void says(String job, String code, String subject) {
    ClassReason reason =
        ClassReason.newBuilder()
            .setClassKey(EligibleTime.classKey(shards.job(job)))
            .setCode(code)
            .setSubject(subject)
            .build();
    record(List.of(reason), List.of());
  }

  private void record(List<ClassReason> reasons, List<String> cleared) {
    RecordCycle cycle =
        RecordCycle.newBuilder()
            .setMeta(shards.engine("default"))
            .setScheduler("default")
            .setEpoch(shards.epoch("default"))
            .setCycle(1)
            .setWorkUnits(1)
            .setWorkLimitHit(false)
            .setReasons(reasons)
            .setCleared(cleared)
            .build();
    assertEquals(0, shards.code(0, cycle));
  }

  private String submit() {
    return shards.submit(Calls.job("ann", "workq", 1));
  }

  @Test
  void nothingIsWrittenBeforeSomebodyAsks() {
    String job = submit();
    says(job, "RUN_LIMIT", LIMIT);
    assertNull(shards.job(job).getAccrual());
    assertNull(
        shards
            .tables(0)
            .reasons()
            .get(Keys.reason("default", EligibleTime.classKey(shards.job(job))))
            .getLimits());
  }

  @Test
  void waitingForResourcesCountsAndRunningDoesNot() {
    enable("True");
    String job = submit();
    shards.pass(2 * MINUTE);
    says(job, "NODE_INSUFFICIENT", "ncpus");
    shards.pass(3 * MINUTE);
    counts(job, AccrueType.ELIGIBLE, 5);
    assertEquals(0, shards.grant(job, "default", "n0", 1).getCode());
    shards.pass(7 * MINUTE);
    counts(job, AccrueType.RUN, 5);
    shards.finished(shards.lastStart(), 0);
    shards.pass(MINUTE);
    counts(job, AccrueType.EXIT, 5);
    assertEquals(5, Math.round(shards.facts(RunFinished.class).get(0).getEligibleMs() / 60e3));
  }

  @Test
  void whatSomebodySwitchesOnCountsFromThenOn() {
    String waiting = submit();
    shards.pass(10 * MINUTE);
    enable("True");
    shards.pass(2 * MINUTE);
    counts(waiting, AccrueType.ELIGIBLE, 2);
    assertNull(shards.job(waiting).getAccrual(), "nothing was written about those who wait");
    enable("False");
    StartRun run = shards.running("bob");
    shards.finished(run, 0);
    assertEquals(-1, shards.facts(RunFinished.class).get(0).getEligibleMs());
    enable("True");
    counts(waiting, AccrueType.ELIGIBLE, 2);
  }

  @Test
  void holdsOfItsOwnerAndItsTimeDoNotCountAndThoseOfOperatorsDo() {
    enable("True");
    String job = submit();
    shards.pass(MINUTE);
    shards.ask(0, Calls.hold(shards.user("ann"), job, "u"));
    shards.pass(5 * MINUTE);
    counts(job, AccrueType.INELIGIBLE, 1);
    shards.ask(0, Calls.hold(shards.operator(), job, "o"));
    shards.ask(0, Calls.release(shards.user("ann"), job, "u"));
    shards.pass(3 * MINUTE);
    counts(job, AccrueType.ELIGIBLE, 4);
    NewJob later = Calls.job("ann", "workq", 1);
    later.getSpec().setExecutionMs(shards.nowMs + 10 * MINUTE);
    String waits = shards.submit(later);
    shards.pass(9 * MINUTE);
    counts(waits, AccrueType.INELIGIBLE, 0);
    shards.pass(MINUTE);
    shards.pass(3 * MINUTE);
    counts(waits, AccrueType.ELIGIBLE, 3);
  }

  @Test
  void waitingForAnotherJobDoesNotCount() {
    enable("True");
    StartRun first = shards.running("ann");
    long number = Keys.jobNumber(first.getJobId());
    NewJob second = Calls.job("ann", "workq", 1);
    second.setDepend(
        List.of(
            new Dependency(DependencyKind.AFTERANY, 0, List.of(new WaitedJob(number, 0, false)))));
    String waits = shards.submit(second);
    shards.pass(5 * MINUTE);
    counts(waits, AccrueType.INELIGIBLE, 0);
    shards.finished(first, 0);
    shards.pass(2 * MINUTE);
    counts(waits, AccrueType.ELIGIBLE, 2);
  }

  /** Said once for a class, and not written into the records of its jobs. */
  @Test
  void waitingAtALimitOfItsOwnerDoesNotCount() {
    enable("True");
    String early = submit();
    shards.pass(4 * MINUTE);
    says(early, "RUN_LIMIT", LIMIT);
    Job written = shards.job(early);
    shards.pass(10 * MINUTE);
    String late = submit();
    shards.pass(10 * MINUTE);
    counts(early, AccrueType.INELIGIBLE, 4);
    counts(late, AccrueType.INELIGIBLE, 0);
    says(early, "NODE_INSUFFICIENT", "ncpus");
    shards.pass(3 * MINUTE);
    counts(early, AccrueType.ELIGIBLE, 7);
    counts(late, AccrueType.ELIGIBLE, 3);
    says(early, "RESOURCE_LIMIT", "max_run_res.ncpus [u:ann=1] of queue workq");
    shards.pass(10 * MINUTE);
    counts(early, AccrueType.INELIGIBLE, 7);
    assertEquals(written, shards.job(early));
    assertEquals(0, shards.grant(early, "default", "n0", 1).getCode());
    counts(early, AccrueType.RUN, 7);
    assertEquals(7, Math.round(shards.job(early).getAccrual().getEligibleMs() / 60e3));
  }

  @Test
  void aClassThatIsForgottenAndComesAgainBeginsAnew() {
    enable("True");
    String job = submit();
    says(job, "RUN_LIMIT", LIMIT);
    shards.pass(10 * MINUTE);
    record(List.of(), List.of(EligibleTime.classKey(shards.job(job))));
    String next = submit();
    shards.pass(MINUTE);
    says(next, "RUN_LIMIT", LIMIT);
    shards.pass(5 * MINUTE);
    counts(next, AccrueType.INELIGIBLE, 1);
  }

  @Test
  void limitsOfAllTogetherCount() {
    enable("True");
    String job = submit();
    says(job, "RUN_LIMIT", "max_run [o:PBS_ALL=1] of server");
    shards.pass(3 * MINUTE);
    counts(job, AccrueType.ELIGIBLE, 3);
    says(job, "RESOURCE_LIMIT", "resources_available.ncpus [o:PBS_ALL=1] of server");
    shards.pass(3 * MINUTE);
    counts(job, AccrueType.ELIGIBLE, 6);
  }

  @Test
  void aJobThatRunsAgainKeepsWhatItHas() {
    enable("True");
    String job = submit();
    shards.pass(4 * MINUTE);
    assertEquals(0, shards.grant(job, "default", "n0", 1).getCode());
    shards.started(shards.lastStart());
    shards.pass(10 * MINUTE);
    shards.ask(0, Calls.rerun(shards.operator(), job));
    shards.finished(shards.lastStart(), 271);
    assertEquals(4, Math.round(shards.facts(RunRequeued.class).get(0).getEligibleMs() / 60e3));
    shards.pass(2 * MINUTE);
    counts(job, AccrueType.ELIGIBLE, 6);
  }

  @Test
  void whatAJobHasGoesWithItToAnotherShard() {
    enable("True");
    String job = submit();
    shards.pass(4 * MINUTE);
    assertEquals(0, shards.code(0, Calls.move(shards.user("ann"), job, "east")));
    shards.pass(3 * MINUTE);
    counts(job, AccrueType.ELIGIBLE, 7);
  }

  private String array(int last, int most, long eligibleMs) {
    CommandMeta operator = shards.operator();
    NewJob wish = Calls.job(operator.getPrincipal(), "workq", 1);
    wish.setEligibleMs(eligibleMs);
    ArrayState state = new ArrayState();
    state.setFirst(1);
    state.setLast(last);
    state.setStep(1);
    state.setMost(most);
    state.setLeft(List.of(new IndexRange(1, last)));
    state.setWaiting(List.of());
    state.setBegun(List.of());
    state.setRan(List.of());
    wish.setArray(state);
    // Only operators say for how long a job has waited.
    Reply reply = shards.ask(0, Calls.submit(operator, List.of(), wish));
    assertEquals(0, reply.getCode(), reply.toString());
    return reply.getLines().get(0);
  }

  @Test
  void anArrayAllOfWhoseSubjobsHaveBegunWaitsForNothing() {
    enable("True");
    String array = array(2, 0, 0);
    String first = array.replace("[]", "[1]");
    shards.pass(2 * MINUTE);
    assertEquals(0, shards.grant(first, "default", "n0", 1).getCode());
    counts(first, AccrueType.RUN, 2);
    StartRun run = shards.lastStart();
    shards.pass(2 * MINUTE);
    counts(array, AccrueType.ELIGIBLE, 4);
    assertEquals(0, shards.grant(array.replace("[]", "[2]"), "default", "n0", 1).getCode());
    shards.pass(2 * MINUTE);
    counts(array, AccrueType.INELIGIBLE, 4);
    counts(array.replace("[]", "[2]"), AccrueType.RUN, 4);
    shards.finished(shards.lastStart(), 0);
    shards.finished(run, 0);
    long waitedMs = shards.facts(ArrayEnded.class).get(0).getEligibleMs();
    assertEquals(4, Math.round(waitedMs / (double) MINUTE));
  }

  @Test
  void aSubjobThatGetsItsRecordLateHasWaitedAsLongAsItsArray() {
    enable("True");
    String array = array(3, 1, 0);
    String first = array.replace("[]", "[1]");
    shards.pass(120 * MINUTE);
    assertEquals(0, shards.grant(first, "default", "n0", 1).getCode());
    shards.finished(shards.lastStart(), 0);
    counts(array.replace("[]", "[2]"), AccrueType.ELIGIBLE, 120);
  }

  @Test
  void subjobsThatAreMadeAnewHaveWaitedAsLongAsTheirArray() {
    enable("True");
    String array = array(3, 0, 10 * MINUTE);
    String first = array.replace("[]", "[1]");
    counts(first, AccrueType.ELIGIBLE, 10);
    shards.pass(120 * MINUTE);
    assertEquals(0, shards.code(0, Calls.hold(shards.operator(), array, "u")));
    assertEquals(0, shards.code(0, Calls.release(shards.operator(), array, "u")));
    counts(first, AccrueType.ELIGIBLE, 130);
  }

  private int alter(CommandMeta by, String job, long eligibleMs) {
    return shards.code(
        0, AlterJob.newBuilder().setMeta(by).setJobId(job).setEligibleMs(eligibleMs).build());
  }

  @Test
  void operatorsSetIt() {
    String job = submit();
    int off = alter(shards.operator(), job, MINUTE);
    assertEquals(PbsError.ELIGIBLE_TIME_OFF.code(), off);
    enable("True");
    int refused = alter(shards.user("ann"), job, MINUTE);
    assertEquals(PbsError.READ_ONLY_ATTRIBUTE.code(), refused);
    shards.pass(5 * MINUTE);
    assertEquals(0, alter(shards.operator(), job, 60 * MINUTE));
    shards.pass(2 * MINUTE);
    counts(job, AccrueType.ELIGIBLE, 62);
    says(job, "RUN_LIMIT", LIMIT);
    shards.pass(5 * MINUTE);
    assertEquals(0, alter(shards.operator(), job, MINUTE));
    shards.pass(5 * MINUTE);
    counts(job, AccrueType.INELIGIBLE, 1);
  }

  @Test
  void operatorsSubmitWithIt() {
    enable("True");
    NewJob wish = Calls.job("ann", "workq", 1);
    wish.setEligibleMs(30 * MINUTE);
    int refused = shards.code(0, Calls.submit(shards.user("ann"), List.of(), wish));
    assertEquals(PbsError.READ_ONLY_ATTRIBUTE.code(), refused);
    CommandMeta manager = shards.manager();
    wish.getSpec().setOwner(TestShards.ROOT);
    shards.ask(0, Calls.submit(manager, List.of(), wish));
    String job = shards.answer(manager).getLines().get(0);
    shards.pass(MINUTE);
    counts(job, AccrueType.ELIGIBLE, 31);
  }
}
