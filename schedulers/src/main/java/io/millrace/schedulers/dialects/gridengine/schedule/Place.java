package io.millrace.schedulers.dialects.gridengine.schedule;

import io.millrace.schedulers.dialects.gridengine.cluster.QueueInstance;

/**
 * A queue instance as a run sees it.
 *
 * @param number of the queue instance in the timeline
 * @param hostNumber of its host in the timeline
 */
record Place(int number, QueueInstance queue, int hostNumber, Holder host, Holder own) {

  String name() {
    return own.name();
  }
}
