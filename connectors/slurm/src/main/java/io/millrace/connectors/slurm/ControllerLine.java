package io.millrace.connectors.slurm;

import io.millrace.connectors.bridge.system.OutsideId;
import io.millrace.connectors.bridge.system.OutsideMove;
import io.millrace.connectors.bridge.system.OutsideState;
import java.time.Instant;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A line that the controller's script writes when a job begins or has ended: {@code CONTEXT JOBID
 * ARRAYJOB_TASK USER EPOCH}. It says no tag, and nothing of how a job has ended.
 */
final class ControllerLine {

  private static final Pattern FORM =
      Pattern.compile(
          "(prolog|epilog)_slurmctld ([1-9][0-9]{0,9})"
              + " (?:-|([1-9][0-9]{0,9})_([0-9]{1,9})) ([!-~]{1,255}) ([0-9]{1,12})");

  private ControllerLine() {}

  /**
   * What a line says; empty when it is none, and of the task 0 of an array, which has the number of
   * the whole array here.
   */
  static Optional<OutsideMove> move(String line) {
    Matcher form = FORM.matcher(line);
    if (!form.matches() || form.group(4) != null && Long.parseLong(form.group(4)) == 0) {
      return Optional.empty();
    }
    OutsideId id =
        form.group(3) == null
            ? OutsideId.of(Long.parseLong(form.group(2)))
            : new OutsideId(Long.parseLong(form.group(3)), Long.parseLong(form.group(4)));
    return Optional.of(
        new OutsideMove(
            id,
            form.group(5),
            Optional.empty(),
            form.group(1).equals("prolog") ? OutsideState.RUNNING : OutsideState.ENDING,
            Instant.ofEpochSecond(Long.parseLong(form.group(6))),
            Optional.empty()));
  }
}
