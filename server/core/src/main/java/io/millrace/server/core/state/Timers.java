package io.millrace.server.core.state;

import io.millrace.schemas.state.Timer;
import java.util.Map;

/** Sets timers. What follows when one is due stands in the package of its subject. */
public final class Timers {
  /** The kinds that the schema names, each with its subject. */
  private static final Map<?, ?> SUBJECTS = (Map<?, ?>) Timer.SCHEMA$.getObjectProp("subjects");

  private Timers() {}

  /** Applies that something is to be decided at a time; a timer that is set already stays. */
  public static void set(State state, long dueMs, String kind, String subject) {
    if (!SUBJECTS.containsKey(kind)) {
      throw new IllegalArgumentException("the schema of Timer names no kind " + kind);
    }
    String key = Keys.timer(dueMs, kind, subject);
    if (state.timers().get(key) == null) {
      state.timers().put(key, new Timer(dueMs, kind, subject, 0));
    }
  }

  /** Applies that a timer is over, whether it was due or is not wanted any more. */
  public static void remove(State state, long dueMs, String kind, String subject) {
    state.timers().remove(Keys.timer(dueMs, kind, subject));
  }
}
