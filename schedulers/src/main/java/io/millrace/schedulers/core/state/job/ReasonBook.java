package io.millrace.schedulers.core.state.job;

import io.millrace.schedulers.core.model.ResourceNames;
import io.millrace.schedulers.core.model.Shortage;
import io.millrace.schemas.common.ClassReason;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.ToLongFunction;

/**
 * Which waiting reasons have been reported and which changes have yet to be. Of several changes of
 * one class only the last is reported. A change of nothing but the free amount, which happens with
 * every end of a run, is reported again only after a while; so is an expected end that has passed.
 */
public final class ReasonBook {

  /** Reasons to report in one message. */
  public record ReasonChanges(List<ClassReason> reasons, List<String> cleared) {
    public boolean isEmpty() {
      return reasons.isEmpty() && cleared.isEmpty();
    }
  }

  static final long REFRESH_MS = 10_000;
  private static final int IDLE_MAX = 64;

  private final ResourceNames names;

  /**
   * Expected end of a class's wait when its reason does not carry one; computed when the reason is
   * reported.
   */
  private final ToLongFunction<ClassState> end;

  /** Classes with a reason to report; some may have none any more. */
  private final ArrayDeque<ClassState> waiting = new ArrayDeque<>();

  private int untold;

  /** Keys of classes whose reported reason no longer holds. */
  private final Set<String> cleared = new LinkedHashSet<>();

  public ReasonBook(ResourceNames names, ToLongFunction<ClassState> end) {
    this.names = names;
    this.end = end;
  }

  /** Canonical text of a class. */
  public String keyOf(ClassState owner) {
    return owner.key(names);
  }

  /** A class was left waiting. */
  public void note(ClassState owner, Shortage shortage, long nowMs) {
    ReasonNote note = owner.note();
    if (note == null) {
      note = new ReasonNote();
      owner.noted(note);
    }
    if (note.isNews(shortage) || note.isStale(shortage, nowMs, REFRESH_MS)) {
      untold += note.untold() ? 0 : 1;
      note.noted(shortage, nowMs);
      if (!note.queued()) {
        note.enqueued();
        waiting.add(owner);
      }
    }
  }

  /** No job of the class waits any more. */
  public void clear(ClassState owner) {
    ReasonNote note = owner.note();
    if (note == null || note.shortage() == null) {
      return;
    }
    boolean wasUntold = note.untold();
    boolean wasTold = note.told();
    note.cleared();
    if (wasUntold) {
      untold--;
      forgetIdle();
    }
    if (wasTold) {
      cleared.add(owner.key(names));
    }
  }

  /** Removes idle classes from the queue: if nobody fetches the changes, they must not pile up. */
  private void forgetIdle() {
    if (waiting.size() > 2 * untold + IDLE_MAX) {
      waiting.removeIf(
          it -> {
            boolean idle = !it.note().untold();
            if (idle) {
              it.note().dequeued();
            }
            return idle;
          });
    }
  }

  public boolean hasChanges() {
    return untold > 0 || !cleared.isEmpty();
  }

  /** Takes the oldest changes, at most {@code max}, and marks them as reported. */
  public ReasonChanges take(int max) {
    List<ClassReason> reasons = new ArrayList<>();
    List<String> gone = new ArrayList<>();
    while (reasons.size() < max && !waiting.isEmpty()) {
      ClassState owner = waiting.poll();
      ReasonNote note = owner.note();
      note.dequeued();
      if (note.untold()) {
        note.tell();
        untold--;
        String key = owner.key(names);
        cleared.remove(key);
        reasons.add(reason(key, owner));
      }
    }
    Iterator<String> oldestCleared = cleared.iterator();
    while (reasons.size() + gone.size() < max && oldestCleared.hasNext()) {
      gone.add(oldestCleared.next());
      oldestCleared.remove();
    }
    return new ReasonChanges(reasons, gone);
  }

  private ClassReason reason(String key, ClassState owner) {
    ReasonNote note = owner.note();
    Shortage shortage = note.shortage();
    Shortage.ShortageAmounts numbers = shortage.numbers();
    long knownMs = shortage.untilMs();
    note.toldUntil(knownMs == Shortage.UNKNOWN ? end.applyAsLong(owner) : knownMs);
    return ClassReason.newBuilder()
        .setClassKey(key)
        .setCode(shortage.code().name())
        .setSubject(shortage.subject())
        .setNeeded(numbers.needed())
        .setFree(numbers.free())
        .setTotal(numbers.total())
        .setSinceMs(note.sinceMs())
        .setUntilMs(note.toldUntilMs())
        .build();
  }
}
