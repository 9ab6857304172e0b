package io.millrace.schedulers.engine.accrue;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.schedulers.core.cycle.Records;
import io.millrace.schemas.common.Allocation;
import io.millrace.schemas.common.ClassReason;
import io.millrace.schemas.common.CommandId;
import io.millrace.schemas.common.FactMeta;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.fact.CycleRecorded;
import io.millrace.schemas.fact.EngineStarted;
import io.millrace.schemas.fact.JobAltered;
import io.millrace.schemas.fact.JobDeleted;
import io.millrace.schemas.fact.JobDepends;
import io.millrace.schemas.fact.JobHeld;
import io.millrace.schemas.fact.JobQueued;
import io.millrace.schemas.fact.JobReleased;
import io.millrace.schemas.fact.RunGranted;
import io.millrace.schemas.fact.RunRequeued;
import io.millrace.schemas.pbs.jobs.JobNumbers;
import io.millrace.schemas.pbs.reasons.EligibleTime;
import io.millrace.schemas.state.Accrual;
import io.millrace.schemas.state.AccrueType;
import io.millrace.schemas.state.Dependency;
import io.millrace.schemas.state.DependencyKind;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.LimitClock;
import io.millrace.schemas.state.Reason;
import java.util.List;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Eligible times by facts; the shard's own are tested where it keeps them. */
class EligibleTimesTest {

  private static final long COUNTED_SINCE_MS = 1_000;
  private static final String CODE = "UNDER_THRESHOLD";

  private final EligibleTimes times = new EligibleTimes("default", number -> "class");

  private static FactMeta at(long seconds) {
    return new FactMeta(1L, seconds * 1000, new CommandId(new byte[16]), "");
  }

  private void follow(SpecificRecord fact) {
    times.follow(fact, () -> {});
  }

  private void server(String shown) {
    times.written(
        Records.object(
            ObjectKind.SERVER,
            "server",
            EligibleTime.COUNTED_SINCE,
            Long.toString(COUNTED_SINCE_MS),
            EligibleTime.ENABLE,
            shown));
  }

  @BeforeEach
  void counts() {
    server("True");
  }

  private static Job job(long number) {
    return Records.job(number, number, Records.spec("workq", 0, Records.request("ncpus=1")));
  }

  private void queued(long number, long seconds) {
    follow(new JobQueued(at(seconds), job(number), List.of()));
  }

  private static ClassReason reason(String code) {
    return ClassReason.newBuilder()
        .setClassKey("class")
        .setCode(code)
        .setSubject("")
        .setNeeded(0)
        .setFree(0)
        .setTotal(0)
        .setSinceMs(0)
        .setUntilMs(0)
        .build();
  }

  private void reason(String code, long seconds) {
    List<ClassReason> reasons = List.of(reason(code));
    follow(new CycleRecorded(at(seconds), "default", 1L, 1L, 0L, false, reasons, List.of()));
  }

  private long seconds(long number, long atSeconds) {
    return times.seconds(number, atSeconds * 1000);
  }

  @Test
  void aJobThatWaitsForResourcesCountsItsSeconds() {
    queued(1, 10);
    assertEquals(0, seconds(1, 10));
    assertEquals(25, seconds(1, 35));
    assertEquals(8, seconds(7, 9), "one of before has waited since times are counted");
    server("False");
    assertEquals(0, seconds(1, 35));
    server("True");
    assertEquals(25, seconds(1, 35));
  }

  @Test
  void aHoldOfItsOwnerStopsThem() {
    queued(1, 10);
    follow(new JobHeld(at(20), "1.host", "u", "u", ""));
    assertEquals(10, seconds(1, 50));
    follow(new JobReleased(at(50), "1.host", "n", "u"));
    assertEquals(15, seconds(1, 55));
    follow(new JobHeld(at(60), "1.host", "o", "o", ""));
    assertEquals(30, seconds(1, 70), "an operator's does not");
    follow(new JobReleased(at(100), "2.host", "n", "u"));
    assertEquals(5, seconds(2, 105), "it was held since before times were counted");
    follow(new JobReleased(at(100), "3.host", "n", "o"));
    assertEquals(104, seconds(3, 105));
  }

