package io.millrace.connectors.local.execution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.connectors.local.run.RunContext;
import io.millrace.connectors.local.run.RunFiles;
import io.millrace.connectors.local.run.RunOutcome;
import io.millrace.connectors.local.run.RunRequest;
import io.millrace.connectors.local.run.SomeContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A run that prints more than it may, under each supervisor. */
class OutputBoundIT {

  private static final long BOUND_KB = 4096;
  private static final String WORDS = "output \\d+kb exceeded limit 4096kb";

  @TempDir Path folder;

  static Stream<Path> shellAtNight() throws Exception {
    return Supervisors.shellAtNight();
  }

  private ExecutionFolder place(Path supervisor) throws IOException {
    return new ExecutionFolder(folder, folder.resolve("spool"), supervisor, true);
  }

  @ParameterizedTest
  @MethodSource("shellAtNight")
  void whoPrintsWithoutEndIsEndedAndHisFileIsCut(Path supervisor) throws Exception {
    try (ExecutionFolder place = place(supervisor)) {
      RunRequest request = place.script("1.vm", "yes & yes >&2; wait");
      place.open().start(ExecutionFolder.withOutput(request, BOUND_KB));
      RunOutcome outcome = place.outcome("1.vm");
      assertEquals(-32, outcome.exitStatus(), outcome.message());
      assertEquals(RunOutcome.RunEndReason.OUTPUT, outcome.reason());
      assertTrue(outcome.message().matches(WORDS), outcome.message());
      long out = Files.size(place.out("1.vm"));
      long err = Files.size(place.err("1.vm"));
      assertTrue(out + err <= (BOUND_KB + 1) * 1024, out + " and " + err);
      assertTrue(out + err >= BOUND_KB * 1024, out + " and " + err);
      List<String> lines = Files.readAllLines(place.err("1.vm"));
      String last = lines.get(lines.size() - 1);
      assertTrue(last.matches("=>> PBS: job killed: " + WORDS), last);
    }
  }

  @ParameterizedTest
  @MethodSource("shellAtNight")
  void soIsOneOfWhichBothGoToOneFile(Path supervisor) throws Exception {
    try (ExecutionFolder place = place(supervisor)) {
      RunRequest request = place.script("1.vm", "yes & yes >&2; wait");
      RunFiles files =
          new RunFiles(
              request.files().output(), request.files().error(), "oe", RunFiles.DEFAULT_UMASK);
      place
          .open()
          .start(ExecutionFolder.withOutput(ExecutionFolder.withFiles(request, files), BOUND_KB));
      assertEquals(-32, place.outcome("1.vm").exitStatus());
      List<String> lines = Files.readAllLines(place.out("1.vm"));
      assertTrue(lines.get(lines.size() - 1).matches("=>> PBS: job killed: " + WORDS));
    }
  }

  /** Whether it was seen in time must not decide how the run ends. */
  @ParameterizedTest
  @MethodSource("shellAtNight")
  void soIsOneThatHasEndedBeforeAnybodyLooked(Path supervisor) throws Exception {
    try (ExecutionFolder place = place(supervisor)) {
      RunRequest request = place.script("1.vm", "head -c 5000000 /dev/zero; exit 3");
      place.open().start(ExecutionFolder.withOutput(request, BOUND_KB));
      RunOutcome outcome = place.outcome("1.vm");
      assertEquals(-32, outcome.exitStatus(), outcome.message());
      assertEquals(BOUND_KB * 1024, Files.size(place.out("1.vm")));
      assertTrue(Files.readString(place.err("1.vm")).contains("=>> PBS: "));
    }
  }

  /** Its owner can write anything into it. */
  @ParameterizedTest
  @MethodSource("shellAtNight")
  void whatARunWritesOfItsStepsIsWithinTheBound(Path supervisor) throws Exception {
    try (ExecutionFolder place = place(supervisor)) {
      RunRequest plain = place.script("1.vm", "cat /dev/zero >>$MILLRACE_STEPS");
      RunContext context =
          SomeContext.of("test", "workq", Map.of("MILLRACE_STEPS", ""), List.of("here"), 2);
      RunRequest request =
          new RunRequest(
              plain.id(), plain.owner(), plain.program(), context, plain.files(), plain.terms());
      place.open().start(ExecutionFolder.withOutput(request, BOUND_KB));
      RunOutcome outcome = place.outcome("1.vm");
      assertEquals(-32, outcome.exitStatus(), outcome.message());
      try (Stream<Path> files = Files.walk(folder.resolve("spool"))) {
        List<Path> steps = files.filter(it -> it.getFileName().toString().equals("steps")).toList();
        assertEquals(1, steps.size());
        assertEquals(16 * 1024, Files.size(steps.get(0)));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("shellAtNight")
  void whoKeepsWithinItsBoundIsLeftAlone(Path supervisor) throws Exception {
    try (ExecutionFolder place = place(supervisor)) {
      String script = "head -c " + BOUND_KB * 1024 + " /dev/zero; sleep 1.5; exit 3";
      place.open().start(ExecutionFolder.withOutput(place.script("1.vm", script), BOUND_KB));
      RunOutcome outcome = place.outcome("1.vm");
      assertEquals(3, outcome.exitStatus(), outcome.message());
      assertEquals("", outcome.message());
      assertEquals(BOUND_KB * 1024, Files.size(place.out("1.vm")));
      assertEquals(0, Files.size(place.err("1.vm")));
    }
  }
}
