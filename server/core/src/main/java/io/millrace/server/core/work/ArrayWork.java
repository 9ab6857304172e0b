package io.millrace.server.core.work;

import io.millrace.schemas.state.Job;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.decision.Decision;
import io.millrace.server.core.state.ArrayStates;

/** Lets an array go on. */
public final class ArrayWork {
  /** Name of the work that opens a window; the cursor is the id of the array. */
  private static final String WINDOW = "array-window";

  /** Name of the work that forgets a finished array; the cursor is its id. */
  private static final String PURGE = "array-purge";

  private ArrayWork() {}

  /** After facts that may let an array go on: what they come to is looked at behind them. */
  public static void soon(Context c, Job job, Decision decision) {
    if (ArrayStates.is(job)) {
      decision.goOn(c, WINDOW, job.getId());
    }
  }

  /** Has an array forgotten that has finished, with what its subjobs have left. */
  public static void purge(Context c, String arrayId, Decision decision) {
    decision.goOn(c, PURGE, arrayId);
  }
}