  @Test
  void aJobThatWaitsForOthersIsNotEligible() {
    Job job = job(1);
    job.setHolds("s");
    job.setDepend(List.of(new Dependency(DependencyKind.ON, 1, List.of())));
    follow(new JobQueued(at(10), job, List.of()));
    assertEquals(0, seconds(1, 30));
    follow(new JobReleased(at(30), "1.host", "n", "s"));
    assertEquals(10, seconds(1, 40));
  }

  @Test
  void aJobMayBeToldLaterToWaitForOthers() {
    queued(1, 10);
    List<Dependency> others = List.of(new Dependency(DependencyKind.ON, 1, List.of()));
    follow(new JobDepends(at(20), "1.host", others));
    follow(new JobHeld(at(20), "1.host", "s", "s", ""));
    assertEquals(10, seconds(1, 50));
    follow(new JobDepends(at(60), "1.host", List.of()));
    follow(new JobReleased(at(60), "1.host", "n", "s"));
    assertEquals(15, seconds(1, 65));
  }

  @Test
  void aRunDoesNotCount() {
    queued(1, 10);
    Allocation allocation = new Allocation(List.of(), "", "", null);
    follow(new RunGranted(at(15), "1.host", 1, "default", 1L, allocation));
    assertEquals(5, seconds(1, 100));
    follow(new RunRequeued(at(100), "1.host", 1, 271, "rerun", null, -1L));
    assertEquals(9, seconds(1, 104));
    follow(new RunRequeued(at(100), "2.host", 1, 271, "rerun", null, -1L));
    assertEquals(4, seconds(2, 104), "it ran since before times were counted");
    follow(new JobDeleted(at(110), "1.host", 0, "", "", false));
    assertEquals(119, seconds(1, 120), "nothing is kept of it");
  }

  @Test
  void timeAtALimitDoesNotCount() {
    queued(1, 10);
    reason(CODE, 20);
    queued(2, 25);
    assertEquals(10, seconds(1, 40));
    assertEquals(0, seconds(2, 40));
    reason("INSUFFICIENT", 50);
    assertEquals(15, seconds(1, 55));
    assertEquals(5, seconds(2, 55));
    reason(CODE, 60);
    assertEquals(20, seconds(1, 90));
    follow(new EngineStarted(at(90), "default", 2L, true, false, "host"));
    assertEquals(20, seconds(1, 90), "the shard keeps reasons when an engine starts");
  }

  @Test
  void anOperatorSetsIt() {
    queued(1, 10);
    follow(new JobAltered(at(20), "1.host", job(1).getSpec(), "eligible_time", 3_600_000L));
    assertEquals(3_605, seconds(1, 25));
  }

  @Test
  void aSubjobHasWaitedForAsLongAsItsArray() {
    long array = JobNumbers.of("5[].host");
    queued(array, 10);
    queued(JobNumbers.subjob(array, 3), 40);
    assertEquals(35, seconds(JobNumbers.subjob(array, 3), 45));
  }

  @Test
  void jobsOfASnapshotGoOn() {
    Job counted = job(1);
    counted.setAccrual(new Accrual(AccrueType.ELIGIBLE, 100_000L, 7_000L, 0L));
    times.job(counted);
    assertEquals(17, seconds(1, 110));
    Job fresh = job(2);
    fresh.setCreatedMs(50_000);
    times.job(fresh);
    assertEquals(10, seconds(2, 60));
    Job held = job(3);
    held.setHolds("u");
    held.setAccrual(new Accrual(AccrueType.INELIGIBLE, 100_000L, 7_000L, 0L));
    times.job(held);
    assertEquals(7, seconds(3, 110));
  }

  @Test
  void soDoReasonsOfASnapshot() {
    times.reason(new Reason("other", reason(CODE), new LimitClock(20_000L, 20_000L, 0L)));
    Job waits = job(1);
    waits.setAccrual(new Accrual(AccrueType.ELIGIBLE, 10_000L, 0L, 0L));
    times.job(waits);
    assertEquals(20, seconds(1, 30));
    times.reason(new Reason("default", reason(CODE), new LimitClock(20_000L, 20_000L, 0L)));
    assertEquals(10, seconds(1, 30), "it has been at a limit since second 20");
    reason("INSUFFICIENT", 40);
    assertEquals(15, seconds(1, 45));
  }
}
