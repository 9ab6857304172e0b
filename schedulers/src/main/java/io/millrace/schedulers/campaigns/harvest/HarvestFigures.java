package io.millrace.schedulers.campaigns.harvest;

/**
 * What a campaign got.
 *
 * @param share of the idle processor time
 * @param done finished tasks
 * @param killed runs that local jobs ended
 * @param sent tasks that were sent to the cluster, each sending counted
 * @param takenBack tasks that were taken back while they waited
 * @param waiting how many waited
 */
public record HarvestFigures(
    IdleTimeShares share,
    long done,
    long killed,
    long sent,
    long takenBack,
    WaitingTaskCounts waiting) {

  /** Parts of the idle processor time: that of finished tasks, and that of killed ones. */
  public record IdleTimeShares(double harvest, double waste) {}

  /** Waiting tasks: mean over time, and most at once. */
  public record WaitingTaskCounts(double mean, int most) {}
}
