package io.millrace.schedulers.campaigns.predictors;

/** Fits the job ratio to what the cluster took of the last tasks, up and down. */
final class TwoWay extends JobRatio {

  @Override
  double down(ClusterSight sight, int excess) {
    return accepted(excess);
  }

  @Override
  double up(ClusterSight sight) {
    return sentForEachRunning(sight);
  }
}
