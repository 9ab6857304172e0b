package io.millrace.connectors.local.execution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.connectors.local.run.LocalSettings;
import io.millrace.connectors.local.run.RunFiles;
import io.millrace.connectors.local.run.RunOwner;
import io.millrace.connectors.local.run.RunRequest;
import io.millrace.connectors.local.spool.Spool;
import io.millrace.connectors.local.spool.SpoolFields;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Nothing of a run lives after its end, whatever its programs do, and they take no more than a part
 * of the process table. Each attack is made in a process namespace with a table of its own.
 */
class RunRemainsIT {
  private static final String OTHER = "daemon";
  private static final int TABLE = 2000;

  /**
   * A quarter is what they may have; who looks while they come and go counts some of them twice.
   */
  private static final int MOST_ENTRIES = TABLE / 2;

  @TempDir Path directory;

  /** The greatest attacks take a minute of processor time each; smaller ones of a kind do not. */
  private static void upTo(int most, int count) {
    Assumptions.assumeTrue(
        ExecutionFixture.NIGHT || count <= most, "greater attacks are made at night");
  }

  @BeforeEach
  void root() throws Exception {
    if (!ExecutionFolder.USER.equals("root") || exit("unshare", "--pid", "--fork", "true") != 0) {
      System.err.println("SKIPPED: no namespace can be made, the end of runs is not attacked");
      Assumptions.abort("not root, or no namespaces");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "chains, 4",
    "chains, 64",
    "chains, 256",
    "sessions, 4",
    "sessions, 64",
    "session, 5",
    "daemon, 5",
    "stranger, 5"
  })
  void aRunEndsWithAllItsProcesses(String attack, int count) throws Exception {
    upTo(16, count);
    Ended ended = attack(Supervisors.compiled(), "run", attack, count);
    assertEquals("0", ended.outcome.text("exit_status"), ended.outcome.text("message"));
    assertEquals("", ended.outcome.text("message"));
    ended.checkTable();
  }

  /** The script itself may find no process left for what it wants to start. */
  @ParameterizedTest
  @CsvSource({"bomb, 4", "sessions, 256"})
  void aRunCannotTakeTheProcessTable(String attack, int count) throws Exception {
    upTo(2, count);
    Ended ended = attack(Supervisors.compiled(), "run", attack, count);
    assertEquals("", ended.outcome.text("message"));
    ended.checkTable();
  }

  /** Also those that are found by nothing but their descent. */
  @ParameterizedTest
  @CsvSource({"session, 3", "daemon, 3", "stranger, 3", "chains, 16", "sessions, 16", "bomb, 2"})
  void aRunEndsWithItsSupervisor(String attack, int count) throws Exception {
    // A bomb that nobody bounds any more takes the host from all that runs beside it.
    upTo(attack.equals("bomb") ? 0 : 16, count);
    Ended ended = attack(Supervisors.compiled(), "killed", attack, count);
    ended.checkLost();
    ended.checkTable();
  }

  @ParameterizedTest
  @CsvSource({"session, 3", "daemon, 3", "chains, 16"})
  void aRunIsFoundByItsMarkWhenTheSpawnServerWasKilledToo(String attack, int count)
      throws Exception {
    attack(Supervisors.compiled(), "forsaken", attack, count).checkLost();
  }

  @ParameterizedTest
  @CsvSource({
    "run, chains, 4",
    "run, chains, 64",
    "run, session, 3",
    "run, daemon, 3",
    "killed, session, 3",
    "forsaken, daemon, 3"
  })
  @Tag("night")
  void theScriptEndsRunsBySessionAndMark(String how, String attack, int count) throws Exception {
    upTo(16, count);
    Ended ended = attack(Supervisors.shell(), how, attack, count);
    if (how.equals("run")) {
      assertEquals("", ended.outcome.text("message"));
    } else {
      ended.checkLost();
    }
  }

  /**
   * How an attack ended.
   *
   * @param peak the most entries of the process table
   * @param outcome as the supervisor wrote it
   */
  private record Ended(int peak, int refused, SpoolFields outcome) {
    void checkTable() {
      assertTrue(peak <= MOST_ENTRIES, peak + " entries of the process table");
      assertEquals(0, refused, "others could start nothing");
    }

    void checkLost() {
      assertEquals("-4", outcome.text("exit_status"));
      assertEquals(
          "the supervisor of the run died; what was left of the run was killed",
          outcome.text("message"));
    }
  }

  /** Attacks, and checks that nothing is left. */
  private Ended attack(Path supervisor, String how, String attack, int count) throws Exception {
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwxrwx"));
    Path program = AttackProgram.into(directory);
    String begin = program + " " + attack + " " + count + " " + directory + "\n";
    // By exec: a bomb leaves the shell no process to start another one.
    String script = begin + ": >" + directory + "/up; exec sleep " + (how.equals("run") ? 1 : 60);
    try (ExecutionFolder place =
        new ExecutionFolder(directory, directory.resolve("spool"), supervisor, false)) {
      Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwxrwx"));
      RunFiles files = new RunFiles(place.out("1.vm") + "", place.err("1.vm") + "", "n", 022);
      RunRequest request =
          ExecutionFolder.withOwner(
              ExecutionFolder.withFiles(place.script("1.vm", script), files),
              new RunOwner(OTHER, ""));
      LocalSettings settings = place.settings();
      Spool spool = Spool.open(settings.spool());
      assertTrue(spool.create(request, settings));
      String told = inNamespace(how, supervisor, spool.directory(request.id()));
      assertEquals(0, number(told, "left"), told);
      SpoolFields outcome = spool.fields(request.id(), "outcome").orElseThrow();
      return new Ended(number(told, "peak"), number(told, "refused"), outcome);
    }
  }

  private String inNamespace(String how, Path supervisor, Path run) throws Exception {
    Path told = directory.resolve("told");
    Process process =
        new ProcessBuilder(
                "unshare",
                "--pid",
                "--fork",
                "--mount-proc",
                "--kill-child",
                "bash",
                Path.of("src/test/sh/inside.sh").toAbsolutePath() + "",
                how,
                supervisor + "",
                run + "",
                directory + "",
                TABLE + "")
            .redirectOutput(told.toFile())
            .redirectError(directory.resolve("complaints").toFile())
            .start();
    boolean over = process.waitFor(2, TimeUnit.MINUTES);
    process.destroyForcibly(); // and with it all of the namespace
    assertTrue(over, "the run did not end: " + Files.readString(told));
    return Files.readString(told);
  }

  private static int number(String told, String word) {
    Matcher line = Pattern.compile("(?m)^" + word + " (\\d+)$").matcher(told);
    assertTrue(line.find(), word + " is not said: " + told);
    return Integer.parseInt(line.group(1));
  }

  private static int exit(String... words) throws IOException, InterruptedException {
    return new ProcessBuilder(List.of(words))
        .redirectErrorStream(true)
        .redirectOutput(Redirect.DISCARD)
        .start()
        .waitFor();
  }
}
