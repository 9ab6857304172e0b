package io.millrace.server.core.job.array;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.command.AlterJob;
import io.millrace.schemas.command.ChangeOperation;
import io.millrace.schemas.command.NewJob;
import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.fact.JobQueued;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.output.StartRun;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.pbs.jobs.JobNumbers;
import io.millrace.schemas.state.Dependency;
import io.millrace.schemas.state.DependencyKind;
import io.millrace.schemas.state.IndexRange;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.WaitedJob;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.shard.Calls;
import io.millrace.server.core.state.Keys;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Arrays and their subjobs. */
class ArrayTest extends ArrayFixture {
  @Test
  void anArrayIsOneRecordAndAWindow() {
    assertEquals(
        0,
        shards
            .qmgr(ChangeOperation.SET, ObjectKind.SERVER, "server", "max_array_size=100000")
            .getCode());
    String array = array(1, 100_000, 1, 0);
    assertTrue(array.matches("\\d+\\[]\\.mill"), array);
    assertEquals(SubjobWindow.WAITING_MAX, state(array).getWaiting().size());
    assertEquals(List.of(new IndexRange(101, 100_000)), state(array).getLeft());
    Job third = shards.job(subjob(array, 3));
    assertEquals(JobStatus.QUEUED, third.getStatus());
    assertEquals("/o.3", third.getSpec().getOutputPath());
    assertNull(shards.job(subjob(array, 101)));
    String next = shards.submit(Calls.job("ann", "workq", 1));
    assertTrue(shards.job(next).getRank() > shards.job(array).getRank() + 100_000);
    assertEquals(Keys.jobNumber(array) + 1, Keys.jobNumber(next), "it took one number");
    assertTrue(most[0] <= Context.FACTS_MAX);
  }

  @Test
  void eachStartOpensTheNext() {
    String array = array(1, 200, 1, 0);
    StartRun order = start(subjob(array, 1));
    assertEquals(List.of(1), state(array).getBegun());
    assertEquals(SubjobWindow.WAITING_MAX, state(array).getWaiting().size());
    assertNotNull(shards.job(subjob(array, 101)));
    assertTrue(shards.job(array).getStartedMs() > 0);
    shards.finished(order, 0);
    assertEquals(1, state(array).getExpired());
    assertEquals(0, state(array).getFailed());
  }

  @Test
  void noMoreRunThanTheArrayAllows() {
    String array = array(1, 10, 2, 2);
    assertEquals(List.of(1, 3), state(array).getWaiting());
    StartRun first = start(subjob(array, 1));
    start(subjob(array, 3));
    assertNull(shards.job(subjob(array, 5)));
    shards.finished(first, 0);
    assertEquals(JobStatus.QUEUED, shards.status(subjob(array, 5)));
    assertNull(shards.job(subjob(array, 7)));
  }

  @Test
  void aSubjobThatIsRunAgainIsStillOpen() {
    String array = array(1, 2, 1, 0);
    StartRun order = start(subjob(array, 1));
    assertEquals(0, shards.code(0, Calls.rerun(shards.operator(), subjob(array, 1))));
    shards.finished(order, 271);
    assertEquals(List.of(2, 1), state(array).getWaiting());
    run(subjob(array, 1), 0);
    run(subjob(array, 2), 0);
    assertEquals(JobStatus.FINISHED, shards.status(array));
  }

  @Test
  void aHeldArrayOpensWhenItIsReleased() {
    NewJob wish = wish(1, 10, 3, 0);
    wish.setHolds("u");
    String array = shards.submit(wish);
    assertEquals(JobStatus.HELD, shards.status(array));
    assertEquals(List.of(), state(array).getWaiting());
    assertEquals(0, shards.code(0, Calls.release(shards.user("ann"), array, "u")));
    assertEquals(List.of(1, 4, 7, 10), state(array).getWaiting());
    assertEquals(0, shards.code(0, Calls.hold(shards.user("ann"), array, "u")));
    assertEquals(List.of(), state(array).getWaiting());
    assertEquals(List.of(new IndexRange(1, 10)), state(array).getLeft());
    assertNull(shards.job(subjob(array, 4)));
  }

