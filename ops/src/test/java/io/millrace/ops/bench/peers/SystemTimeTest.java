package io.millrace.ops.bench.peers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.Writer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SystemTimeTest {

  /** Some hundred milliseconds at least. */
  private static final String WORK = "for ((i = 0; i < 300000; i++)); do :; done";

  private static final double WORK_MS = 100;

  @Test
  void whoDidNotLiveAtBothTimesDoesNotCount() {
    SystemTime before = new SystemTime(Map.of(1L, 10.0, 7L, 500.0), 1_000);
    SystemTime now = new SystemTime(Map.of(1L, 30.0, 8L, 40.0), 1_600);
    assertEquals(20, now.daemonsMsSince(before));
    assertEquals(600, now.machineMsSince(before));
  }

  /** A process of the daemon's that goes on living works. */
  @Test
  void whoDescendsFromADaemonCounts() throws Exception {
    double used = usedBy("bash -c 'while read line; do " + WORK + "; echo done; done'; :");
    assertTrue(used > WORK_MS, used + " ms");
  }

  /** A process for one piece of work, for which the daemon waits. */
  @Test
  void whoHasEndedDoesNotWhoeverWaitedForIt() throws Exception {
    double used = usedBy("while read line; do (" + WORK + "); echo done; done");
    assertTrue(used < WORK_MS, used + " ms");
  }

  /** What a daemon uses for a line that it is sent. */
  private static double usedBy(String loop) throws Exception {
    Process daemon = new ProcessBuilder("bash", "-c", loop).start();
    try (Writer lines = daemon.outputWriter();
        BufferedReader said = daemon.inputReader()) {
      BatchSystem system =
          new BatchSystem("one", "One", "", "", Map.of(), () -> List.of(daemon.pid()));
      work(lines, said); // so that all who live on have begun
      SystemTime before = SystemTime.now(system);
      work(lines, said);
      return SystemTime.now(system).daemonsMsSince(before);
    } finally {
      daemon.descendants().forEach(ProcessHandle::destroyForcibly);
      daemon.destroyForcibly();
    }
  }

  private static void work(Writer lines, BufferedReader said) throws Exception {
    lines.write("\n");
    lines.flush();
    assertEquals("done", said.readLine());
  }
}
