package io.millrace.schedulers.campaigns.predictors;

/**
 * What is seen of a campaign on a cluster at a moment.
 *
 * @param processors of the cluster, above 0
 * @param idle processors that nobody uses now
 * @param waiting tasks of the campaign that were sent and have not begun
 * @param running tasks of the campaign that run
 * @param runningOfLast of the tasks that were sent last, those that run now
 * @param task what is known of the campaign's tasks
 */
public record ClusterSight(
    int processors, int idle, int waiting, int running, int runningOfLast, TypicalTask task) {

  /**
   * What is known of the tasks of the campaign.
   *
   * @param processors of each, above 0
   * @param meanS mean run time of those that finished, seconds; 0 while none has
   */
  public record TypicalTask(int processors, double meanS) {}

  public ClusterSight {
    if (processors <= 0 || task.processors() <= 0) {
      throw new IllegalArgumentException("a cluster and a task have processors");
    }
  }
}