  @Test
  void theTimeOfAnArrayOpensIt() {
    NewJob wish = wish(1, 2, 1, 0);
    wish.getSpec().setExecutionMs(shards.nowMs + 60_000);
    String array = shards.submit(wish);
    assertEquals(List.of(), state(array).getWaiting());
    shards.pass(61_000);
    assertEquals(List.of(1, 2), state(array).getWaiting());
    assertEquals(JobStatus.QUEUED, shards.status(subjob(array, 2)));
  }

  @Test
  void aHeldArrayGoesOnWhereItWas() {
    String array = array(1, 5, 1, 2);
    StartRun first = start(subjob(array, 1));
    assertEquals(0, shards.code(0, Calls.hold(shards.user("ann"), array, "u")));
    assertEquals(JobStatus.HELD, shards.status(array));
    assertEquals(0, shards.code(0, Calls.rerun(shards.operator(), subjob(array, 1))));
    shards.finished(first, 271);
    assertNull(shards.job(subjob(array, 1)), "held, it waits without a record");
    assertEquals(List.of(new IndexRange(1, 5)), state(array).getLeft());
    assertEquals(0, shards.code(0, Calls.release(shards.user("ann"), array, "u")));
    assertEquals(List.of(1, 2), state(array).getWaiting());
    assertEquals(first.getRun() + 1, start(subjob(array, 1)).getRun(), "a run has its number once");
    assertEquals(List.of(), state(array).getRan());
  }

  @Test
  void whatIsAlteredHoldsForAllThatHaveNotBegun() {
    String array = array(1, 5, 1, 2);
    start(subjob(array, 1));
    AlterJob alter =
        AlterJob.newBuilder()
            .setMeta(shards.user("ann"))
            .setJobId(array)
            .setName("x")
            .setMaxRunSubjobs(3)
            .build();
    assertEquals(0, shards.code(0, alter));
    assertEquals(List.of(2, 3), state(array).getWaiting());
    assertEquals("x", shards.job(subjob(array, 2)).getSpec().getName());
    assertNotEquals("x", shards.job(subjob(array, 1)).getSpec().getName());
  }

  /** As at its submission: what becomes of a subjob that is run again is always known. */
  @Test
  void anArrayIsAlwaysRerunnable() {
    String array = array(1, 2, 1, 0);
    AlterJob.Builder alter =
        AlterJob.newBuilder().setMeta(shards.user("ann")).setJobId(array).setRerunnable(false);
    assertEquals(PbsError.ILLEGAL_VALUE.code(), shards.code(0, alter.build()));
    assertTrue(shards.job(array).getSpec().getRerunnable());
    alter.setMeta(shards.user("ann")).setRerunnable(true);
    assertEquals(0, shards.code(0, alter.build()));
  }

  @Test
  void anArrayMovesBeforeItBegins() {
    String array = array(1, 300, 1, 0);
    assertEquals(0, shards.code(0, Calls.move(shards.user("ann"), array, "east")));
    int east = shards.where(array);
    assertNotEquals(0, east);
    assertEquals(List.of(new IndexRange(101, 300)), state(array).getLeft());
    assertEquals("east", shards.job(subjob(array, 7)).getSpec().getQueue());
    assertEquals(0, shards.code(0, Calls.delete(shards.user("ann"), subjob(array, 200), false)));
    assertEquals(0, shards.code(0, Calls.delete(shards.user("ann"), subjob(array, 7), false)));
    assertEquals(2, state(array).getExpired());
    assertEquals(0, shards.code(0, Calls.delete(shards.user("ann"), array, false)));
    assertEquals(JobStatus.FINISHED, shards.status(array));
  }

