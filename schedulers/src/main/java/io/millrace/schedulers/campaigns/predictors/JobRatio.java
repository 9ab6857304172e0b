package io.millrace.schedulers.campaigns.predictors;

import java.util.Locale;

/**
 * Predictors of CiGri's specification: as many tasks are sent as the job ratio times the idle
 * processors, rounded up. The ratio falls while too many tasks wait and rises otherwise; what waits
 * beyond the allowed number is taken back first.
 */
abstract class JobRatio implements Predictor {

  /** Tasks that may wait. */
  static final int ALLOWED = 2;

  /** The specification doubles without end; a cluster is flooded at most this many times over. */
  private static final double MOST = 4;

  private double ratio = 1;
  private int sent;

  @Override
  public final PredictorTiming asked() {
    return PredictorTiming.EACH_INTERVAL;
  }

  @Override
  public final Flow flow(ClusterSight sight) {
    int excess = Math.max(0, sight.waiting() - ALLOWED);
    double next = excess > 0 ? down(sight, excess) : up(sight);
    ratio = Math.min(MOST, Math.max(least(sight), next));
    sent = (int) Math.ceil(ratio * sight.idle());
    return new Flow(excess, sent);
  }

  @Override
  public final PredictorMemory memory() {
    return new PredictorMemory(ratio, sent);
  }

  @Override
  public final void restore(PredictorMemory memory) {
    ratio = memory.level();
    sent = memory.sent();
  }

  @Override
  public final String words() {
    return String.format(Locale.ROOT, "ratio %.2f", ratio);
  }

  abstract double down(ClusterSight sight, int excess);

  abstract double up(ClusterSight sight);

  /** The ratio by which one task is sent to an idle cluster. */
  static double least(ClusterSight sight) {
    return 1.0 / sight.processors();
  }

  final double doubled() {
    return 2 * ratio;
  }

  /**
   * Those of the last that did not wait in excess, as a share of the last; 0 when none was sent.
   */
  final double accepted(int excess) {
    return sent == 0 ? 0 : (double) (sent - excess) / sent;
  }

  /** How many were sent for each that runs now; the largest ratio when none does. */
  final double sentForEachRunning(ClusterSight sight) {
    return sight.runningOfLast() == 0 ? MOST : (double) sent / sight.runningOfLast();
  }
}
