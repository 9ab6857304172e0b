package io.millrace.ops.simulate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schedulers.simulator.Schedule;
import java.util.List;
import org.junit.jupiter.api.Test;

/** No processor is drawn under two jobs at a time, and each job has its number of processors. */
class GanttRowsPropertyTest {

  @Test
  void eachProcessorHasOneJobAtATime() {
    for (long seed = 1; seed <= 30; seed++) {
      int processors = (int) (1 + seed);
      Schedule schedule = Schedules.random(seed, processors, 80);
      List<List<GanttRows.Bar>> bars = GanttRows.of(schedule);
      int[] owner = new int[processors * 4000];
      for (int job = 0; job < bars.size(); job++) {
        int count = 0;
        for (GanttRows.Bar bar : bars.get(job)) {
          count += bar.to() - bar.from();
          mark(owner, schedule, bar, processors);
        }
        assertEquals(schedule.workload().jobs().get(job).processors(), count);
      }
    }
  }

  private static void mark(int[] owner, Schedule schedule, GanttRows.Bar bar, int processors) {
    for (long t = schedule.startS()[bar.job()]; t < schedule.endS(bar.job()); t++) {
      for (int row = bar.from(); row < bar.to(); row++) {
        int at = (int) t * processors + row;
        assertTrue(owner[at] == 0, "two jobs on processor " + row + " at " + t);
        owner[at] = bar.job() + 1;
      }
    }
  }
}
