package io.millrace.connectors.forward;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.connectors.bridge.command.AccountCommands;
import io.millrace.connectors.bridge.run.OutsideRun;
import io.millrace.connectors.bridge.run.OutsideRunState;
import io.millrace.connectors.bridge.run.SharedRunFolders;
import io.millrace.connectors.bridge.system.OutsideAmounts;
import io.millrace.connectors.bridge.system.OutsideCause;
import io.millrace.connectors.bridge.system.OutsideEnd;
import io.millrace.connectors.bridge.system.OutsideId;
import io.millrace.connectors.bridge.system.OutsideShare;
import io.millrace.connectors.bridge.system.OutsideSubmission;
import io.millrace.connectors.bridge.system.OutsideTag;
import io.millrace.connectors.bridge.system.OutsideUsage;
import io.millrace.connectors.local.run.PrintedOutput;
import io.millrace.connectors.local.run.RunOutcome;
import io.millrace.connectors.local.run.RunUsage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ForwardOutcomeTest {

  private static final String SELF = System.getProperty("user.name");

  private static final Instant NOW = Instant.ofEpochSecond(1_795_646_860);

  private static final OutsideUsage USED = new OutsideUsage(86, 1000, 4728, 4584);

  private static final OutsideEnd KILLED =
      new OutsideEnd(-1, 9, OutsideCause.SIGNALLED, "failed 100").withUsage(USED);

  @TempDir Path spool;

  private RunOutcome outcome(OutsideEnd end, boolean delete) {
    return outcomes().of(run(end, delete), 1);
  }

  private static OutsideRun run(OutsideEnd end, boolean delete) {
    OutsideSubmission order =
        new OutsideSubmission(
            new OutsideTag("c2", "12", 1),
            SELF,
            "name",
            new OutsideSubmission.OutsidePlace(Optional.empty(), List.of()),
            new OutsideAmounts(List.of(new OutsideShare(1, 0, 1, Map.of())), Optional.empty()),
            new OutsideSubmission.SubmittedScript(new byte[0], List.of(), Map.of(), "/"));
    return new OutsideRun(
        order,
        OutsideRunState.ENDED,
        NOW,
        Optional.of(OutsideId.of(7)),
        Optional.of(NOW),
        1,
        Optional.empty(),
        delete,
        Optional.of(end),
        Optional.empty(),
        Optional.empty());
  }

  private ForwardOutcome outcomes() {
    SharedRunFolders folders =
        new SharedRunFolders(
            spool.toString(),
            command -> {
              throw new AssertionError(command);
            },
            new AccountCommands(
                Optional.empty(), Optional.empty(), Map.of(), Duration.ofSeconds(1), 1000));
    return new ForwardOutcome(folders);
  }

  @Test
  void whatWasToBeDeletedAndWasKilledWasDeleted() {
    RunOutcome deleted = outcome(KILLED, true);
    assertEquals(271, deleted.exitStatus());
    assertEquals(RunOutcome.RunEndReason.CANCELLED, deleted.reason());
    assertEquals("", deleted.message());
    assertEquals(256 + 9, outcome(KILLED, false).exitStatus());
    OutsideEnd before = new OutsideEnd(3, 0, OutsideCause.EXITED, "");
    assertEquals(3, outcome(before, true).exitStatus(), "it had ended by itself");
  }

  /** Whoever told the end: a record, or a history. */
  @Test
  void aLimitThatTheClusterToldEndsTheJobByThatWithWhatItHasUsed() {
    OutsideEnd limit = OutsideEnd.of(OutsideCause.TIME_LIMIT, "OpenPBS: Exit_status -29");
    RunOutcome told = outcome(limit.withUsage(USED), false);
    assertEquals(-29, told.exitStatus());
    assertEquals(RunOutcome.RunEndReason.WALLTIME, told.reason());
    assertEquals(new RunUsage(86, 1000, 4728, 4584), told.usage());
  }

  @Test
  void whatBecameOfItsFilesIsTold() throws IOException {
    OutsideEnd exited = new OutsideEnd(1, 0, OutsideCause.EXITED, "Slurm: FAILED");
    Path run = Files.createDirectories(spool.resolve(SELF).resolve("mr.c2.12.1"));
    Files.writeString(run.resolve("told"), "output kept in /x\ncannot stage files out: no\n");
    RunOutcome kept = outcome(exited, false);
    assertEquals(1, kept.exitStatus());
    assertEquals("output kept in /x; cannot stage files out: no", kept.message());
    Files.writeString(run.resolve("unstaged"), "cannot stage files in: no file\nmatches\n");
    RunOutcome unstaged = outcome(exited, false);
    assertEquals(-31, unstaged.exitStatus());
    assertEquals("cannot stage files in: no file; matches", unstaged.message());
    Files.writeString(run.resolve("unstaged"), "x\u001b[2J\u0007\n");
    assertEquals("x?[2J?", outcome(exited, false).message());
    assertEquals(1, outcome(exited, true).exitStatus(), "it was deleted meanwhile");
    assertEquals(256 + 9, outcome(KILLED, false).exitStatus());
  }

  /** Accounting may measure nothing; the files are their owner's, who may write what he likes. */
  @Test
  void whatAccountingHasNotMeasuredTheFilesSay() throws IOException {
    OutsideEnd end = new OutsideEnd(0, 0, OutsideCause.EXITED, "");
    assertEquals(0, outcome(end, false).usage().memKb());
    Path run = Files.createDirectories(spool.resolve(SELF).resolve("mr.c2.12.1"));
    Files.writeString(run.resolve("peak"), "4096000\n");
    Files.writeString(run.resolve("times"), "0m0.000s 0m0.000s\n0m1.000s 0m0.500s\n");
    assertEquals(4000, outcome(end, false).usage().memKb());
    assertEquals(1500, outcome(end, false).usage().cputMs());
    RunUsage told = outcome(end.withUsage(new OutsideUsage(0, 1000, 0, 0)), false).usage();
    assertEquals(new RunUsage(1500, 1000, 4000, 0), told);
    assertEquals(4728, outcome(end.withUsage(USED), false).usage().memKb());
    assertEquals(86, outcome(end.withUsage(USED), false).usage().cputMs());
    for (String odd : List.of("-1\n", "x\n", "9".repeat(40), "1 2\n", "")) {
      Files.writeString(run.resolve("peak"), odd);
      assertEquals(0, outcome(end, false).usage().memKb(), odd);
    }
  }

  /** Of many tasks, and of a job that was killed, too. */
  @Test
  void stepsAreReadFromTheRunsFolder() throws IOException {
    assertEquals(0, outcomes().steps(run(KILLED, true)).output().length);
    Path run = Files.createDirectories(spool.resolve(SELF).resolve("mr.c2.12.1"));
    String steps = "1234 0 56789\n".repeat(100);
    Files.writeString(run.resolve("steps"), steps);
    byte[] read = outcomes().steps(run(KILLED, true)).output();
    assertEquals(steps, new String(read, StandardCharsets.US_ASCII));
    Files.writeString(run.resolve("steps"), steps.repeat(100));
    assertEquals(PrintedOutput.MAX, outcomes().steps(run(KILLED, true)).output().length);
  }

  @Test
  void whatCouldNotBeginIsTriedAgainUnlessItIsDeleted() {
    OutsideEnd failed = OutsideEnd.of(OutsideCause.WRAPPER_FAILED, "no room");
    assertEquals(-3, outcome(failed, false).exitStatus());
    assertEquals("cluster c2: no room", outcome(failed, false).message());
    assertEquals(271, outcome(failed, true).exitStatus());
  }

  @Test
  void anEndBeforeTheScriptBeganSaysSo() throws IOException {
    OutsideEnd exited = new OutsideEnd(73, 0, OutsideCause.EXITED, "Slurm: FAILED");
    assertEquals(
        "cluster c2: Slurm: FAILED; nothing in the spool says that its script began",
        outcome(exited, false).message());
    Path run = Files.createDirectories(spool.resolve(SELF).resolve("mr.c2.12.1"));
    Files.writeString(run.resolve("claim"), "id=7\nhost=n1\nbegan=1795646850\n");
    assertEquals("", outcome(exited, false).message());
  }

  /** The file is of the account, which may write it before the script begins and change it then. */
  @Test
  void noScriptBeganBeforeItWasSeenToRun() throws IOException {
    Path run = Files.createDirectories(spool.resolve(SELF).resolve("mr.c2.12.1"));
    Files.writeString(run.resolve("claim"), "id=7\nhost=n1\nbegan=0\n");
    Instant seen = NOW.plusSeconds(7200);
    long earliest = seen.toEpochMilli() - ForwardOutcome.SEEN_LATE.toMillis();
    assertEquals(OptionalLong.of(earliest), outcomes().began(live(OutsideRunState.RUNNING, seen)));
    for (OutsideRunState state : List.of(OutsideRunState.WAITING, OutsideRunState.SUBMITTED)) {
      assertEquals(OptionalLong.empty(), outcomes().began(live(state, seen)), state.name());
    }
    long told = seen.getEpochSecond() - 5;
    Files.writeString(run.resolve("claim"), "id=7\nhost=n1\nbegan=" + told + "\n");
    assertEquals(
        OptionalLong.of(told * 1000), outcomes().began(live(OutsideRunState.RUNNING, seen)));
  }

  @Test
  void noRunThatIsOverBeganBeforeItWasSubmitted() throws IOException {
    Path run = Files.createDirectories(spool.resolve(SELF).resolve("mr.c2.12.1"));
    Files.writeString(run.resolve("claim"), "id=7\nhost=n1\nbegan=0\n");
    Files.writeString(run.resolve("exit"), "status=0\nended=" + (NOW.getEpochSecond() + 9) + "\n");
    RunOutcome over = outcome(new OutsideEnd(0, 0, OutsideCause.EXITED, ""), false);
    assertEquals(NOW.toEpochMilli(), over.times().startedMs());
    assertEquals(9000, over.usage().walltimeMs());
  }

  private static OutsideRun live(OutsideRunState state, Instant since) {
    OutsideRun over = run(KILLED, false);
    return new OutsideRun(
        over.order(),
        state,
        since,
        over.id(),
        over.submitted(),
        1,
        Optional.empty(),
        false,
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  @Test
  void whatAccountingSaysOfUsageCounts() {
    assertEquals(new RunUsage(86, 1000, 4728, 4584), outcome(KILLED, false).usage());
    assertEquals(
        new RunUsage(0, 0, 0, 0),
        outcome(new OutsideEnd(3, 0, OutsideCause.EXITED, ""), false).usage());
  }
}
