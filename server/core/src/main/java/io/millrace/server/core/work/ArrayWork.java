package io.millrace.server.core.work;

import io.millrace.schemas.state.Job;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.decision.Decision;
import io.millrace.server.core.state.ArrayStates;

/** Continued work on arrays. */
public final class ArrayWork {
  /** Name of the work that opens a window; the cursor is the id of the array. */
  private static final String WINDOW = "array-window";

  /** Name of the work that forgets a finished array; the cursor is its id. */
  private static final String PURGE = "array-purge";

  private ArrayWork() {}

  /** Looks at an array again after facts that may let it begin more subjobs. */
  public static void soon(Context c, Job job, Decision decision) {
    if (ArrayStates.is(job)) {
      decision.goOn(c, WINDOW, job.getId());
    }
  }

  /** Purges a finished array with the records of its subjobs. */
  public static void purge(Context c, String arrayId, Decision decision) {
    decision.goOn(c, PURGE, arrayId);
  }
}
