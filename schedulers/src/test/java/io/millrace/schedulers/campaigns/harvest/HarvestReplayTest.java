package io.millrace.schedulers.campaigns.harvest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schedulers.campaigns.predictors.ClusterSight;
import io.millrace.schedulers.campaigns.predictors.Flow;
import io.millrace.schedulers.campaigns.predictors.Predictor;
import io.millrace.schedulers.campaigns.predictors.Predictors;
import io.millrace.schedulers.simulator.Schedule;
import io.millrace.schedulers.simulator.TraceFindings;
import io.millrace.schedulers.simulator.TraceJob;
import io.millrace.schedulers.simulator.Workload;
import java.util.List;
import org.junit.jupiter.api.Test;

class HarvestReplayTest {

  private static final long HOUR_S = 3_600;

  /** A machine of ten processors: nothing, then eight used for an hour, then two. */
  private static final Schedule SCHEDULE =
      new Schedule(
          new Workload(
              10,
              0,
              List.of(
                  new TraceJob(1, HOUR_S, HOUR_S, 8, HOUR_S),
                  new TraceJob(2, 2 * HOUR_S, 3 * HOUR_S, 2, 3 * HOUR_S)),
              new TraceFindings()),
          new long[] {HOUR_S, 2 * HOUR_S});

  private static final IdleProcessors LOCAL = IdleProcessors.of(SCHEDULE, 0, 4 * HOUR_S);

  /** As many as fit, once. */
  private static final class Once implements Predictor {
    private int left;

    Once(int tasks) {
      left = tasks;
    }

    @Override
    public PredictorTiming asked() {
      return PredictorTiming.EACH_INTERVAL;
    }

    @Override
    public Flow flow(ClusterSight sight) {
      int all = left;
      left = 0;
      return new Flow(0, all);
    }
  }

  @Test
  void idleIsWhatJobsLeave() {
    assertEquals(List.of(0L, HOUR_S, 2 * HOUR_S), List.of(at(0), at(1), at(2)));
    assertEquals(List.of(10, 2, 8), List.of(LOCAL.idle()[0], LOCAL.idle()[1], LOCAL.idle()[2]));
    assertEquals((10 + 2 + 8 + 8) * HOUR_S, LOCAL.processorSeconds());
    IdleProcessors middle = IdleProcessors.of(SCHEDULE, HOUR_S / 2, 3 * HOUR_S / 2);
    assertEquals(HOUR_S / 2 * 10 + HOUR_S / 2 * 2, middle.processorSeconds());
    assertThrows(IllegalArgumentException.class, () -> IdleProcessors.of(SCHEDULE, 0, 6 * HOUR_S));
  }

  private static long at(int step) {
    return LOCAL.atS()[step];
  }

  @Test
  void aLocalJobEndsTheYoungest() {
    TaskMix days = new TaskMix(1, 30 * 24 * HOUR_S, 1);
    HarvestFigures figures = HarvestReplay.run(LOCAL, days, new Once(12));
    assertEquals(8, figures.killed());
    assertEquals(0, figures.done());
    // Eight of ten ran for the first hour in vain; the two that waited begin in their place later.
    assertEquals(8.0 * HOUR_S / LOCAL.processorSeconds(), figures.share().waste(), 1e-9);
    assertEquals(2, figures.waiting().most());
    assertEquals(2 * 2.0 / 4, figures.waiting().mean(), 1e-9);
    assertEquals(12, figures.sent());
  }

  @Test
  void whatIsDoneIsCountedOnce() {
    for (String name : Predictors.names()) {
      for (int processors : List.of(1, 3)) {
        TaskMix mix = new TaskMix(processors, 40, 7);
        HarvestFigures figures = HarvestReplay.run(LOCAL, mix, Predictors.find(name).orElseThrow());
        assertTrue(figures.done() > 100, name);
        assertTrue(figures.share().harvest() + figures.share().waste() <= 1, name);
        long left = figures.sent() - figures.takenBack() - figures.done() - figures.killed();
        assertTrue(left >= 0 && left <= figures.waiting().most() + 10, name + " " + left);
        assertEquals(
            figures, HarvestReplay.run(LOCAL, mix, Predictors.find(name).orElseThrow()), name);
      }
    }
  }
}
