package io.millrace.reservations.timeline;

import java.util.Arrays;

/** Queue instances of one host that take part in a search, and the host's share of the slots. */
final class HostGroup {

  private static final int[] NONE = {};

  final int host;
  int[] open = NONE;
  int[] watched = NONE;
  int share;
  boolean first;

  private HostGroup(int host) {
    this.host = host;
  }

  static HostGroup[] of(Timeline timeline, ParallelRequest.Candidates places) {
    HostGroup[] byHost = new HostGroup[timeline.hosts()];
    HostGroup[] groups = new HostGroup[timeline.hosts()];
    int size = 0;
    for (int queue : places.open()) {
      int host = timeline.hostOf(queue);
      if (byHost[host] == null) {
        groups[size++] = byHost[host] = new HostGroup(host);
      }
      byHost[host].open = with(byHost[host].open, queue);
    }
    for (int queue : places.watched()) {
      int host = timeline.hostOf(queue);
      if (byHost[host] == null) {
        groups[size++] = byHost[host] = new HostGroup(host);
      }
      byHost[host].watched = with(byHost[host].watched, queue);
    }
    return Arrays.copyOf(groups, size);
  }

  private static int[] with(int[] queues, int queue) {
    int[] more = Arrays.copyOf(queues, queues.length + 1);
    more[queues.length] = queue;
    return more;
  }
}
