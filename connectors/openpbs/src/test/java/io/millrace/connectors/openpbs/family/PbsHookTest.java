package io.millrace.connectors.openpbs.family;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.millrace.connectors.bridge.files.OutsideFiles;
import io.millrace.connectors.bridge.recorded.MutationTrial;
import io.millrace.connectors.bridge.system.OutsideChanges;
import io.millrace.connectors.bridge.system.OutsideId;
import io.millrace.connectors.bridge.system.OutsideMove;
import io.millrace.connectors.bridge.system.OutsideState;
import io.millrace.connectors.bridge.system.Told;
import io.millrace.schemas.Seeds;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What tells begins of jobs: records of the letter S, and lines of the server's hook. No live
 * server has run the hook: the module pbs is played here, as its documentation describes it.
 */
class PbsHookTest extends MutationTrial {

  private static final Path PYTHON = Path.of("/usr/bin/python3");

  private static final String STARTED =
      "11/20/2026 15:36:03;S;2.vm;user=pbsu1 group=pbsu1 project=_pbs_project_default"
          + " jobname=STDIN queue=workq ctime=1795188963 qtime=1795188963 etime=1795188963"
          + " start=1795188963 exec_host=vm/1 exec_vnode=(vm[6]:ncpus=1)"
          + " Resource_List.ncpus=1 resource_assigned.ncpus=1 ";

  /** What the hook uses of the module pbs; accept ends the hook, as the real one does. */
  private static final String PLAYED =
      """
      import os
      RUNJOB, JOBOBIT, QUEUEJOB, LOG_WARNING = 16, 4096, 1, 4
      class Job:
          id = os.environ["JOB"]
      class Event:
          type = int(os.environ["KIND"])
          job = Job()
          def accept(self):
              print("accepted")
              raise SystemExit
      def event():
          return Event()
      def logmsg(level, text):
          print("log", level, text)
      """;

  @TempDir Path folder;
  private Path written;

  PbsHookTest() {
    super(";=.[] \n0", Seeds.NIGHT ? 1_000_000 : 1_000);
  }

  @Override
  protected void readMutated(int round) {
    PbsRecord.begin(mutated(STARTED), "vm");
    PbsHookFile.move(mutated("begin 12.vm 1795188963"), "vm");
  }

  @Override
  protected void readLong() {
    PbsRecord.begin(STARTED + "start=".repeat(100_000), "vm");
    PbsHookFile.move("begin 12.vm 1 " + "9".repeat(1_000_000), "vm");
  }

  @BeforeEach
  void aFile() {
    written = folder.resolve("begins");
  }

  /** Starts the hook for a job, and says what it printed. */
  private String hook(int kind, String job) throws Exception {
    assumeTrue(Files.isExecutable(PYTHON), "no " + PYTHON);
    try (InputStream in =
        PbsHookFile.class.getResourceAsStream(
            "/io/millrace/connectors/openpbs/millrace-pbs-hook.py")) {
      String text = new String(in.readAllBytes(), StandardCharsets.US_ASCII);
      String usual = "FILE = \"/var/log/millrace-pbs/begins\"";
      assertTrue(text.contains(usual));
      Files.writeString(
          folder.resolve("hook.py"), text.replace(usual, "FILE = \"" + written + "\""));
    }
    Files.writeString(folder.resolve("pbs.py"), PLAYED);
    ProcessBuilder builder =
        new ProcessBuilder(PYTHON.toString(), folder.resolve("hook.py").toString())
            .redirectErrorStream(true);
    builder.environment().put("KIND", Integer.toString(kind));
    builder.environment().put("JOB", job);
    Process process = builder.start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertTrue(process.waitFor(30, TimeUnit.SECONDS));
    assertEquals(0, process.exitValue(), said);
    return said;
  }

  private List<OutsideMove> moves() throws IOException {
    return Files.readAllLines(written).stream()
        .flatMap(it -> PbsHookFile.move(it, "vm").stream())
        .toList();
  }