  @Test
  void anArrayThatRunsFollowsItsQueueWithItsLastRun() {
    String array = array(1, 4, 1, 0);
    StartRun first = start(subjob(array, 1));
    StartRun second = start(subjob(array, 2));
    shards.must(ChangeOperation.SET, ObjectKind.QUEUE, "workq", "partition=peast");
    assertEquals(0, shards.where(array));
    assertEquals(List.of(), state(array).getWaiting());
    shards.finished(first, 0);
    assertEquals(0, shards.where(array));
    assertEquals(0, shards.code(0, Calls.rerun(shards.operator(), subjob(array, 2))));
    shards.finished(second, 271);
    assertNotEquals(0, shards.where(array));
    assertEquals(List.of(2, 3, 4), state(array).getWaiting());
    assertEquals(1, shards.job(subjob(array, 2)).getRun());
    assertEquals(1, state(array).getExpired());
  }

  @Test
  void whatPbsRefusesIsRefused() {
    String array = array(1, 200, 1, 0);
    int invalid = PbsError.INVALID_REQUEST.code();
    int state = PbsError.BAD_STATE.code();
    for (int index : new int[] {1, 150}) {
      String one = subjob(array, index);
      AlterJob alter =
          AlterJob.newBuilder().setMeta(shards.user("ann")).setJobId(one).setName("x").build();
      assertEquals(invalid, shards.code(0, alter));
      assertEquals(invalid, shards.code(0, Calls.move(shards.user("ann"), one, "east")));
      assertEquals(invalid, shards.code(0, Calls.hold(shards.user("ann"), one, "u")));
      assertEquals(invalid, shards.code(0, Calls.release(shards.user("ann"), one, "u")));
      assertEquals(state, shards.code(0, Calls.rerun(shards.operator(), one)));
      assertEquals(state, shards.code(0, Calls.signal(shards.user("ann"), one, "USR1")));
    }
    start(subjob(array, 1));
    assertEquals(state, shards.code(0, Calls.move(shards.user("ann"), array, "east")));
    String plain = shards.submit(Calls.job("ann", "workq", 1));
    AlterJob most =
        AlterJob.newBuilder()
            .setMeta(shards.user("ann"))
            .setJobId(plain)
            .setMaxRunSubjobs(1)
            .build();
    assertEquals(PbsError.NOT_AN_ARRAY.code(), shards.code(0, most));
    assertEquals(
        PbsError.UNKNOWN_JOB.code(),
        shards.code(0, Calls.hold(shards.user("ann"), array.replace("[]", ""), "u")));
  }

  @Test
  void anArrayCountsAsItsSubjobs() {
    shards.must(ChangeOperation.SET, ObjectKind.QUEUE, "workq", "max_queued=[u:PBS_GENERIC=10]");
    assertEquals(PbsError.COUNT_LIMIT.code(), refused(wish(1, 11, 1, 0)));
    String array = array(1, 8, 1, 0);
    assertEquals(PbsError.COUNT_LIMIT.code(), refused(wish(1, 3, 1, 0)));
    run(subjob(array, 1), 0);
    array(1, 3, 1, 0);
  }

  @Test
  void sizesAreChecked() {
    assertEquals(PbsError.ARRAY_TOO_LARGE.code(), refused(wish(1, 10_001, 1, 0)));
    assertEquals(PbsError.ILLEGAL_VALUE.code(), refused(wish(5, 5, 1, 0)));
    NewJob wrong = wish(1, 10, 1, 0);
    wrong.getArray().setLeft(List.of(new IndexRange(1, 11)));
    assertEquals(PbsError.ILLEGAL_VALUE.code(), refused(wrong));
    shards.must(ChangeOperation.SET, ObjectKind.QUEUE, "workq", "max_array_size=5");
    assertEquals(PbsError.ARRAY_TOO_LARGE.code(), refused(wish(1, 6, 1, 0)));
    array(1, 10, 2, 0);
  }

  private int refused(NewJob wish) {
    return shards.ask(0, Calls.submit(shards.user("ann"), List.of(), wish)).getCode();
  }

