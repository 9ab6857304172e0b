package io.millrace.ops.cycles;

import io.millrace.ops.word.Console;
import io.millrace.schemas.output.CycleDone;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;

/** Prints each further cycle, and says when the broker does not answer. */
final class Following {
  static final Duration QUIET = Duration.ofSeconds(5);

  private final CycleReader reader;
  private final CycleTable table;
  private final Console console;
  private final PrintStream problems;
  private final LongSupplier nanos;
  private long heardNanos;
  private boolean answers = true;

  Following(
      CycleReader reader,
      CycleTable table,
      Console console,
      PrintStream problems,
      LongSupplier nanos) {
    this.reader = reader;
    this.table = table;
    this.console = console;
    this.problems = problems;
    this.nanos = nanos;
    this.heardNanos = nanos.getAsLong();
  }

  /** Waits shortly for further cycles. */
  void look() {
    List<CycleDone> cycles = reader.next();
    cycles.forEach(cycle -> console.say(table.row(cycle)));
    if (!cycles.isEmpty()) {
      heard(true);
    } else if (nanos.getAsLong() - heardNanos >= QUIET.toNanos()) {
      heard(reader.answers());
    }
  }

  private void heard(boolean now) {
    if (now != answers) {
      answers = now;
      problems.println(
          now
              ? "cycles: the broker answers again"
              : "cycles: the broker does not answer; waiting for it");
    }
    heardNanos = nanos.getAsLong();
  }
}
