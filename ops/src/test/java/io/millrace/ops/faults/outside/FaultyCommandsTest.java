package io.millrace.ops.faults.outside;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.connectors.bridge.command.OutsideAnswer;
import io.millrace.connectors.bridge.command.OutsideAnswer.ProcessEnding;
import io.millrace.connectors.bridge.command.OutsideCommand;
import io.millrace.connectors.bridge.command.ProcessRunner;
import io.millrace.connectors.bridge.system.OutsideAmounts;
import io.millrace.connectors.bridge.system.OutsideShare;
import io.millrace.connectors.bridge.system.OutsideSubmission;
import io.millrace.connectors.bridge.system.OutsideTag;
import io.millrace.connectors.bridge.system.RunWrapper;
import io.millrace.ops.faults.evidence.CommandNote;
import io.millrace.ops.outside.peer.PeerCluster;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands in the place of a system's, in front of one that numbers what it is given. */
class FaultyCommandsTest {

  private static final Duration SHORT = Duration.ofMillis(2_500);

  @TempDir Path folder;
  private Path real;

  @BeforeEach
  void realCommands() throws IOException {
    real = Files.createDirectory(folder.resolve("real"));
    program("sbatch", "cat >> given; echo . >> count; wc -l < count; echo warning >&2");
    program("squeue", "echo \"$*\" >> asked; echo 0123456789012345678");
  }

