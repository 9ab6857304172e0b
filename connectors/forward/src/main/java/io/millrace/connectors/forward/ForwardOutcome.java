package io.millrace.connectors.forward;

import io.millrace.connectors.bridge.run.OutsideRun;
import io.millrace.connectors.bridge.run.OutsideRunState;
import io.millrace.connectors.bridge.run.SharedRunFolders;
import io.millrace.connectors.bridge.system.OutsideCause;
import io.millrace.connectors.bridge.system.OutsideEnd;
import io.millrace.connectors.bridge.system.OutsideUsage;
import io.millrace.connectors.local.run.PrintedOutput;
import io.millrace.connectors.local.run.RunOutcome;
import io.millrace.connectors.local.run.RunUsage;
import io.millrace.schemas.pbs.EndedElsewhere;
import io.millrace.schemas.pbs.ExitStatus;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What became of a run, in the words of an executor. */
final class ForwardOutcome {

  /** Its file in the run's folder. */
  static final String STEPS = "steps";

  /** How long a script may have run before the outside system is seen to run its job. */
  static final Duration SEEN_LATE = Duration.ofMinutes(1);

  private static final int SIGNALLED = 256;
  private static final int SIGTERM = 15;
  private static final int SIGKILL = 9;

  /** PBS's JOB_EXEC_KILL_WALLTIME. */
  private static final int WALLTIME = -29;

  /** PBS's JOB_EXEC_KILL_MEM. */
  private static final int MEM = -27;

  /** The run has ended with its host, and may run again. */
  private static final int HOST_ENDED = -11;

  /** PBS's JOB_EXEC_INITABT: nobody knows how it ended. */
  private static final int LOST = -4;

  private static final int REFUSED = -1;

  private static final Pattern BYTES = Pattern.compile("[0-9]{1,18}");

  private static final int BYTES_OF_KIB = 1024;

  private static final Pattern TIME =
      Pattern.compile(
          "([0-9]{1,9})m([0-9]{1,2})[.,]([0-9]{3})s ([0-9]{1,9})m([0-9]{1,2})[.,]([0-9]{3})s");

  private final SharedRunFolders folders;

  ForwardOutcome(SharedRunFolders folders) {
    this.folders = folders;
  }

  /**
   * When the script began, in milliseconds since 1970; empty when it has not, or nobody knows. What
   * its file says is the word of its owner, who would have it end earlier than it does: it counts
   * as far as the outside system has shown the job to run since then.
   */
  OptionalLong began(OutsideRun run) {
    if (run.state().isWaitingOutside()) {
      return OptionalLong.empty();
    }
    OptionalLong said = seconds(folders.text(run.tag(), run.account(), "claim"), "began");
    return said.isEmpty() ? said : OptionalLong.of(Math.max(said.getAsLong(), earliest(run)));
  }

  /** Before that the script cannot have begun. */
  private static long earliest(OutsideRun run) {
    Instant submitted = run.submitted().orElse(Instant.EPOCH);
    Instant shown =
        run.state() == OutsideRunState.ENDED ? Instant.EPOCH : run.since().minus(SEEN_LATE);
    return Math.max(submitted.toEpochMilli(), shown.toEpochMilli());
  }

  /** What a run that has ended has written down of its steps; nothing when it had none. */
  PrintedOutput steps(OutsideRun run) {
    String text = folders.text(run.tag(), run.account(), STEPS, PrintedOutput.MAX);
    return text.isEmpty()
        ? PrintedOutput.NOTHING
        : new PrintedOutput(text.getBytes(StandardCharsets.US_ASCII), new byte[0]);
  }

  /** The outcome of a run that has ended. */
  RunOutcome of(OutsideRun run, int ncpus) {
    OutsideEnd end = told(run);
    String unstaged = run.delete() ? "" : words(folders.text(run.tag(), run.account(), "unstaged"));
    boolean isUnstaged = end.cause() == OutsideCause.EXITED && !unstaged.isEmpty();
    long ended =
        seconds(folders.text(run.tag(), run.account(), "exit"), "ended")
            .orElse(run.since().toEpochMilli());
    long began = began(run).orElse(0);
    long walltime = began == 0 ? 0 : Math.max(0, ended - began);
    return new RunOutcome(
        isUnstaged ? ExitStatus.STAGE_IN_FAILED : status(end),
        isUnstaged ? RunOutcome.RunEndReason.REFUSED : reason(end),
        usage(run, walltime),
        ncpus,
        new RunOutcome.StartAndEnd(began, Math.max(ended, began)),
        isUnstaged ? unstaged : message(run, end));
  }

