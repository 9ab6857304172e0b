package io.millrace.schedulers.campaigns.predictors;

/**
 * Fills what is idle at once, and keeps as many tasks waiting as begin within two seconds: enough
 * for the next ends, too few to be in anybody's way. Those that begin are estimated from how many
 * run and how long a task takes.
 */
final class Steady implements Predictor {

  private static final double WINDOW_S = 2;

  /** Tasks that may wait beyond that before any is taken back: each taking back costs a message. */
  private static final int SLACK = 2;

  @Override
  public PredictorTiming asked() {
    return PredictorTiming.EACH_FACT;
  }

  @Override
  public Flow flow(ClusterSight sight) {
    int fits = sight.idle() / sight.task().processors();
    double meanS = sight.task().meanS();
    int begin = meanS == 0 ? 1 : (int) Math.ceil(WINDOW_S * (sight.running() + fits) / meanS);
    int wanted = fits + Math.max(1, begin);
    int waiting = sight.waiting();
    return waiting > wanted + SLACK
        ? new Flow(waiting - wanted, 0)
        : new Flow(0, Math.max(0, wanted - waiting));
  }
}
