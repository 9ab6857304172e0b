package io.millrace.schedulers.simulator;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.Seeds;
import io.millrace.schemas.common.Attribute;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Conserved jobs, capacity, kept promises and repeatability, on made-up and archived traces. */
class RulesSimulationTest {

  private static final int HISTORIES =
      Integer.getInteger("millrace.simulator.histories", Seeds.NIGHT ? 300 : 60);

  /** The policies of the cycle; the Grid Engine policy makes all plans again in each run. */
  private static List<String> ofTheCycle() {
    return SimulatedPolicy.names().stream()
        .filter(it -> SimulatedPolicy.named(it).orElseThrow().gridEngine().isEmpty())
        .toList();
  }

  @Test
  void everyPolicyKeepsTheRulesOnSmallTraces() {
    for (String policy : ofTheCycle()) {
      for (long seed = 1; seed <= HISTORIES; seed++) {
        ScheduleRules.checked(Traces.made(seed, 10 + (int) (seed % 80)), policy);
      }
    }
  }

  @Test
  @Tag("night")
  void conservativeBackfillingDelaysNobodyOnAnArchivedTrace() throws IOException {
    Workload workload = Traces.archived(Traces.SMALLEST);
    Schedule schedule = ScheduleRules.checked(workload, "conservative");
    Schedule expected = ReferenceReplay.run(workload, ReferenceReplay.Rule.CONSERVATIVE);
    assertArrayEquals(expected.startS(), schedule.startS());
  }

  @Test
  void theSameTraceGivesTheSameSchedule() {
    for (String policy : ofTheCycle()) {
      Workload workload = Traces.made(77, 300);
      Schedule first = ScheduleRules.checked(workload, policy);
      assertArrayEquals(first.startS(), ScheduleRules.checked(workload, policy).startS());
    }
  }

  @Test
  void strictOrderingPromisesAsManyJobsAsItsDepthSays() {
    int deeper = 0;
    int passed = 0;
    for (long seed = 1; seed <= 20; seed++) {
      Workload workload = Traces.made(seed, 100);
      long[] fifo = ScheduleRules.checked(workload, "fifo").startS();
      long[] one = ScheduleRules.checked(workload, "strict").startS();
      long[] three = ScheduleRules.checked(workload, "strict:3").startS();
      assertArrayEquals(fifo, ScheduleRules.checked(workload, "strict:0").startS());
      assertArrayEquals(one, ScheduleRules.checked(workload, "Strict_Ordering:1").startS());
      assertArrayEquals(
          ScheduleRules.checked(workload, "conservative").startS(),
          ScheduleRules.checked(workload, "strict-ordering:100").startS());
      passed += Arrays.equals(fifo, one) ? 0 : 1;
      deeper += Arrays.equals(one, three) ? 0 : 1;
    }
    assertTrue(passed > 0, "nobody ever passed a job");
    assertTrue(deeper > 0, "a deeper promise never made a difference");
    assertTrue(SimulatedPolicy.named("strict:x").isEmpty());
    assertTrue(SimulatedPolicy.names().contains("strict"));
  }

  @Test
  void attributesOfASchedulerObjectArePoliciesToo() {
    SimulatedPolicy strict =
        SimulatedPolicy.of(
            "file",
            List.of(
                new Attribute("strict_ordering", "True"), new Attribute("backfill_depth", "0")));
    Workload workload = Traces.made(5, 200);
    Schedule schedule = Simulation.run(workload, strict, (submitted, jobs) -> {});
    assertArrayEquals(ScheduleRules.checked(workload, "fifo").startS(), schedule.startS());
  }
}