  /** A system that kills what it is to delete says no more than the signal. */
  private static OutsideEnd told(OutsideRun run) {
    OutsideEnd end = run.end().orElseThrow();
    boolean killed =
        end.cause() == OutsideCause.SIGNALLED
            && (end.signal() == SIGKILL || end.signal() == SIGTERM);
    boolean deleted = run.delete() && (killed || end.cause() == OutsideCause.WRAPPER_FAILED);
    return deleted
        ? new OutsideEnd(-1, end.signal(), OutsideCause.CANCELLED, end.words(), end.usage())
        : end;
  }

  /** As accounting says, and what that has not measured as the run's own files do. */
  private RunUsage usage(OutsideRun run, long walltime) {
    OutsideUsage told = run.end().orElseThrow().usage().orElse(new OutsideUsage(0, walltime, 0, 0));
    return new RunUsage(
        told.cputMs() == 0 ? cput(run) : told.cputMs(),
        told.walltimeMs(),
        told.memKb() == 0 ? peak(run) : told.memKb(),
        told.vmemKb());
  }

  /** KiB that the job's group of processes held at most; 0 where it had none of its own. */
  private long peak(OutsideRun run) {
    String said = folders.text(run.tag(), run.account(), "peak").strip();
    return BYTES.matcher(said).matches() ? Long.parseLong(said) / BYTES_OF_KIB : 0;
  }

  private static int status(OutsideEnd end) {
    return switch (end.cause()) {
      case EXITED -> end.status();
      case SIGNALLED -> SIGNALLED + end.signal();
      case TIME_LIMIT -> WALLTIME;
      case MEMORY -> MEM;
      case NODE_LOST -> HOST_ENDED;
      case CANCELLED, NOT_BEGUN -> SIGNALLED + SIGTERM;
      case REFUSED -> REFUSED;
      case WRAPPER_FAILED -> ExitStatus.START_FAILED;
      case UNKNOWN -> LOST;
    };
  }

  private static RunOutcome.RunEndReason reason(OutsideEnd end) {
    return switch (end.cause()) {
      case EXITED -> RunOutcome.RunEndReason.EXITED;
      case SIGNALLED -> RunOutcome.RunEndReason.SIGNALLED;
      case TIME_LIMIT -> RunOutcome.RunEndReason.WALLTIME;
      case MEMORY -> RunOutcome.RunEndReason.MEM;
      case CANCELLED, NOT_BEGUN -> RunOutcome.RunEndReason.CANCELLED;
      case REFUSED, WRAPPER_FAILED -> RunOutcome.RunEndReason.REFUSED;
      case NODE_LOST, UNKNOWN -> RunOutcome.RunEndReason.LOST;
    };
  }

  /** Of an end that is the job's own only what became of its files is to be said. */
  private String message(OutsideRun run, OutsideEnd end) {
    return switch (end.cause()) {
      case EXITED, SIGNALLED -> ofItsOwn(run, end);
      case CANCELLED, NOT_BEGUN ->
          run.delete() ? "" : EndedElsewhere.message(run.tag().cluster(), words(end.words()));
      default -> "cluster " + run.tag().cluster() + ": " + words(end.words());
    };
  }

  /** What the cluster ended before the script began looks like an end of the script's own there. */
  private String ofItsOwn(OutsideRun run, OutsideEnd end) {
    String told = words(folders.text(run.tag(), run.account(), "told"));
    boolean begun = began(run).isPresent();
    return begun || !told.isEmpty()
        ? told
        : "cluster "
            + run.tag().cluster()
            + ": "
            + words(end.words())
            + "; nothing in the spool says that its script began";
  }

  /** In one line; the text may be of a file of the account, and none of it steers a terminal. */
  private static String words(String text) {
    return text.strip().replaceAll("\\R", "; ").replaceAll("\\s+", " ").replaceAll("\\p{Cc}", "?");
  }

  private static OptionalLong seconds(String text, String name) {
    Matcher said = Pattern.compile("(?m)^" + name + "=([0-9]{1,15})$").matcher(text);
    // The file is its owner's, who may write into it what he likes.
    return said.find()
        ? OptionalLong.of(
            Math.min(Long.parseLong(said.group(1)) * 1000, System.currentTimeMillis()))
        : OptionalLong.empty();
  }

  /** Processor time of the script and what it waited for, as the shell's {@code times} says. */
  private long cput(OutsideRun run) {
    String[] lines = folders.text(run.tag(), run.account(), "times").split("\n");
    Matcher said = TIME.matcher(lines.length == 2 ? lines[1] : "");
    if (!said.matches()) {
      return 0;
    }
    return millis(said, 1) + millis(said, 4);
  }

  private static long millis(Matcher said, int at) {
    return Long.parseLong(said.group(at)) * 60_000
        + Long.parseLong(said.group(at + 1)) * 1000
        + Long.parseLong(said.group(at + 2));
  }
}
