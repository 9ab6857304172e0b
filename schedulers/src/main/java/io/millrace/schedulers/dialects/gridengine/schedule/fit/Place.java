package io.millrace.schedulers.dialects.gridengine.schedule.fit;

import io.millrace.schedulers.gridengine.language.cluster.QueueInstance;

/**
 * A queue instance as a run sees it.
 *
 * @param number of the queue instance in the timeline
 * @param hostNumber of its host in the timeline
 */
public record Place(
    int number, QueueInstance queue, int hostNumber, LevelResources host, LevelResources own) {

  public String name() {
    return own.name();
  }
}
