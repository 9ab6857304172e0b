package io.millrace.schedulers.engine;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Pauses of classes after rejections: each rejection doubles the pause, up to a bound, until what
 * was missing is told of. What was proposed together is rejected together and counts once. There
 * are as many entries as classes that were rejected lately.
 */
final class Pauses {

  private static final class ClassPause {
    int code;
    long lengthNanos;
    long endNanos;
    boolean running;
  }

  private final Map<String, ClassPause> byClass = new HashMap<>();

  /**
   * @param code of the rejection
   */
  void start(String classKey, int code, long nowNanos) {
    ClassPause pause = byClass.computeIfAbsent(classKey, it -> new ClassPause());
    if (pause.running) {
      return;
    }
    pause.code = code;
    long longest = EngineLimits.LONGEST_PAUSE.toNanos();
    long first = EngineLimits.FIRST_PAUSE.toNanos();
    pause.lengthNanos = pause.lengthNanos == 0 ? first : Math.min(longest, 2 * pause.lengthNanos);
    pause.endNanos = nowNanos + pause.lengthNanos;
    pause.running = true;
  }

  /** Ends the series of rejections with a code; returns the classes that paused. */
  List<String> end(int code) {
    List<String> ended = new ArrayList<>();
    Iterator<Map.Entry<String, ClassPause>> each = byClass.entrySet().iterator();
    while (each.hasNext()) {
      Map.Entry<String, ClassPause> entry = each.next();
      if (entry.getValue().code == code) {
        each.remove();
        if (entry.getValue().running) {
          ended.add(entry.getKey());
        }
      }
    }
    return ended;
  }

  /**
   * Ends the pauses of some classes before their time, since what was rejected may be accepted now.
   * The next rejection of such a class goes on with its series.
   *
   * @return the classes that paused
   */
  List<String> cut(Predicate<String> which) {
    List<String> ended = new ArrayList<>();
    byClass.forEach(
        (name, pause) -> {
          if (pause.running && which.test(name)) {
            pause.running = false;
            ended.add(name);
          }
        });
    return ended;
  }

  /**
   * Returns the classes whose pauses are over. A class that was not rejected for long is forgotten.
   */
  List<String> ended(long nowNanos) {
    List<String> ended = new ArrayList<>();
    Iterator<Map.Entry<String, ClassPause>> each = byClass.entrySet().iterator();
    while (each.hasNext()) {
      Map.Entry<String, ClassPause> entry = each.next();
      ClassPause pause = entry.getValue();
      if (pause.running && pause.endNanos - nowNanos <= 0) {
        pause.running = false;
        ended.add(entry.getKey());
      } else if (!pause.running
          && nowNanos - pause.endNanos > 2 * EngineLimits.LONGEST_PAUSE.toNanos()) {
        each.remove();
      }
    }
    return ended;
  }

  /** Nanoseconds until the first pause ends; {@code otherwise} when there is none. */
  long nanosToEnd(long nowNanos, long otherwise) {
    long least = otherwise;
    for (ClassPause pause : byClass.values()) {
      if (pause.running) {
        least = Math.min(least, pause.endNanos - nowNanos);
      }
    }
    return least;
  }

  boolean isEmpty() {
    return byClass.isEmpty();
  }
}
