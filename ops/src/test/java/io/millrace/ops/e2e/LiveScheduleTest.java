package io.millrace.ops.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tells, from what the scheduler recorded, which sessions have to be repeated. */
class LiveScheduleTest {

  private static final long FIRST = 1_795_189_434L;

  /** In the recording A sleeps for three seconds, then B for two. */
  private static final Map<String, Double> STARTS = Map.of("A.1", 1.0, "B.1", 5.0);

  private static final Map<String, Double> ENDS = Map.of("A.1", 5.0, "B.1", 8.0);

  private static String line(int job, String word, long offset) {
    return "::::::::\n%d:1:%s:%d:30:Q:all.q@node01:slots:1.000000\n"
        .formatted(job, word, FIRST + offset);
  }

  /**
   * A session in which the scheduler sees A in {@code ofA} runs and then B in {@code ofB}, every
   * second one of which counts.
   */
  private static LiveSchedule session(int ofA, int between, int ofB) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < ofA; i++) {
      text.append(line(7, i == 0 ? "STARTING" : "RUNNING", 0));
    }
    text.append("::::::::\n".repeat(between));
    for (int i = 0; i < ofB; i++) {
      text.append(line(8, i == 0 ? "STARTING" : "RUNNING", ofA + between));
    }
    return new LiveSchedule(text.toString(), Map.of("7", "A", "8", "B"));
  }

  @Test
  void whatEndsInTimeIsCompared() {
    LiveSchedule schedule = session(4, 0, 3);
    assertTrue(schedule.ranEachSecond(1));
    assertEquals(new LiveSchedule.Seen(0, 3), schedule.seen().get("A.1"));
    assertEquals(4, schedule.starts().get("B.1").offset());
    assertEquals(List.of(), schedule.endedLate(STARTS, ENDS));
    // 4 is the recorded second, 5 the last one that is accepted.
    assertEquals(5, session(5, 0, 3).starts().get("B.1").offset());
    assertEquals(List.of(), session(5, 0, 3).endedLate(STARTS, ENDS));
  }

  @Test
  void aTaskThatIsSeenOneRunTooLongIsAnotherAttempt() {
    assertEquals(List.of("A.1"), session(6, 0, 2).endedLate(STARTS, ENDS));
    assertEquals(List.of("B.1"), session(5, 0, 4).endedLate(STARTS, ENDS));
  }

  @Test
  void aLateStartIsNoExcuse() {
    LiveSchedule schedule = session(4, 2, 4);
    assertEquals(6, schedule.starts().get("B.1").offset());
    assertEquals(List.of(), schedule.endedLate(STARTS, ENDS));
  }

  @Test
  void aSchedulerThatDoesNotRunEachSecondIsAnotherAttempt() {
    String text = line(7, "STARTING", 0) + line(8, "STARTING", 3);
    assertFalse(new LiveSchedule(text, Map.of("7", "A", "8", "B")).ranEachSecond(1));
  }
}