  private void program(String name, String text) throws IOException {
    Path file = Files.writeString(real.resolve(name), "#!/bin/sh\ncd " + real + "\n" + text + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private FaultyCommands commands(OutsideSabotage... sabotage) throws IOException {
    FaultyCommands commands =
        FaultyCommands.make(
            folder.resolve("commands"),
            new FaultyCommands.FaultyCommandTerms(
                real, List.of("sbatch", "squeue"), "sbatch", OutageWords.of(PeerCluster.SLURM)),
            OptionalLong.of(7),
            List.of(sabotage).stream().findFirst());
    commands.on();
    return commands;
  }

  /** Has the next calls of a command do what is said here. */
  private void plan(String name, String... words) throws IOException {
    Files.writeString(
        folder.resolve("commands/state/plan." + name), String.join("\n", words) + "\n");
  }

  private OutsideAnswer call(Duration limit, String input, String... words)
      throws InterruptedException {
    List<String> all = new ArrayList<>(List.of(words));
    all.set(0, folder.resolve("commands").resolve(words[0]).toString());
    return new ProcessRunner()
        .run(
            new OutsideCommand(
                all, input.getBytes(StandardCharsets.UTF_8), Map.of(), limit, 100_000));
  }

  private OutsideAnswer submit(int job) throws InterruptedException {
    return call(Duration.ofSeconds(20), "script\n", "sbatch", "--comment=mr.c1." + job + ".1");
  }

  private String carriedOut() throws IOException {
    return Files.readString(real.resolve("count")).strip();
  }

  private static List<String> whats(FaultyCommands commands) throws IOException {
    return commands.notes().stream().map(CommandNote::what).toList();
  }

  @Test
  void withoutAFaultTheRealOneAnswers() throws Exception {
    FaultyCommands commands = commands();
    plan("sbatch", "none");
    OutsideAnswer answer = submit(5);
    assertEquals("1\n", answer.out());
    assertEquals("warning\n", answer.err());
    assertEquals("script\n", Files.readString(real.resolve("given")));
    CommandNote note = commands.notes().get(0);
    assertEquals("mr.c1.5.1", note.tag());
    assertEquals(1, note.number());
    assertTrue(note.begunMs() <= note.atMs());
    commands.off();
    assertEquals("2\n", submit(6).out());
    assertEquals(1, commands.notes().size(), "what is off says nothing");
  }

  @Test
  void aSwallowedAnswerIsThatOfASubmissionThatWasCarriedOut() throws Exception {
    FaultyCommands commands = commands();
    plan("sbatch", "swallow", "unsent");
    OutsideAnswer answer = call(SHORT, "", "sbatch", "-A", "mr.c1.5.1");
    assertEquals(ProcessEnding.TIMED_OUT, answer.ending());
    assertEquals(".", carriedOut());
    assertEquals(ProcessEnding.TIMED_OUT, call(SHORT, "", "sbatch").ending());
    assertEquals(".", carriedOut(), "it was not carried out");
    assertEquals(List.of("carried", "swallowed", "unsent"), whats(commands));
    assertEquals("mr.c1.5.1", commands.notes().get(0).tag());
  }

  @Test
  void otherAnswersAreCutLateOrThoseOfASecondJob() throws Exception {
    FaultyCommands commands = commands();
    plan("sbatch", "twice", "late 60");
    plan("squeue", "cut", "none");
    assertEquals("1\n", submit(5).out());
    assertEquals(".\n.", carriedOut());
    assertEquals(ProcessEnding.TIMED_OUT, call(SHORT, "", "sbatch").ending());
    assertEquals(".\n.\n.", carriedOut());
    Duration enough = Duration.ofSeconds(20);
    OutsideAnswer cut = call(enough, "", "squeue", "--json");
    assertEquals("0123456789", cut.out());
    assertEquals(0, cut.status());
    assertEquals("0123456789012345678\n", call(enough, "", "squeue", "a b", "'$(id)").out());
    assertEquals("--json\na b '$(id)\n", Files.readString(real.resolve("asked")));
    assertEquals(
        List.of("carried", "doubling", "doubled", "carried", "late", "cut"), whats(commands));
  }

  @Test
  void aNumberOfCallsThatIsNoneCarriesNothingOut() throws Exception {
    FaultyCommands commands = commands();
    plan("sbatch", "cut", "none");
    Path carried = folder.resolve("carried");
    Files.writeString(
        folder.resolve("commands/state/calls.sbatch"), "a[$(touch " + carried + ")0]\n");
    submit(5);
    assertEquals(List.of("carried", "cut"), whats(commands), "counted anew");
    assertFalse(Files.exists(carried));
  }

  @Test
  void inAnOutageNothingIsCarriedOut() throws Exception {
    FaultyCommands commands = commands();
    plan("sbatch", "none");
    commands.outage(true);
    OutsideAnswer refused = submit(5);
    assertEquals(1, refused.status());
    assertTrue(refused.err().contains("Invalid authentication credential"), refused::err);
    OutsideAnswer queue = call(Duration.ofSeconds(20), "", "squeue", "--json");
    assertEquals(0, queue.status());
    assertTrue(queue.out().contains("\"error\":\"Protocol"), queue::out);
    assertFalse(Files.exists(real.resolve("count")));
    commands.outage(false);
    assertEquals("1\n", submit(5).out());
    assertEquals(2, FaultyCommands.count(commands.notes(), "refused"));
  }

  @Test
  void plantedAQuestionThatFailsIsAnsweredWithAnEmptyQueue() throws Exception {
    commands(OutsideSabotage.FAILED_QUERY_IS_END).outage(true);
    OutsideAnswer queue = call(Duration.ofSeconds(20), "", "squeue", "--json");
    assertTrue(queue.out().contains("\"errors\":[],\"jobs\":[]"), queue::out);
    assertEquals(1, submit(5).status());
  }

  /** Also where each takes so long that nobody waits for the second one any more. */
  @Test
  void plantedASwallowedSubmissionIsMadeAgain() throws Exception {
    FaultyCommands commands = commands(OutsideSabotage.NO_LOOK_UP);
    program("sbatch", "echo . >> count; sleep 1.5; wc -l < count");
    plan("sbatch", "swallow", "none");
    call(SHORT, "", "sbatch", "-A", "mr.c1.5.1");
    await().until(() -> whats(commands).size() == 3);
    submit(6);
    List<Long> numbers = commands.notes().stream().map(CommandNote::number).toList();
    assertEquals(List.of(1L, -1L, 2L, 3L), numbers);
  }

  /** The wrapper as it is submitted: without its claim each copy of it runs the script. */
  @Test
  void plantedTwoWrappersRunTheScriptTwice() throws Exception {
    assertEquals("ran\n", bothRun());
    FaultyCommands commands = commands(OutsideSabotage.NO_CLAIM);
    assertEquals("ran\nran\n", bothRun());
    assertEquals(1, FaultyCommands.count(commands.notes(), CommandNote.DOUBLED));
  }

  private String bothRun() throws Exception {
    if (!Files.exists(folder.resolve("commands"))) {
      commands();
    }
    program("sbatch", "/bin/bash; echo 4");
    plan("sbatch", "twice", "twice");
    Path ran = folder.resolve("ran");
    Files.deleteIfExists(ran);
    Path spool = Files.createTempDirectory(folder, "spool");
    Files.createDirectory(spool.resolve("alice"));
    OutsideSubmission submission =
        new OutsideSubmission(
            new OutsideTag("c1", "5", 1),
            "alice",
            "x",
            new OutsideSubmission.OutsidePlace(Optional.empty(), List.of()),
            new OutsideAmounts(List.of(new OutsideShare(1, 0, 1, Map.of())), Optional.empty()),
            new OutsideSubmission.SubmittedScript(
                ("#!/bin/sh\necho ran >> " + ran + "\n").getBytes(StandardCharsets.UTF_8),
                List.of(),
                Map.of(),
                "/"));
    String wrapper =
        new String(RunWrapper.of(spool.toString(), submission), StandardCharsets.US_ASCII);
    call(Duration.ofSeconds(20), wrapper, "sbatch");
    return Files.readString(ran);
  }

  @Test
  void thePlanFollowsFromTheSeedAndHasEachFault() {
    List<String> plan = CommandPlan.lines("sbatch", true, 3, 400);
    assertEquals(plan, CommandPlan.lines("sbatch", true, 3, 400));
    assertNotEquals(plan, CommandPlan.lines("sbatch", true, 4, 400));
    for (int call = 10; call <= 400; call += 10) {
      assertEquals("swallow", plan.get(call - 1));
    }
    assertEquals(
        List.of("cut", "late 2", "late 60", "none", "swallow", "twice", "unsent"),
        List.copyOf(new TreeSet<>(plan)));
    List<String> asking = CommandPlan.lines("squeue", false, 3, 400);
    assertFalse(asking.contains("twice") || asking.contains("swallow"), asking::toString);
    assertEquals("cut", asking.get(2));
  }

  @Test
  void aLineThatItsWriterDiedInIsNone() {
    assertTrue(CommandNote.parse("1764000000000 sbatch carried mr.c1.5.1 12").isEmpty());
    assertTrue(CommandNote.parse("17640000").isEmpty());
    assertEquals(
        Optional.of(new CommandNote(1764000000000L, "squeue", "cut", List.of("-"))),
        CommandNote.parse("1764000000000 squeue cut -"));
  }
}
