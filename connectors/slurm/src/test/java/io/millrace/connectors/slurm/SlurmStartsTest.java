package io.millrace.connectors.slurm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.connectors.bridge.cluster.ClusterFile;
import io.millrace.connectors.bridge.files.OutsideFiles;
import io.millrace.connectors.bridge.system.OutsideChanges;
import io.millrace.connectors.bridge.system.OutsideId;
import io.millrace.connectors.bridge.system.OutsideMove;
import io.millrace.connectors.bridge.system.OutsideState;
import io.millrace.connectors.bridge.system.Told;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Begins and ends of jobs, as the controller's script writes them and as they are read. */
class SlurmStartsTest {

  private static final String BEGIN = "prolog_slurmctld 12 - alice 1795979774\n";
  private static final String END = "epilog_slurmctld 15 12_3 bob 1795979775\n";

  @TempDir Path home;
  private Path written;
  private SlurmFiles files;

  @BeforeEach
  void open() throws Exception {
    written = home.resolve("starts");
    files = files("starts = " + written);
  }

  private SlurmFiles files(String... keys) throws Exception {
    List<String> lines =
        new ArrayList<>(
            List.of("name = c1", "system = slurm", "cluster_name = hand", "mode = observe"));
    lines.addAll(List.of(keys));
    Path file = Files.write(home.resolve("c1.properties"), lines);
    return new SlurmFiles(ClusterFile.read(file, List.of(new SlurmKind())), OutsideFiles.here());
  }

  private static OutsideChanges changes(SlurmFiles files, String cursor) {
    return ((Told.Answered<OutsideChanges>) files.changes(cursor)).value();
  }

  private void append(String text) throws IOException {
    Files.writeString(written, text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  private static List<String> said(OutsideChanges changes) {
    return changes.moves().stream().map(it -> it.id() + " " + it.state()).toList();
  }

  @Test
  void aLineSaysWhoseJobHasBegun() {
    OutsideMove begin = ControllerLine.move(BEGIN.strip()).orElseThrow();
    Instant at = Instant.ofEpochSecond(1_795_979_774L);
    Optional<String> noName = Optional.empty();
    assertEquals(
        new OutsideMove(
            OutsideId.of(12), "alice", Optional.empty(), OutsideState.RUNNING, at, noName),
        begin);
    OutsideMove end = ControllerLine.move(END.strip()).orElseThrow();
    assertEquals(new OutsideId(12, 3), end.id());
    assertEquals(OutsideState.ENDING, end.state());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "prolog_slurmctld 12 - alice",
        "prolog_slurmctld 12 - alice 17959797745555",
        "prolog_slurmctld 12 - alice 1795979774 more",
        "prolog_slurmctld 0 - alice 1795979774",
        "prolog_slurmctld 99999999999 - alice 1795979774",
        "prolog_slurmctld 12 12_0 alice 1795979774",
        "prolog_slurmctld 12 12_ alice 1795979774",
        "prolog_slurmctld 12 - al ice 1795979774",
        "prolog_slurmctld 12 - al\u001bice 1795979774",
        "prolog 12 - alice 1795979774",
        "oprolog_slurmctld 12 - alice 1795979774",
        "prolog_slurmctld 12 -  1795979774",
        "epilog_slurmctld -12 - alice 1795979774"
      })
  void otherLinesSayNothing(String line) {
    assertEquals(Optional.empty(), ControllerLine.move(line));
  }

  @Test
  void linesAreReadOnceAndWhole() throws Exception {
    append(BEGIN);
    String cursor = changes(files, "").cursor();
    append("prolog_slurmctld 13 - ali");
    OutsideChanges half = changes(files, cursor);
    assertEquals(List.of(), said(half));
    append("ce 1795979780\ngarbage\n\0\n" + END);
    OutsideChanges rest = changes(files, half.cursor());
    assertEquals(List.of("13 RUNNING", "12.3 ENDING"), said(rest));
    assertTrue(rest.atEnd());
    assertEquals(List.of(), said(changes(files, rest.cursor())));
  }

  @Test
  void aFileThatIsRotatedOrCutShortIsReadOn() throws Exception {
    append(BEGIN);
    String cursor = changes(files, "").cursor();
    append(END);
    Files.move(written, home.resolve("starts.1"));
    append(BEGIN);
    List<String> said = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      OutsideChanges changes = changes(files, cursor);
      said.addAll(said(changes));
      cursor = changes.cursor();
    }
    assertEquals(List.of("12.3 ENDING", "12 RUNNING"), said);
    Files.writeString(written, "");
    OutsideChanges cut = changes(files, cursor);
    append(END);
    OutsideChanges after = changes(files, cut.cursor());
    assertEquals(List.of("12.3 ENDING"), said(after));
    // A gap is one of accounting only: from begins that are lost nothing follows.
    assertFalse(cut.gap() || after.gap());
  }

