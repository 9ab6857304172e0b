package io.millrace.server.core.job.array;

import io.millrace.schemas.command.NewJob;
import io.millrace.schemas.pbs.jobs.JobNumbers;
import io.millrace.schemas.state.ArrayState;
import io.millrace.server.core.state.ArrayStates;

/** Checks of the indices of a new array. */
public final class ArrayRules {
  private ArrayRules() {}

  /**
   * Whether the job is no array, or a well-formed new array that is the only job of its command.
   */
  public static boolean sound(NewJob job, int jobs) {
    ArrayState array = job.getArray();
    return array == null
        || (jobs == 1
            && job.getSpec().getGridEngine() == null
            && array.getFirst() >= 0
            && array.getFirst() < array.getLast()
            && array.getLast() <= JobNumbers.INDEX_MAX
            && array.getStep() > 0
            && array.getMost() >= 0
            && array.equals(
                ArrayStates.fresh(
                    array.getFirst(), array.getLast(), array.getStep(), array.getMost())));
  }
}
