package io.millrace.schedulers.core.cycle;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.reservations.timeline.UsageProfile;
import io.millrace.schedulers.core.state.job.RunEnds;
import io.millrace.schemas.common.Allocation;
import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.fact.RunSuspended;
import io.millrace.schemas.state.Holding;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.Node;
import io.millrace.schemas.state.Suspension;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A run that begins late before a reservation. Two nodes of 8 processors, of which the first run
 * has one; all of them are reserved from second 300 on. The run was granted for 100 seconds, and
 * began after 250.
 */
class LateStartedRunTest extends ReservationCycleFixture {
  private static final long RUN = 7;
  private static final List<NodeShare> SHARES =
      List.of(new NodeShare("n1", "h1", 1, Map.of("ncpus", 8L)));

  @BeforeEach
  void begunLate() {
    reserve(1, 300, 400, "select=2:ncpus=8");
    submit(RUN, "workq", "ncpus=8,walltime=100");
    assertEquals("7:n1*1", cycle());
    now = NOW.plusSeconds(250);
    state.facts().shortened(RUN, at(250), 50);
  }

  private long endMs() {
    return state.books().holdings().endMs(RUN);
  }

  @Test
  void itEndsWhenTheReservationBegins() {
    assertEquals(at(300), endMs());
    ask(2, 260, 290, "select=2:ncpus=8");
    assertEquals(
        "2:too little is free of runs and of other reservations throughout its time", decide());
    ask(3, 260, 290, "select=1:ncpus=8");
    assertEquals("3:n2*1", decide());
  }

  /**
   * A run that began late with nothing booked after it: who looks for room after it counts from its
   * start, as the shard does.
   */
  @Test
  void itsWalltimeCountsFromItsStart() {
    submit(8, "workq", "ncpus=8,walltime=100");
    now = NOW.plusSeconds(420);
    tell(SampleReservations.ended(of(1)));
    assertEquals("8:n2*1", cycle());
    state.facts().began(8, at(440));
    assertEquals(at(540), state.books().holdings().endMs(8));
    ask(2, 530, 600, "select=2:ncpus=8");
    assertEquals(
        "2:too little is free of runs and of other reservations throughout its time", decide());
    ask(3, 540, 600, "select=2:ncpus=8");
    assertEquals("3:n1*1+n2*1", decide());
  }

  @Test
  void forPreemptionItBeganWhenItDid() {
    assertEquals(at(250), state.books().preemption().runs().all().iterator().next().startMs());
  }

  @Test
  void anotherWalltimeTakesThePlaceOfTheLimit() {
    JobSpec spec = Records.job(RUN, "workq", 0, "ncpus=8,walltime=30").getSpec();
    state.facts().altered(RUN, spec, true);
    assertEquals(at(280), endMs());
  }

  @Test
  void theSameWalltimeAskedForAgainTakesItsPlaceToo() {
    JobSpec spec = Records.job(RUN, "workq", 0, "ncpus=8,walltime=100").getSpec();
    state.facts().altered(RUN, spec, true);
    assertEquals(at(350), endMs());
  }

  @Test
  void aSuspendedRunIsNotLimitedEither() {
    suspend();
    JobSpec spec = Records.job(RUN, "workq", 0, "ncpus=8,walltime=100").getSpec();
    state.facts().altered(RUN, spec, true);
    state.facts().resumed(RUN, at(270));
    assertEquals(at(350), endMs());
  }

  @Test
  void anAlterationOfSomethingElseLeavesIt() {
    JobSpec spec = Records.job(RUN, "workq", 5, "ncpus=8,walltime=100").getSpec();
    state.facts().altered(RUN, spec, false);
    assertEquals(at(300), endMs());
  }

  @Test
  void aRunThatIsResumedHasNoMoreThanItWasLeft() {
    suspend();
    state.facts().resumed(RUN, at(270));
    assertEquals(at(300), endMs());
  }

  private void suspend() {
    RunSuspended fact = new RunSuspended();
    fact.setRun(1);
    fact.setShares(SHARES);
    fact.setRanMs(20_000);
    fact.setSuspension(Suspension.RESUMABLE);
    state.facts().suspended(RUN, fact);
  }

  /** Suspended while its files were staged in, it has not run at all. */
  @Test
  void aRunThatGoesOnBeforeItBeginsCountsFromWhicheverIsLater() {
    submit(8, "workq", "ncpus=8,walltime=40");
    assertEquals("8:n2*1", cycle());
    RunSuspended fact = new RunSuspended();
    fact.setRun(1);
    fact.setShares(List.of(new NodeShare("n2", "h2", 1, Map.of("ncpus", 8L))));
    fact.setRanMs(0);
    fact.setSuspension(Suspension.RESUMABLE);
    state.facts().suspended(8, fact);
    state.facts().resumed(8, at(252));
    state.facts().began(8, at(251));
    assertEquals(at(292), state.books().holdings().endMs(8));
    state.facts().began(8, at(255));
    assertEquals(at(295), state.books().holdings().endMs(8));
  }

  /** As for the shard and for hosts. */
  @Test
  void aWalltimeOfNothingIsNone() {
    tell(SampleReservations.ended(of(1)));
    submit(8, "workq", "ncpus=8,walltime=0");
    assertEquals("8:n2*1", cycle());
    assertEquals(UsageProfile.FOREVER, state.books().holdings().endMs(8));
    Job job = Records.job(8, "workq", 0, "ncpus=8,walltime=0");
    job.setStartedMs(at(250));
    assertEquals(UsageProfile.FOREVER, RunEnds.endMs(job));
    ask(2, 300, 400, "select=1:ncpus=8");
    assertEquals("2:n1*1", decide());
  }

  @Test
  void aWalltimeThatComesWhileAStartIsProposedCountsFromTheGrant() {
    tell(SampleReservations.ended(of(1)));
    submit(8, "workq", "ncpus=8");
    CycleDecisions decisions = Cycle.run(state, now, 1_000_000);
    JobSpec spec = Records.job(8, "workq", 0, "ncpus=8,walltime=100").getSpec();
    state.facts().altered(8, spec, true);
    Allocation allocation = Records.allocation(decisions.starts().get(0).shares());
    state.facts().granted(8, allocation, at(260));
    assertEquals(at(360), state.books().holdings().endMs(8));
  }

  @Test
  void theNextRunLastsAsLongAsTheJobAsksFor() {
    state.facts().requeued(RUN);
    now = NOW.plusSeconds(500);
    tell(SampleReservations.ended(of(1)));
    assertEquals("7:n1*1", cycle());
    assertEquals(at(600), endMs());
  }

  @Test
  void theSameIsReadFromItsRecord() {
    SchedulerState fresh = new SchedulerState("default", 0, state.policy(), 1000);
    fresh.facts().written(Records.scheduler());
    fresh.facts().written(Records.queue("workq"));
    Job job = Records.job(RUN, "workq", 0, "ncpus=8,walltime=100");
    job.setStatus(JobStatus.RUNNING);
    job.setStartedMs(at(250));
    job.setBookedLimitS(50L);
    job.setAllocation(Records.allocation(SHARES));
    Node node = Records.node("n1", "h1", 8, 4 * GB);
    node.setHoldings(List.of(new Holding(RUN + ".vm", RUN, 1, Map.of("ncpus", 8L), 1, 0, false)));
    fresh.facts().node(node);
    fresh.facts().job(job);
    assertEquals(at(300), fresh.books().holdings().endMs(RUN));
  }
}
