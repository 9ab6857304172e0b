package io.millrace.server.gateway.submit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.server.gateway.command.FakeInvocation;
import io.millrace.server.gateway.command.FakeSite;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is said of qsub -I where there is no terminal; the rest takes one. */
class InteractiveSubmissionTest {
  private static final String NO_TERMINAL =
      "qsub:\tstandard input and output must be a terminal for\n\tinteractive job submission\n";

  private final FakeSite site = new FakeSite();

  private String errors(Map<String, byte[]> files, String... line) throws Exception {
    return site.run(new FakeInvocation("ann", List.of(line), files, site.id())).errors();
  }

  @Test
  void itTakesATerminal() throws Exception {
    assertEquals(NO_TERMINAL, errors(Map.of(), "qsub", "-I"));
    assertEquals(1, site.status);
    Map<String, byte[]> script =
        new HashMap<>(Map.of("s.sh", "#PBS -I\n".getBytes(StandardCharsets.UTF_8)));
    assertEquals(NO_TERMINAL, errors(script, "qsub", "s.sh"));
    assertTrue(site.sent.isEmpty());
  }

  @Test
  void onlyWhoHasATerminalWaitsAgain() throws Exception {
    assertEquals(
        "qsub: --attend is for a client that waits for its interactive job\n",
        errors(Map.of(), "qsub", "--attend", "1.mill"));
    assertEquals(1, site.status);
  }

  @Test
  void itIsOneJobOfAShell() throws Exception {
    assertEquals(
        "qsub: interactive and array job submission cannot be used together\n",
        errors(Map.of(), "qsub", "-I", "-J", "1-3"));
    assertTrue(errors(Map.of(), "qsub", "-I", "--", "true").startsWith("usage: qsub"));
    assertTrue(errors(Map.of(), "qsub", "-I", "one", "two").startsWith("usage: qsub"));
    Map<String, byte[]> jobs = Map.of("jobs", "-- true\n".getBytes(StandardCharsets.UTF_8));
    assertEquals(
        "qsub: an interactive job is submitted by itself\n",
        errors(jobs, "qsub", "-I", "--bulk", "jobs"));
    assertTrue(site.sent.isEmpty());
  }
}
