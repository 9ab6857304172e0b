package io.millrace.schedulers.campaigns.predictors;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schedulers.campaigns.predictors.ClusterSight.TypicalTask;
import io.millrace.schedulers.campaigns.predictors.Predictor.PredictorTiming;
import org.junit.jupiter.api.Test;

class PredictorsTest {

  private static final TypicalTask UNKNOWN = new TypicalTask(1, 0);

  private static Predictor of(String name) {
    return Predictors.find(name).orElseThrow();
  }

  /** A cluster of 100 processors. */
  private static Flow ask(Predictor predictor, int idle, int waiting, int runningOfLast) {
    return predictor.flow(
        new ClusterSight(100, idle, waiting, runningOfLast, runningOfLast, UNKNOWN));
  }

  @Test
  void theUsualOneComesFirst() {
    assertEquals("steady", Predictors.names().get(0));
    assertEquals(5, Predictors.names().size());
    assertTrue(Predictors.find("steadily").isEmpty());
    Predictors.names().forEach(name -> assertTrue(Predictors.find(name).isPresent(), name));
  }

  @Test
  void slowStartDoublesUpToFourTimesTheIdleAndFallsToOneTask() {
    Predictor predictor = of("slow-start");
    assertEquals(new Flow(0, 20), ask(predictor, 10, 0, 0));
    assertEquals(new Flow(0, 40), ask(predictor, 10, 2, 10));
    assertEquals(new Flow(0, 40), ask(predictor, 10, 2, 10));
    assertEquals(new Flow(1, 1), ask(predictor, 10, 3, 10));
    assertEquals(new Flow(0, 2), ask(predictor, 100, 0, 1));
  }

  @Test
  void twoWayFitsTheRatioToWhatTheClusterTook() {
    Predictor predictor = of("two-way");
    assertEquals(new Flow(0, 40), ask(predictor, 10, 0, 0));
    // Of 40 tasks 30 wait, 28 of them too many: 12 of 40 were taken, of 20 idle now 6.
    assertEquals(new Flow(28, 6), ask(predictor, 20, 30, 10));
    // Of these 6 all but 2 have ended: 3 for each idle processor.
    assertEquals(new Flow(0, 30), ask(predictor, 10, 0, 2));
  }

  @Test
  void exponentialUpFallsToWhatTheClusterTookAndDoubles() {
    Predictor predictor = of("exponential-up");
    assertEquals(new Flow(0, 20), ask(predictor, 10, 0, 0));
    assertEquals(new Flow(10, 5), ask(predictor, 10, 12, 8));
    assertEquals(new Flow(0, 10), ask(predictor, 10, 0, 5));
    // All that were sent wait: one task for the whole cluster, or it would never send again.
    assertEquals(new Flow(10, 1), ask(predictor, 10, 12, 0));
    assertEquals(new Flow(0, 2), ask(predictor, 100, 0, 1));
  }

  @Test
  void theTapIsClosedWhileAnythingWaits() {
    Predictor predictor = of("tap");
    assertEquals(new Flow(0, 3), ask(predictor, 10, 0, 0));
    assertEquals(new Flow(0, 4), ask(predictor, 10, 0, 0));
    assertEquals(new Flow(0, 0), ask(predictor, 10, 1, 0));
    assertEquals(new Flow(0, 4), ask(predictor, 10, 0, 0));
    for (int i = 0; i < 20; i++) {
      ask(predictor, 10, 0, 0);
    }
    assertEquals(new Flow(0, 100), ask(predictor, 10, 0, 0));
    for (int i = 0; i < 20; i++) {
      ask(predictor, 10, 1, 0);
    }
    assertEquals(new Flow(0, 2), ask(predictor, 10, 0, 0));
  }

  @Test
  void steadyFillsWhatIsIdleAndKeepsTwoSecondsOfStartsWaiting() {
    Predictor predictor = of("steady");
    assertEquals(PredictorTiming.EACH_FACT, predictor.asked());
    // Nothing is known of the run times: one waits.
    assertEquals(
        new Flow(0, 11), predictor.flow(new ClusterSight(100, 10, 0, 0, 0, new TypicalTask(1, 0))));
    // 90 tasks of a minute each end 1.5 times a second.
    assertEquals(
        new Flow(0, 3), predictor.flow(new ClusterSight(100, 0, 0, 90, 0, new TypicalTask(1, 60))));
    assertEquals(
        new Flow(0, 0), predictor.flow(new ClusterSight(100, 0, 5, 90, 0, new TypicalTask(1, 60))));
    assertEquals(
        new Flow(3, 0), predictor.flow(new ClusterSight(100, 0, 6, 90, 0, new TypicalTask(1, 60))));
    // Seven idle processors hold one task of four.
    assertEquals(
        new Flow(0, 2),
        predictor.flow(new ClusterSight(100, 7, 0, 3, 0, new TypicalTask(4, 3600))));
  }

  /** Each sending is a transaction of the cluster: sixteen tasks of a second begin each second. */
  @Test
  void steadySendsShortTasksInLots() {
    Predictor predictor = of("steady");
    TypicalTask second = new TypicalTask(1, 1);
    assertEquals(new Flow(0, 0), predictor.flow(new ClusterSight(16, 0, 25, 16, 0, second)));
    assertEquals(new Flow(0, 8), predictor.flow(new ClusterSight(16, 0, 24, 16, 0, second)));
    assertEquals(new Flow(0, 0), predictor.flow(new ClusterSight(16, 0, 40, 16, 0, second)));
    assertEquals(new Flow(9, 0), predictor.flow(new ClusterSight(16, 0, 41, 16, 0, second)));
    // No processor waits for a lot to be full.
    for (int waiting = 0; waiting < 15; waiting++) {
      ClusterSight idle = new ClusterSight(16, 15, waiting, 1, 0, second);
      assertEquals(new Flow(0, 15 + 32 - waiting), predictor.flow(idle));
    }
  }

  @Test
  void whatCannotBeIsRefused() {
    assertThrows(IllegalArgumentException.class, () -> new Flow(-1, 0));
    assertThrows(
        IllegalArgumentException.class,
        () -> new ClusterSight(0, 0, 0, 0, 0, new TypicalTask(1, 0)));
  }
}
