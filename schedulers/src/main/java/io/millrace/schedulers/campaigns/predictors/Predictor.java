package io.millrace.schedulers.campaigns.predictors;

/** Decides how many tasks of one campaign go to one cluster. */
public interface Predictor {

  /** When a predictor is asked. */
  enum Asked {
    /** At fixed intervals, as CiGri's cycle is. */
    EACH_INTERVAL,
    /** Whenever something has happened: a start, an end, a change of what is idle. */
    EACH_FACT
  }

  Asked asked();

  /** What is done now; what it says to send counts as sent. */
  Flow flow(ClusterSight sight);
}
