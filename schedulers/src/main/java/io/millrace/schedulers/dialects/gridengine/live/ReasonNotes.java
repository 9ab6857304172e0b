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
 * Which waiting reasons have been reported. Reasons are reported by category of jobs; a reason of a
 * single job gets a class of its own, and so do reasons that concern all jobs.
 */
final class ReasonNotes {

  /** Most detail lines kept per class; a large cluster has a line for each host. */
  private static final int LINES_MAX = 40;

  private final Map<String, ClassReason> told = new HashMap<>();
  private final LinkedHashMap<String, ClassReason> found = new LinkedHashMap<>();
  private final LinkedHashMap<String, ClassReason> untold = new LinkedHashMap<>();
  private final Set<String> cleared = new HashSet<>();

  void begin() {
    found.clear();
  }

  /** Records a reason found in this cycle; of several reasons of one class the first counts. */
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

  /** The decisive reason first, then the others in their order. */
  static List<String> lines(Reason decisive, List<Reason> details) {
    List<String> lines = new ArrayList<>();
    lines.add(decisive.text());
    details.stream().map(Reason::text).filter(t -> !t.equals(lines.get(0))).forEach(lines::add);
    return lines;
  }

  /** Ends the cycle: reasons that differ from what was reported are to be reported. */
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

  /** Whether any reason has been reported that still stands. */
  boolean anyTold() {
    return !told.isEmpty();
  }

  boolean hasChanges() {
    return !untold.isEmpty() || !cleared.isEmpty();
  }

  /** Takes at most {@code max} reasons to report and marks them as reported. */
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
