package io.millrace.schedulers.campaigns.predictors;

/** Decides how many tasks of one campaign go to one cluster. */
public interface Predictor {

  /** When a predictor is asked. */
  enum PredictorTiming {
    /** At fixed intervals, as CiGri's cycle is. */
    EACH_INTERVAL,
    /** Whenever something has happened: a start, an end, a change of what is idle. */
    EACH_FACT
  }

  PredictorTiming asked();

  /** What is done now; what it says to send counts as sent. */
  Flow flow(ClusterSight sight);

  /**
   * All that one remembers from one question to the next.
   *
   * @param level its ratio or rate
   * @param sent tasks that were sent last
   */
  record PredictorMemory(double level, int sent) {
    static final PredictorMemory NONE = new PredictorMemory(0, 0);
  }

  /** What it remembers. */
  default PredictorMemory memory() {
    return PredictorMemory.NONE;
  }

  /** Has it go on from what one of its kind has remembered. */
  default void restore(PredictorMemory memory) {
    // Most remember nothing.
  }

  /** Its ratio or rate in words; empty when it has none. */
  default String words() {
    return "";
  }

  /** Whether it sends nothing at all while so many tasks wait. */
  default boolean closed(int waiting) {
    return false;
  }
}
