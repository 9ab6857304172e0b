package io.millrace.ops.bench.site;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PartTimesTest {
  private static final long OWN = ProcessHandle.current().pid();
  private static final Map<String, Long> PIDS = Map.of("broker", OWN);
  private static final String THREADS = "\"x-StreamThread-1\" #60 prio=5 cpu=3.00ms elapsed=1s\n";
  private static final double ANSWER_MS = 100;

  private double asked;

  /** An answer that costs this process a good deal. */
  private String answer(long pid) throws IOException {
    asked = used();
    while (used() < asked + ANSWER_MS) {
      Thread.onSpinWait();
    }
    return THREADS;
  }

  private static double used() throws IOException {
    return ProcessorTime.ofProcess(OWN) / 1000;
  }

  @Test
  void whatTheQuestionsCostIsNotCharged() throws Exception {
    double before = PartTimes.before(PIDS, this::answer).ms().get("broker");
    assertTrue(before >= asked + ANSWER_MS, before + " ms, asked at " + asked);
    double after = PartTimes.after(PIDS, this::answer).ms().get("broker");
    assertTrue(after <= asked, after + " ms, asked at " + asked);
  }

  @Test
  void threadsAreToldBesideTheirPart() throws Exception {
    PartTimes before = PartTimes.before(PIDS, pid -> THREADS);
    PartTimes after = PartTimes.after(PIDS, pid -> THREADS.replace("3.00", "7.00"));
    BenchFigures figures = after.since(before, "", 2);
    assertEquals(2, figures.values().get("broker_shards_ms"));
    assertEquals(figures.values().get("broker_ms"), figures.values().get("parts_ms"));
  }
}
