package io.millrace.schedulers.simulator;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schedulers.gridengine.language.options.OptionValues;
import io.millrace.schedulers.gridengine.language.options.SchedulerOptions;
import io.millrace.schemas.Seeds;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A trace under the Grid Engine dialect. */
class GridEngineSimulationTest {

  private static final int HISTORIES =
      Integer.getInteger("millrace.simulator.histories", Seeds.NIGHT ? 300 : 60) / 6;

  private static OptionValues settings(String... lines) {
    return SchedulerOptions.TABLE.parse("sched", String.join("\n", lines));
  }

  private static Schedule run(Workload workload, OptionValues settings, boolean everyRun) {
    return GridEngineSimulation.run(workload, settings, everyRun, (submitted, jobs) -> {});
  }

  private static long[] starts(Workload workload, String... lines) {
    // A text has at least one line; without lines the defaults are used.
    OptionValues settings = lines.length == 0 ? settings("max_reservation 0") : settings(lines);
    return run(workload, settings, false).startS();
  }

  /** Jobs on 4 processors: submission, run time, processors and estimate of each. */
  private static Workload four(long[]... jobs) {
    List<TraceJob> all = new ArrayList<>();
    for (long[] job : jobs) {
      long user = job.length > 4 ? job[4] : -1;
      Trace.TraceSubmitter whose = new Trace.TraceSubmitter(user, -1, -1);
      all.add(new TraceJob(all.size() + 1, job[0], job[1], (int) job[2], job[3], whose));
    }
    return new Workload(4, 1_000_000, all, new TraceFindings());
  }

  @Test
  void runsThatAreLeftOutWouldHaveChangedNothing() {
    List<OptionValues> all =
        List.of(
            GridEngineSimulation.usual(),
            settings("schedule_interval 1", "max_reservation 3", "params DURATION_OFFSET=0"),
            settings("schedule_interval 7", "flush_submit_sec 1", "flush_finish_sec 3"),
            settings("max_reservation 5", "weight_waiting_time 1", "flush_finish_sec 1"));
    int differ = 0;
    for (long seed = 1; seed <= HISTORIES; seed++) {
      Workload workload = Traces.made(seed, 10 + (int) (seed % 80));
      List<long[]> starts = new ArrayList<>();
      for (OptionValues settings : all) {
        Schedule schedule = run(workload, settings, false);
        ScheduleRules.judge(schedule);
        assertArrayEquals(
            run(workload, settings, true).startS(), schedule.startS(), "seed " + seed);
        starts.add(schedule.startS());
      }
      differ += Arrays.equals(starts.get(0), starts.get(3)) ? 0 : 1;
    }
    assertTrue(differ > 0, "the settings never made a difference");
  }

  @Test
  void aReservationHoldsSlotsForALargeJob() {
    Workload workload =
        four(
            new long[] {0, 100, 2, 100},
            new long[] {1, 50, 4, 50},
            new long[] {2, 300, 1, 300},
            new long[] {3, 30, 1, 30});
    // Job 2 is promised 160, the end of job 1 and 60 s more: job 4 fits before, job 3 does not.
    assertArrayEquals(new long[] {0, 105, 165, 15}, starts(workload, "max_reservation 1"));
    // With nothing promised job 3 starts at once, and job 2 when it has ended.
    assertArrayEquals(new long[] {0, 315, 15, 15}, starts(workload, "max_reservation 0"));
    // The offset of 60 s makes job 4 end too late for a promise at 115.
    assertArrayEquals(
        new long[] {0, 100, 150, 3},
        starts(workload, "max_reservation 1", "schedule_interval 1", "params DURATION_OFFSET=0"));
  }

  @Test
  void largeJobsGoFirstAsTheirSlotsAreUrgent() {
    Workload workload =
        four(new long[] {0, 20, 4, 20}, new long[] {1, 20, 2, 20}, new long[] {2, 20, 3, 20});
    assertArrayEquals(new long[] {0, 60, 30}, starts(workload, "max_reservation 20"));
    assertArrayEquals(
        new long[] {0, 30, 60}, starts(workload, "max_reservation 20", "weight_urgency 0"));
  }

  @Test
  void extraRunsComeSoLongAfterASubmissionOrAnEnd() {
    Workload workload = four(new long[] {1, 21, 4, 40}, new long[] {2, 20, 4, 40});
    assertArrayEquals(new long[] {15, 45}, starts(workload));
    assertArrayEquals(new long[] {3, 30}, starts(workload, "flush_submit_sec 2"));
    assertArrayEquals(
        new long[] {3, 25}, starts(workload, "flush_submit_sec 2", "flush_finish_sec 1"));
  }

  @Test
  void jobsOfOneUserCanBeLimited() {
    Workload workload =
        four(
            new long[] {0, 20, 1, 20, 7},
            new long[] {0, 20, 1, 20, 7},
            new long[] {0, 20, 1, 20, 8},
            new long[] {0, 20, 1, 20},
            new long[] {0, 20, 1, 20});
    assertArrayEquals(new long[] {0, 30, 0, 0, 0}, starts(workload, "maxujobs 1"));
    assertArrayEquals(new long[] {0, 0, 0, 0, 30}, starts(workload));
  }

  @Test
  void itIsAPolicyByName() {
    Workload workload = Traces.made(3, 80);
    SimulatedPolicy policy = SimulatedPolicy.named("GridEngine").orElseThrow();
    Schedule schedule = Simulation.run(workload, policy, (submitted, jobs) -> {});
    OptionValues usual = GridEngineSimulation.usual();
    assertEquals("20", usual.get("max_reservation"));
    assertArrayEquals(run(workload, usual, false).startS(), schedule.startS());
  }
}
