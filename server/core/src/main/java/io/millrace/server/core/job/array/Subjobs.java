package io.millrace.server.core.job.array;

import io.millrace.schemas.pbs.jobs.JobNumbers;
import io.millrace.schemas.state.ArrayState;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.SubjobRuns;
import io.millrace.server.core.state.ArrayStates;
import io.millrace.server.core.state.Copies;
import io.millrace.server.core.state.JobRecords;
import io.millrace.server.core.state.Keys;
import io.millrace.server.core.state.State;
import io.millrace.server.core.state.View;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** Applies changes of subjobs to their array; does nothing for other jobs. */
public final class Subjobs {
  private Subjobs() {}

  /** What is kept of a subjob whose record is taken back. */
  static SubjobRuns runs(Job subjob) {
    return new SubjobRuns(ArrayStates.index(subjob), subjob.getRun(), subjob.getRunCount());
  }

  /** Whether a run of one of them has started: of those that are here, or of one that has ended. */
  public static boolean started(View view, Job array) {
    ArrayState state = array.getArray();
    return array.getStartedMs() >= 0
        && (state.getExpired() > 0
            || state.getRan().stream().anyMatch(it -> it.getRunCount() > 0)
            || Stream.of(state.getBegun(), state.getWaiting())
                .flatMap(List::stream)
                .anyMatch(it -> view.jobs().get(SubjobWindow.key(array, it)).getRunCount() > 0));
  }

  public static void opened(State state, Job subjob) {
    change(state, subjob, -1, array -> ArrayStates.opened(array, ArrayStates.index(subjob)));
  }

  /** A run of a subjob begins; with the first one its array begins. */
  public static void began(State state, Job subjob, long atMs) {
    change(state, subjob, atMs, array -> ArrayStates.began(array, ArrayStates.index(subjob)));
  }

  public static void requeued(State state, Job subjob) {
    change(state, subjob, -1, array -> ArrayStates.requeued(array, ArrayStates.index(subjob)));
  }

  public static void ended(State state, Job subjob, int exitStatus) {
    boolean failed = exitStatus != 0;
    change(state, subjob, -1, array -> ArrayStates.ended(array, ArrayStates.index(subjob), failed));
  }

  private static void change(
      State state, Job subjob, long begunMs, UnaryOperator<ArrayState> change) {
    if (!JobNumbers.isSubjob(subjob.getNumber())) {
      return;
    }
    Job before = state.jobs().get(Keys.number(JobNumbers.array(subjob.getNumber())));
    if (before == null) {
      return;
    }
    boolean begins = begunMs >= 0 && before.getStartedMs() < 0;
    Job after = begins ? Copies.withEvent(before, begunMs, "began", "") : Copies.of(before);
    if (begins) {
      after.setStartedMs(begunMs);
    }
    after.setArray(change.apply(before.getArray()));
    JobRecords.replace(state, before, after);
  }
}
