package io.millrace.server.core.admission;

import io.millrace.schemas.state.Job;
import io.millrace.server.core.state.State;

/** Counts the jobs against which the limits of queues and of the server hold. */
public final class Appliers {

  public void follow(State state, Job before, Job after) {
    QueuedJobs.replace(state, before, after);
  }
}
