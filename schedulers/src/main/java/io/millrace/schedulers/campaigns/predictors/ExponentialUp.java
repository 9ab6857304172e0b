package io.millrace.schedulers.campaigns.predictors;

/** Doubles the job ratio, and lowers it to what the cluster took of the last tasks. */
final class ExponentialUp extends JobRatio {

  @Override
  double down(ClusterSight sight, int excess) {
    return accepted(excess);
  }

  @Override
  double up(ClusterSight sight) {
    return doubled();
  }
}
