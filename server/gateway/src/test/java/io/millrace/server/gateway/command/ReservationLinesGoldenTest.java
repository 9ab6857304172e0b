package io.millrace.server.gateway.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.state.JobStatus;
import io.millrace.server.gateway.operand.ShellWords;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Wrong command lines of reservations get the texts and exit codes that a real OpenPBS gives. */
class ReservationLinesGoldenTest {

  /** What the recorded server answered to lines that are decided there. */
  private record Refusal(int code, String text) {}

  private static final Refusal UNAUTHORIZED = new Refusal(15007, "Unauthorized Request ");

  private static final Map<String, Refusal> OF_SHARD =
      Map.of(
          "pbsu2 pbs_ralter -N hack R73", UNAUTHORIZED,
          "pbsu1 pbs_ralter -Wforce -D 00:30:00 R73", UNAUTHORIZED,
          "pbsu2 pbs_rdel R73", UNAUTHORIZED,
          "pbsu1 pbs_rdel M105", UNAUTHORIZED,
          "pbsu1 pbs_rdel R73", new Refusal(15084, "Unknown Reservation Id"),
          "pbsu1 pbs_ralter -I 10 -R 0101 R73", new Refusal(15086, "Bad time specification(s)"),
          "pbsu1 pbs_ralter -I 10 -l select=1:ncpus=8 R73",
              new Refusal(15183, "New select must be made up of a subset of the original chunks"));

  /** Lines that differ on purpose, and why. */
  private static final Map<String, String> DIFFERENT =
      Map.of(
          "pbs_rsub -p P1 -R 1550 -D 60", "-p is an option here",
          "pbs_rsub -p P1 --hosts vm -R 202611201548.31 -D 60", "-p is an option here");

  @TestFactory
  Stream<DynamicTest> excerptOfTheRecordings() throws Exception {
    Path fixture = Path.of(getClass().getResource("/transcripts/reservation-lines.txt").toURI());
    List<PbsTranscript.Entry> entries = PbsTranscript.read(fixture);
    assertTrue(entries.size() >= 20, "the fixture was read");
    return entries.stream().map(e -> DynamicTest.dynamicTest(e.line(), () -> compare(e)));
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
        List.of("07_usage_exit_codes", "10_reservations", "11_reservations_running_maintenance")) {
      for (PbsTranscript.Entry entry : PbsTranscript.read(recordings.resolve(file + ".txt"))) {
        if (isCompared(entry)) {
          tests.add(DynamicTest.dynamicTest(file + ": " + entry.line(), () -> compare(entry)));
        }
      }
    }
    return tests.build();
  }

  private static boolean isCompared(PbsTranscript.Entry entry) {
    return entry.line().startsWith("pbs_r")
        && !entry.line().startsWith("pbs_release")
        && !entry.err().isEmpty()
        && !entry.line().contains("|")
        && !entry.line().endsWith(" --help")
        && !DIFFERENT.containsKey(entry.line());
  }

  private static void compare(PbsTranscript.Entry entry) throws Exception {
    FakeSite site = new FakeSite();
    site.put(ObjectKind.NODE, "vm", "Mom", "vm");
    site.jobs.put(90L, Jobs.fromScript(90, JobStatus.QUEUED));
    String key = entry.user() + " " + entry.line();
    boolean unknown = entry.err().contains("Unknown Reservation Id");
    if (!unknown) {
      site.reservations.put(73L, RecordedReservations.r73());
    }
    Refusal refusal =
        OF_SHARD.getOrDefault(key, unknown ? new Refusal(15084, "Unknown Reservation Id") : null);
    if (refusal != null) {
      site.refuse(refusal.code(), refusal.text());
    } else {
      site.answer(
          sent -> {
            throw new AssertionError("it is decided without the shard");
          });
    }
    FakeInvocation invocation =
        new FakeInvocation(
            entry.user(),
            ShellWords.split(entry.line().replaceAll(" *< */dev/null$", "")),
            new HashMap<>(),
            site.id());
    site.run(invocation);
    assertEquals(entry.err(), invocation.errors(), entry.line());
    assertEquals(entry.out(), invocation.output(), entry.line());
    assertEquals(entry.exit(), site.status, entry.line());
  }
}