  @Test
  void aWindowOfLargeRecordsIsFilledBitByBit() {
    NewJob wish = wish(1, 200, 1, 0);
    wish.getSpec().setVariables(List.of(new Attribute("LONG", "x".repeat(100_000))));
    int[] opened = {0};
    shards.observe(
        (shard, command, outcome, facts) ->
            opened[0] =
                Math.max(
                    opened[0], (int) facts.stream().filter(JobQueued.class::isInstance).count()));
    String array = shards.submit(wish);
    assertEquals(SubjobWindow.WAITING_MAX, state(array).getWaiting().size());
    assertTrue(opened[0] <= 3, opened[0] + " records of 100 kB in one decision");
  }

  @Test
  void anArrayGoesOnWhenItsQueueComesBack() {
    String array = array(1, 4, 1, 0);
    start(subjob(array, 1));
    shards.must(ChangeOperation.SET, ObjectKind.QUEUE, "workq", "partition=peast");
    assertEquals(List.of(), state(array).getWaiting());
    shards.must(ChangeOperation.UNSET, ObjectKind.QUEUE, "workq", "partition");
    assertEquals(0, shards.where(array));
    assertEquals(List.of(2, 3, 4), state(array).getWaiting());
  }

  @Test
  void whoWaitsForTheStartOfAnArrayWaitsForTheStartOfARun() {
    String array = array(1, 3, 1, 0);
    String early = shards.submit(after(array));
    StartRun order = start(subjob(array, 2));
    String late = shards.submit(after(array));
    assertEquals(JobStatus.HELD, shards.status(early), "granted is not started");
    assertEquals(JobStatus.HELD, shards.status(late));
    shards.started(order);
    assertEquals(JobStatus.QUEUED, shards.status(early));
    assertEquals(JobStatus.QUEUED, shards.status(late));
    assertEquals(JobStatus.QUEUED, shards.status(shards.submit(after(array))));
    shards.finished(order, 0);
    assertEquals(JobStatus.QUEUED, shards.status(shards.submit(after(array))));
  }

  private NewJob after(String array) {
    NewJob next = Calls.job("ann", "workq", 1);
    long number = Keys.jobNumber(array);
    int birth = shards.tables(0).blocks().get(Keys.block(number)).getShard();
    WaitedJob on = new WaitedJob(number, birth, true);
    next.setDepend(List.of(new Dependency(DependencyKind.AFTER, 0, List.of(on))));
    return next;
  }

  @Test
  void noArrayMayBeLargerThanThereAreIndices() {
    for (String wrong : List.of("max_array_size=10000000", "max_array_size=-1")) {
      Reply server = shards.qmgr(ChangeOperation.SET, ObjectKind.SERVER, "server", wrong);
      assertEquals(PbsError.ILLEGAL_VALUE.code(), server.getCode(), wrong);
      Reply queue = shards.qmgr(ChangeOperation.SET, ObjectKind.QUEUE, "workq", wrong);
      assertEquals(PbsError.ILLEGAL_VALUE.code(), queue.getCode(), wrong);
      assertTrue(server.getLines().get(0).contains("max_array_size: 0 to 9999999"));
    }
    allow(9_999_999);
  }

  @Test
  void numbersAndKeysOfSubjobsFollowTheirArray() {
    long subjob = JobNumbers.of("12[3].mill");
    assertEquals(12, JobNumbers.array(subjob));
    assertEquals(3, JobNumbers.index(subjob));
    assertEquals("12[3].mill", JobNumbers.id(subjob, "mill"));
    assertEquals(12, JobNumbers.of("12[].mill"));
    assertEquals(-1, JobNumbers.of("12[x].mill"));
    assertTrue(Keys.number(12).compareTo(Keys.number(subjob)) < 0);
    assertTrue(Keys.number(subjob).compareTo(Keys.number(13)) < 0);
    assertTrue(Keys.isSubjob(Keys.number(subjob)));
    String behind = Keys.behindSubjobs(Keys.number(subjob));
    assertTrue(Keys.number(JobNumbers.subjob(12, JobNumbers.INDEX_MAX)).compareTo(behind) < 0);
    assertTrue(behind.compareTo(Keys.number(13)) < 0);
    assertEquals(0, shards.facts(JobQueued.class).size());
  }
}
