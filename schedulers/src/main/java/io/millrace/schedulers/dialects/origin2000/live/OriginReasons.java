package io.millrace.schedulers.dialects.origin2000.live;

import io.millrace.schedulers.core.state.job.ReasonBook;
import io.millrace.schemas.common.ClassReason;
import io.millrace.schemas.pbs.reasons.ReasonText;
import io.millrace.schemas.pbs.resources.RequestClass;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What waiting jobs were told, and which of it has yet to be reported. Only the last counts. */
final class OriginReasons {

  private final Map<Long, String> told = new HashMap<>();
  private final Map<Long, ClassReason> untold = new LinkedHashMap<>();
  private final Set<Long> cleared = new LinkedHashSet<>();

  /** A job waits for a reason. */
  void say(long job, String code, String text, long nowMs) {
    cleared.remove(job);
    if ((code + text).equals(told.get(job))) {
      untold.remove(job);
      return;
    }
    untold.put(
        job,
        ClassReason.newBuilder()
            .setClassKey(RequestClass.job(job))
            .setCode(code)
            .setSubject(text)
            .setSinceMs(nowMs)
            .build());
  }

  /** A job waits for a reason in the policy's words. */
  void say(long job, String text, long nowMs) {
    say(job, ReasonText.ORIGIN, text, nowMs);
  }

  /** A job waits no longer. */
  void clear(long job) {
    untold.remove(job);
    if (told.containsKey(job)) {
      cleared.add(job);
    }
  }

  void clearAll() {
    untold.clear();
    cleared.addAll(told.keySet());
  }

  boolean any() {
    return !untold.isEmpty() || !cleared.isEmpty();
  }

  /** Takes at most so many changes and counts them as reported. */
  ReasonBook.ReasonChanges take(int max) {
    List<ClassReason> reasons = new ArrayList<>();
    Iterator<Map.Entry<Long, ClassReason>> next = untold.entrySet().iterator();
    while (reasons.size() < max && next.hasNext()) {
      Map.Entry<Long, ClassReason> entry = next.next();
      told.put(entry.getKey(), entry.getValue().getCode() + entry.getValue().getSubject());
      reasons.add(entry.getValue());
      next.remove();
    }
    List<String> gone = new ArrayList<>();
    Iterator<Long> over = cleared.iterator();
    while (reasons.size() + gone.size() < max && over.hasNext()) {
      long job = over.next();
      told.remove(job);
      gone.add(RequestClass.job(job));
      over.remove();
    }
    return new ReasonBook.ReasonChanges(reasons, gone);
  }
}