  @Test
  void aFileThatCannotBeReadKeepsNoEndsUp() throws Exception {
    Path ends = Files.writeString(home.resolve("jobcomp"), "");
    SlurmFiles both = files("accounting = " + ends, "starts = " + home.resolve("none/starts"));
    String cursor = changes(both, "").cursor();
    Files.createDirectories(home.resolve("none/starts"));
    Files.writeString(ends, SlurmFixtures.COMPLETION + "\n");
    OutsideChanges changes = changes(both, cursor);
    assertEquals(1, changes.records().size());
    assertTrue(both.hasAccounting());
  }

  /** As slurmctld starts it; what is not said is not there. */
  private int write(Map<String, String> said) throws Exception {
    Path script = home.resolve("script");
    try (InputStream in = SlurmKind.class.getResourceAsStream(SlurmKind.STARTS_SCRIPT)) {
      String text = new String(in.readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
      Files.writeString(script, text.replaceFirst("(?m)^file=.*", "file=" + written));
    }
    assertTrue(script.toFile().setExecutable(true));
    ProcessBuilder builder = new ProcessBuilder(script.toString());
    builder.environment().clear();
    builder.environment().putAll(said);
    Process process = builder.redirectErrorStream(true).start();
    assertTrue(process.waitFor(60, TimeUnit.SECONDS));
    assertEquals("", new String(process.getInputStream().readAllBytes()));
    return process.exitValue();
  }

  private static Map<String, String> job(String... more) {
    Map<String, String> said =
        new HashMap<>(
            Map.of(
                "SLURM_SCRIPT_CONTEXT", "prolog_slurmctld",
                "SLURM_JOB_ID", "12",
                "SLURM_JOB_USER", "alice"));
    for (int i = 0; i < more.length; i += 2) {
      said.put(more[i], more[i + 1]);
    }
    return said;
  }

  @Test
  void whatTheScriptWritesIsRead() throws Exception {
    long before = Instant.now().getEpochSecond();
    assertEquals(0, write(job("SLURM_JOB_NAME", "x\nprolog_slurmctld 99 - bob 1")));
    String task = "epilog_slurmctld";
    assertEquals(
        0,
        write(
            job(
                "SLURM_SCRIPT_CONTEXT",
                task,
                "SLURM_ARRAY_JOB_ID",
                "9",
                "SLURM_ARRAY_TASK_ID",
                "4")));
    List<OutsideMove> moves =
        Files.readAllLines(written).stream()
            .map(it -> ControllerLine.move(it).orElseThrow())
            .toList();
    assertEquals(2, moves.size());
    assertEquals("12 alice RUNNING", moves.get(0).id() + " alice " + moves.get(0).state());
    assertEquals(new OutsideId(9, 4), moves.get(1).id());
    assertFalse(moves.get(0).at().isBefore(Instant.ofEpochSecond(before)));
  }

  /** A job whose prologue fails is queued again: it never fails, and writes nothing odd. */
  @Test
  void theScriptWritesNoHostileWords() throws Exception {
    for (String word :
        List.of("", "a b", "x\nprolog_slurmctld 99 - bob 1", "é", "\u0007", "a".repeat(300))) {
      assertEquals(0, write(job("SLURM_JOB_USER", word)), word);
      assertEquals(0, write(job("SLURM_JOB_ID", word)), word);
      assertEquals(0, write(job("SLURM_SCRIPT_CONTEXT", word)), word);
      assertEquals(0, write(job("SLURM_ARRAY_JOB_ID", "7", "SLURM_ARRAY_TASK_ID", word)), word);
    }
    assertFalse(Files.exists(written));
    Path began = home.resolve("began");
    Path hook = Files.writeString(home.resolve("hook"), "touch '" + began + "'\n");
    assertEquals(
        0,
        write(
            job(
                "BASH_ENV",
                hook.toString(),
                "ENV",
                hook.toString(),
                "BASH_FUNC_printf%%",
                "() { touch '" + began + "'; }",
                "SHELLOPTS",
                "noexec")));
    assertFalse(Files.exists(began));
    assertEquals(1, Files.readAllLines(written).size());
  }

  @Test
  void aPlaceWhereNothingCanBeWrittenFailsNoJob() throws Exception {
    written = home.resolve("none/starts");
    assertEquals(0, write(job()));
    written = Files.createDirectories(home.resolve("folder"));
    assertEquals(0, write(job()));
  }
}