  @Test
  void aBeginAndAnEndAreALineEach() throws Exception {
    assertEquals("accepted\n", hook(16, "12.vm"));
    assertEquals("accepted\n", hook(4096, "13[4].vm"));
    assertEquals("accepted\n", hook(1, "14.vm"));
    List<OutsideMove> moves = moves();
    assertEquals(2, moves.size(), moves::toString);
    assertEquals(OutsideId.of(12), moves.get(0).id());
    assertEquals(OutsideState.RUNNING, moves.get(0).state());
    assertEquals(new OutsideId(13, 4), moves.get(1).id());
    assertEquals(OutsideState.ENDING, moves.get(1).state());
    assertEquals(2, Files.readAllLines(written).size());
  }

  /** A job that is not let begin would be worse than one whose begin is not told. */
  @Test
  void itAcceptsWhateverHappens() throws Exception {
    assertEquals("accepted\n", hook(16, "12.vm\nbegin 13.vm 1"));
    assertFalse(Files.exists(written));
    Path other = Files.writeString(folder.resolve("other"), "");
    Files.createSymbolicLink(written, other);
    assertTrue(hook(16, "12.vm").matches("(?s)log 4 millrace: .*accepted\n"));
    assertEquals("", Files.readString(other));
    Files.delete(written);
    assertEquals(0, new ProcessBuilder("/usr/bin/mkfifo", written.toString()).start().waitFor());
    assertTrue(hook(16, "12.vm").endsWith("accepted\n"));
    written = folder.resolve("none/begins");
    assertTrue(hook(16, "12.vm").endsWith("accepted\n"));
  }

  /** Its user may be anybody's words: the number alone counts. */
  @Test
  void aRecordOfABeginIsAHint() {
    OutsideMove move = PbsRecord.begin(STARTED, "vm").orElseThrow();
    assertEquals(OutsideId.of(2), move.id());
    assertEquals(OutsideState.RUNNING, move.state());
    assertEquals(1795188963, move.at().getEpochSecond());
    assertEquals("", move.account());
    assertEquals(Optional.empty(), PbsRecord.begin(STARTED, "other"));
    for (String letter : List.of("E", "Q", "D", "R")) {
      assertEquals(Optional.empty(), PbsRecord.begin(STARTED.replace(";S;", letter), "vm"));
    }
  }

  /** Each has a place of its own in the cursor, also where the key is new, or gone again. */
  @Test
  void theFileIsReadBesideTheAccounting() throws Exception {
    Path days = Files.createDirectory(folder.resolve("accounting"));
    Path day = Files.writeString(days.resolve("20261120"), STARTED + "\n");
    PbsAccounting accounting =
        new PbsAccounting(
            Optional.of(new AccountingDays(OutsideFiles.here(), days)), "vm", "project", null);
    PbsHookFile hook = new PbsHookFile(OutsideFiles.here(), written, "vm");
    String before = changes(accounting.changes("")).cursor();
    String first = changes(hook.changes(before, accounting::changes)).cursor();
    Files.writeString(written, "begin 12.vm 1795188963\nnoise\n");
    Files.writeString(day, STARTED + "\n" + STARTED.replace(";2.vm;", ";3.vm;") + "\n");
    OutsideChanges both = changes(hook.changes(first, accounting::changes));
    assertEquals(
        List.of(OutsideId.of(3), OutsideId.of(12)),
        both.moves().stream().map(OutsideMove::id).toList());
    OutsideChanges none = changes(hook.changes(both.cursor(), accounting::changes));
    assertEquals(List.of(), none.moves());
    assertTrue(both.cursor().startsWith(PbsHookFile.without(both.cursor()) + " "));
    assertEquals(
        List.of(), changes(accounting.changes(PbsHookFile.without(both.cursor()))).moves());
    Files.delete(written);
    Files.createDirectory(written);
    assertEquals(List.of(), changes(hook.changes(both.cursor(), accounting::changes)).moves());
  }

  private static OutsideChanges changes(Told<OutsideChanges> told) {
    return ((Told.Answered<OutsideChanges>) told).value();
  }
}
