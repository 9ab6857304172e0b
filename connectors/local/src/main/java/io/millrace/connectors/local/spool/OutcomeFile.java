package io.millrace.connectors.local.spool;

import io.millrace.connectors.local.run.RunOutcome;
import io.millrace.connectors.local.run.RunUsage;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** What a supervisor has written of a run: its end, and what it has used. */
public final class OutcomeFile {

  /** PBS's JOB_EXEC_INITABT: nothing is known of how the run ended. */
  private static final int LOST = -4;

  private OutcomeFile() {}

  /** An outcome that cannot be read still ends the run: as lost. */
  public static RunOutcome outcome(SpoolFields fields) {
    String word = fields.text("reason").toUpperCase(Locale.ROOT);
    Optional<RunOutcome.RunEndReason> reason =
        Arrays.stream(RunOutcome.RunEndReason.values())
            .filter(known -> known.name().equals(word))
            .findFirst();
    if (reason.isEmpty()) {
      RunOutcome.StartAndEnd now = new RunOutcome.StartAndEnd(0, System.currentTimeMillis());
      RunUsage nothing = new RunUsage(0, 0, 0, 0);
      return new RunOutcome(
          LOST, RunOutcome.RunEndReason.LOST, nothing, 0, now, "its outcome cannot be read");
    }
    return new RunOutcome(
        (int) fields.number("exit_status"),
        reason.get(),
        usage(fields),
        (int) fields.number("ncpus"),
        new RunOutcome.StartAndEnd(fields.number("started_ms"), fields.number("ended_ms")),
        fields.text("message"));
  }

  /** The usage at the time of writing; 0 where the file does not have it. */
  public static RunUsage usage(SpoolFields fields) {
    return new RunUsage(
        fields.number("cput_ms"),
        fields.number("walltime_ms"),
        fields.number("mem_kb"),
        fields.number("vmem_kb"));
  }
}
