package io.millrace.schedulers.simulator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schedulers.simulator.BestEffortTrial.TrialResult;
import io.millrace.schemas.Seeds;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Runs of a trace's jobs start at the same second whether all that they leave is full of best
 * effort or not; by day a part of each trace, by night all of it.
 */
class BestEffortSimulationTest {

  /** By day; the larger machine has a trace whose jobs last for days. */
  private static final int JOBS_OF_SMALLEST = 700;

  private static final int JOBS_OF_OTHERS = 250;

  @ParameterizedTest
  @CsvSource({
    "KTH-SP2-1996-2.1-cln, easy",
    "KTH-SP2-1996-2.1-cln, conservative",
    "KTH-SP2-1996-2.1-cln, strict",
    "KTH-SP2-1996-2.1-cln, preemption",
    "SDSC-BLUE-2000-4.2-cln, easy",
    "SDSC-BLUE-2000-4.2-cln, conservative",
    "SDSC-BLUE-2000-4.2-cln, strict",
    "SDSC-BLUE-2000-4.2-cln, preemption"
  })
  void runsStartAtTheSameSecond(String trace, String policy) throws IOException {
    Workload all = Traces.archived(trace);
    int byDay = trace.equals(Traces.SMALLEST) ? JOBS_OF_SMALLEST : JOBS_OF_OTHERS;
    int most = Seeds.NIGHT ? Integer.MAX_VALUE : byDay;
    List<TraceJob> jobs = all.jobs().subList(0, Math.min(most, all.jobs().size()));
    Workload part = new Workload(all.processors(), all.startEpochS(), jobs, all.findings());
    TrialResult without = BestEffortTrial.without(part, policy);
    TrialResult with = BestEffortTrial.with(part, policy, Seeds.TODAY);
    assertEquals(without.starts(), with.starts());
    assertEquals(0, with.differences(without));
    assertTrue(with.gaveWay() > 20, "best-effort runs gave way: " + with.gaveWay());
    if (policy.equals(BestEffortTrial.PREEMPTION)) {
      assertTrue(without.starts().size() > jobs.size(), "some were preempted by others too");
    }
  }

  @Test
  void aStartAtAnotherSecondIsADifference() {
    TrialResult one = new TrialResult(List.of("1 7", "2 8", "5 9"), 0);
    TrialResult other = new TrialResult(List.of("1 7", "3 8", "5 9"), 0);
    assertEquals(2, one.differences(other), "the one and the other");
    assertEquals(1, one.differences(new TrialResult(List.of("1 7", "2 8"), 0)));
  }
}
