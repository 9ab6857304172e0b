package io.millrace.schedulers.core.state.node;

import io.millrace.schemas.pbs.resources.PlaceRequest.Sharing;

/** A start in the future for which nodes are kept, as its nodes know it. */
public interface PlannedStart {

  long jobNumber();

  long fromMs();

  long toMs();

  /** Who may be beside it on one of its nodes, given by number. */
  Sharing sharingOn(int node);

  /** Something has changed on one of its nodes, so that it may not hold any more. */
  void suspect();

  /** The order of starts: by time, then by job. */
  static boolean before(PlannedStart a, PlannedStart b) {
    return a.fromMs() != b.fromMs() ? a.fromMs() < b.fromMs() : a.jobNumber() < b.jobNumber();
  }
}
