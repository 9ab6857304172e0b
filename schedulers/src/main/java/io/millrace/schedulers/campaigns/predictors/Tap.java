package io.millrace.schedulers.campaigns.predictors;

import java.util.Locale;

/** CiGri 3's tap: closed while anything waits, opened further each time that nothing does. */
final class Tap implements Predictor {

  private static final double FACTOR = 1.5;
  private static final double LEAST = 2;
  private static final double MOST = 100;

  /** Tasks of the next sending; CiGri's usual rate to begin with. */
  private double rate = 3;

  @Override
  public PredictorTiming asked() {
    return PredictorTiming.EACH_INTERVAL;
  }

  @Override
  public PredictorMemory memory() {
    return new PredictorMemory(rate, 0);
  }

  @Override
  public void restore(PredictorMemory memory) {
    rate = memory.level();
  }

  @Override
  public String words() {
    return String.format(Locale.ROOT, "rate %.1f", rate);
  }

  @Override
  public boolean closed(int waiting) {
    return waiting > 0;
  }

  @Override
  public Flow flow(ClusterSight sight) {
    if (sight.waiting() > 0) {
      rate = Math.max(LEAST, rate / FACTOR);
      return new Flow(0, 0);
    }
    int send = (int) rate;
    rate = Math.min(MOST, rate * FACTOR);
    return new Flow(0, send);
  }
}
