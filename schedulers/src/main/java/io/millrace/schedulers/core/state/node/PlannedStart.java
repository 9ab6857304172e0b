package io.millrace.schedulers.core.state.node;

import io.millrace.schemas.pbs.resources.PlaceRequest.Sharing;

/** A future start for which nodes are kept free, as its nodes see it. */
public interface PlannedStart {

  long jobNumber();

  long fromMs();

  long toMs();

  /** How the job shares one of its nodes, given by number. */
  Sharing sharingOn(int node);

  /** Marks that one of its nodes has changed, so that it may no longer hold. */
  void suspect();

  /** The order of starts: by time, then by job. */
  static boolean before(PlannedStart a, PlannedStart b) {
    return a.fromMs() != b.fromMs() ? a.fromMs() < b.fromMs() : a.jobNumber() < b.jobNumber();
  }
}
