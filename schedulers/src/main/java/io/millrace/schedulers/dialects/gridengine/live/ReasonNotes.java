package io.millrace.schedulers.dialects.gridengine.live;

import io.millrace.schedulers.dialects.gridengine.schedule.decision.Reason;
import io.millrace.schemas.common.ClassReason;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which reasons the world has been told. A class is what no placement can tell apart; reasons that
 * are one job's own have a class for it, and what concerns all jobs has a class too.
 */
final class ReasonNotes {

  /** Details of one class that are kept; a large cluster has a line for each host. */
  private static final int LINES_MAX = 40;

  private final Map<String, ClassReason> told = new HashMap<>();
  private final LinkedHashMap<String, ClassReason> found = new LinkedHashMap<>();
  private final LinkedHashMap<String, ClassReason> untold = new LinkedHashMap<>();
  private final Set<String> cleared = new HashSet<>();

  void begin() {
    found.clear();
  }

  /** What was found out in this cycle; of several reasons of one class the first one counts. */
  void found(String classKey, String code, List<String> lines, long nowMs) {
    if (found.containsKey(classKey)) {
      return;
    }
    String text = String.join("\n", lines.subList(0, Math.min(lines.size(), LINES_MAX)));
    ClassReason before = told.get(classKey);
    boolean same = before != null && before.getCode().equals(code);
    found.put(
        classKey,
        ClassReason.newBuilder()
            .setClassKey(classKey)
            .setCode(code)
            .setSubject(text)
            .setSinceMs(same ? before.getSinceMs() : nowMs)
            .build());
  }

  /** The decisive reason comes first, then the others in their order. */
  static List<String> lines(Reason decisive, List<Reason> details) {
    List<String> lines = new ArrayList<>();
    lines.add(decisive.text());
    details.stream().map(Reason::text).filter(t -> !t.equals(lines.get(0))).forEach(lines::add);
    return lines;
  }

  /** The cycle is over: what differs from what was told is to be told. */
  void end() {
    untold.clear();
    cleared.clear();
    found.forEach(
        (key, reason) -> {
          if (!reason.equals(told.get(key))) {
            untold.put(key, reason);
          }
        });
    told.keySet().stream().filter(key -> !found.containsKey(key)).forEach(cleared::add);
  }

  /** Whether the world believes that something waits. */
  boolean anyTold() {
    return !told.isEmpty();
  }

  boolean hasChanges() {
    return !untold.isEmpty() || !cleared.isEmpty();
  }

  /** Takes at most {@code max} reasons to tell, and counts them as told. */
  List<ClassReason> takeReasons(int max) {
    List<ClassReason> taken = untold.values().stream().limit(max).toList();
    for (ClassReason reason : taken) {
      untold.remove(reason.getClassKey());
      told.put(reason.getClassKey(), reason);
    }
    return taken;
  }

  /** Takes at most {@code max} classes that no longer wait. */
  List<String> takeCleared(int max) {
    List<String> taken = cleared.stream().limit(max).toList();
    taken.forEach(cleared::remove);
    taken.forEach(told::remove);
    return taken;
  }
}
