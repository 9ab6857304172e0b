package io.millrace.server.core.job.array;

import io.millrace.schemas.command.NewJob;
import io.millrace.schemas.pbs.jobs.JobNumbers;
import io.millrace.schemas.state.ArrayState;
import io.millrace.server.core.state.ArrayStates;

/** What an array must be like. */
public final class Sizes {
  private Sizes() {}

  /** Whether a wish is no array, or a new one that comes alone. */
  public static boolean sound(NewJob wish, int jobs) {
    ArrayState array = wish.getArray();
    return array == null
        || (jobs == 1
            && wish.getSpec().getGridEngine() == null
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
