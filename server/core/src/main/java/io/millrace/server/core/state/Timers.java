package io.millrace.server.core.state;

import io.millrace.schemas.state.Timer;
import java.util.Map;

/** Sets timers. What follows when one is due stands in the package of its subject. */
public final class Timers {
  /** The kinds that the schema names, each with its subject. */
  private static final Map<?, ?> SUBJECTS = (Map<?, ?>) Timer.SCHEMA$.getObjectProp("subjects");

  private Timers() {}

  /** Sets a timer; one that is set already stays. */
  public static void set(State state, long dueMs, String kind, String subject) {
    if (!SUBJECTS.containsKey(kind)) {
      throw new IllegalArgumentException("the schema of Timer names no kind " + kind);
    }
    String key = Keys.timer(dueMs, kind, subject);
    if (state.timers().get(key) == null) {
      state.timers().put(key, new Timer(dueMs, kind, subject, 0));
    }
  }

  /** Makes a timer due earlier, if it is set. */
  public static void move(State state, long dueMs, String kind, String subject, long byMs) {
    String key = Keys.timer(dueMs, kind, subject);
    Timer timer = state.timers().get(key);
    if (timer != null) {
      state.timers().remove(key);
      long earlierMs = dueMs - byMs;
      state
          .timers()
          .put(
              Keys.timer(earlierMs, kind, subject),
              new Timer(earlierMs, kind, subject, timer.getFailures()));
    }
  }

  /** Removes a timer that was decided or is not needed any more. */
  public static void remove(State state, long dueMs, String kind, String subject) {
    state.timers().remove(Keys.timer(dueMs, kind, subject));
  }
}
