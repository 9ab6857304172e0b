package io.millrace.schedulers.campaigns.predictors;

/** Doubles the job ratio, and begins again with one task where too many wait. */
final class SlowStart extends JobRatio {

  @Override
  double down(ClusterSight sight, int excess) {
    return least(sight);
  }

  @Override
  double up(ClusterSight sight) {
    return doubled();
  }
}
