package io.millrace.server.gateway.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.common.ObjectKind;
import io.millrace.server.gateway.operand.ShellWords;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Wrong command lines get the texts and exit codes that a real OpenPBS gives. */
class TranscriptGoldenTest {

  /** Whose lines are compared; others of PBS's commands do not exist here. */
  private static final Set<String> COMMANDS =
      Set.of(
          "qsub",
          "qstat",
          "qselect",
          "qdel",
          "qhold",
          "qrls",
          "qalter",
          "qrerun",
          "qsig",
          "qorder",
          "qrun",
          "qmsg",
          "qmove",
          "pbsnodes",
          "qenable",
          "qdisable",
          "qstart",
          "qstop",
          "qterm",
          "qmgr");

  /** PBS takes it for letters; here it is answered. */
  private static final String HELP = " --help";

  /** Lines that differ on purpose, and why. */
  private static final Map<String, String> DIFFERENT =
      Map.ofEntries(
          Map.entry("qsub -J 1-20000 -- /bin/true", "job arrays are refused by name"),
          Map.entry("qmove nosuchq 47", "the recorded session had job 47"),
          Map.entry("qmgr </dev/null", "succeeds in both; compared in QmgrTest"));

  @TestFactory
  Stream<DynamicTest> excerptOfTheRecordings() throws Exception {
    Path fixture = Path.of(getClass().getResource("/transcripts/wrong-lines.txt").toURI());
    List<PbsTranscript.Entry> entries = PbsTranscript.read(fixture);
    assertTrue(entries.size() > 30, "the fixture was read");
    return entries.stream()
        .filter(e -> !e.line().endsWith(HELP))
        .map(e -> DynamicTest.dynamicTest(e.line(), () -> compare(e)));
  }

  /** All recordings, where they lie beside the checkout. */
  @TestFactory
  Stream<DynamicTest> allWrongLinesOfTheRecordings() throws IOException {
    Path root = Path.of(System.getProperty("millrace.root", "../.."));
    Path recordings = root.resolve("../shared/transcripts/openpbs").normalize();
    if (!Files.isDirectory(recordings)) {
      return Stream.of(
          DynamicTest.dynamicTest(
              "skipped: no recordings at " + recordings,
              () -> assertTrue(!Files.exists(recordings))));
    }
    Stream.Builder<DynamicTest> tests = Stream.builder();
    for (String file :
        List.of(
            "03_qmgr_sched_objects",
            "04_nodes_vnodes",
            "07_usage_exit_codes",
            "08_jobs_submit_query",
            "09_job_operations")) {
      for (PbsTranscript.Entry entry : PbsTranscript.read(recordings.resolve(file + ".txt"))) {
        if (decidedHere(entry)) {
          tests.add(DynamicTest.dynamicTest(file + ": " + entry.line(), () -> compare(entry)));
        }
      }
    }
    return tests.build();
  }

  /** Syntax, usage and identifiers; not what depends on objects that the recording had. */
  private static boolean decidedHere(PbsTranscript.Entry entry) {
    String command = entry.line().split(" ")[0];
    String err = entry.err();
    boolean syntax =
        err.contains("sage:")
            || err.contains("llegal operation")
            || err.contains("llegal object type")
            || err.contains("Syntax error")
            || err.contains("illegally formed")
            || err.contains("cannot connect")
            || err.contains("Unknown resource")
            || err.contains("cannot be used with")
            || err.contains("submitting job")
            || err.contains("script file")
            || err.contains("Illegal attribute or resource value select")
            || err.contains("Illegal attribute or resource value Resource_List")
            || err.contains("99999")
            || err.contains("Bad UID")
            || err.contains("Unknown queue")
            || command.equals("qterm");
    return COMMANDS.contains(command)
        && entry.exit() != 0
        && syntax
        && !entry.line().contains("|")
        && !entry.line().endsWith(HELP)
        && !(command.equals("qmgr") && err.contains("returned from server"))
        && !DIFFERENT.containsKey(entry.line());
  }

  private static void compare(PbsTranscript.Entry entry) throws Exception {
    FakeSite site = new FakeSite();
    boolean ofQueues = entry.line().matches("q(enable|disable|start|stop) .*");
    site.refuse(ofQueues ? 15018 : 15001, ofQueues ? "Unknown queue" : "Unknown Job Id");
    site.put(ObjectKind.QUEUE, "wq1", "queue_type", "Execution");
    String line = entry.line().replaceAll(" *< */dev/null$", "");
    FakeInvocation invocation =
        new FakeInvocation(entry.user(), ShellWords.split(line), new HashMap<>(), site.id());
    site.run(invocation);
    assertEquals(entry.err(), invocation.errors(), entry.line());
    assertEquals(entry.out(), invocation.output(), entry.line());
    assertEquals(entry.exit(), site.status, entry.line());
  }
}
