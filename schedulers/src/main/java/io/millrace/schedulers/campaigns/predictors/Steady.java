package io.millrace.schedulers.campaigns.predictors;

/**
 * Fills what is idle at once, and keeps as many tasks waiting as begin within two seconds: enough
 * for the next ends, too few to be in anybody's way. Those that begin are estimated from how many
 * run and how long a task takes.
 *
 * <p>What is missing is sent in lots of a quarter of those: each sending costs the cluster a
 * transaction, which the next end of a task would wait for.
 */
final class Steady implements Predictor {

  private static final double WINDOW_S = 2;

  /**
   * Tasks that may wait beyond that before any is taken back, or a lot: each taking back costs a
   * message, and how many run goes up and down with them.
   */
  private static final int SLACK = 2;

  private static final int LOTS = 4;

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
    int lot = Math.max(1, begin / LOTS);
    if (waiting > wanted + Math.max(SLACK, lot)) {
      return new Flow(waiting - wanted, 0);
    }
    int missing = wanted - waiting;
    // One that is smaller than a lot leaves enough for all idle processors.
    return new Flow(0, missing >= lot ? missing : 0);
  }
}
