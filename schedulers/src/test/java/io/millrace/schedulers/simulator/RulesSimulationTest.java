package io.millrace.schedulers.simulator;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import io.millrace.schemas.common.Attribute;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Conserved jobs, capacity, kept promises and repeatability, on made-up and archived traces. */
class RulesSimulationTest {

  private static final int HISTORIES = Integer.getInteger("millrace.simulator.histories", 300);

  @Test
  void everyPolicyKeepsTheRulesOnSmallTraces() {
    for (String policy : SimulatedPolicy.names()) {
      for (long seed = 1; seed <= HISTORIES; seed++) {
        ScheduleRules.checked(Traces.made(seed, 10 + (int) (seed % 80)), policy);
      }
    }
  }

  @Test
  void conservativeBackfillingDelaysNobodyOnAnArchivedTrace() throws IOException {
    Optional<Workload> workload = Traces.archived("KTH-SP2-1996-2.1-cln");
    if (workload.isPresent()) {
      Schedule schedule = ScheduleRules.checked(workload.get(), "conservative");
      Schedule expected = ReferenceReplay.run(workload.get(), ReferenceReplay.Rule.CONSERVATIVE);
      assertArrayEquals(expected.startS(), schedule.startS());
    }
  }

  @Test
  void theSameTraceGivesTheSameSchedule() {
    for (String policy : SimulatedPolicy.names()) {
      Workload workload = Traces.made(77, 300);
      Schedule first = ScheduleRules.checked(workload, policy);
      assertArrayEquals(first.startS(), ScheduleRules.checked(workload, policy).startS());
    }
  }

  @Test
  void attributesOfASchedulerObjectArePoliciesToo() {
    SimulatedPolicy strict =
        new SimulatedPolicy(
            "file",
            List.of(
                new Attribute("strict_ordering", "True"), new Attribute("backfill_depth", "0")));
    Workload workload = Traces.made(5, 200);
    Schedule schedule = Simulation.run(workload, strict, (submitted, jobs) -> {});
    assertArrayEquals(ScheduleRules.checked(workload, "fifo").startS(), schedule.startS());
  }
}
