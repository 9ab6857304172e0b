package io.millrace.schedulers.core;

import io.millrace.schemas.common.ClassReason;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.ToLongFunction;

/**
 * Which reasons the world has been told, and which changes it has yet to be told. Of several
 * changes of one class only the last is told. When only the amount that is free differs, it is told
 * again after a while only: it changes with every run that ends. The same holds for one that should
 * have ended by now.
 */
public final class ReasonBook {

  /** Reasons to tell in one message. */
  public record Changes(List<ClassReason> reasons, List<String> cleared) {
    public boolean isEmpty() {
      return reasons.isEmpty() && cleared.isEmpty();
    }
  }

  static final long REFRESH_MS = 10_000;
  private static final int IDLE_MAX = 64;

  private final ResourceNames names;

  /** When what a class waits for ends, where its reason does not say it; asked when it is told. */
  private final ToLongFunction<ClassState> end;

  /** Classes whose reason is to be told, and some of which none is any more. */
  private final ArrayDeque<ClassState> waiting = new ArrayDeque<>();

  private int untold;

  /** Keys of classes whose reason was told and holds no more. */
  private final Set<String> cleared = new LinkedHashSet<>();

  ReasonBook(ResourceNames names, ToLongFunction<ClassState> end) {
    this.names = names;
    this.end = end;
  }

  /** A class was left waiting. */
  void note(ClassState owner, Shortage shortage, long nowMs) {
    Shortage before = owner.noted;
    boolean news = before == null || shortage.differs(before);
    boolean stale =
        before != null
            && nowMs - owner.notedMs >= REFRESH_MS
            && (shortage.numbers().free() != before.numbers().free()
                || shortage.untilMs() != before.untilMs()
                || passed(owner, nowMs));
    if (news || stale) {
      if (before == null || before.code() != shortage.code()) {
        owner.notedSinceMs = nowMs;
      }
      owner.noted = shortage;
      owner.notedMs = nowMs;
      if (!owner.untold) {
        owner.untold = true;
        untold++;
      }
      if (!owner.queued) {
        owner.queued = true;
        waiting.add(owner);
      }
    }
  }

  /** True when the world was told an end, and the class still waits then. */
  private static boolean passed(ClassState owner, long nowMs) {
    return owner.told && owner.toldUntilMs != Shortage.UNKNOWN && owner.toldUntilMs <= nowMs;
  }

  /** No job of the class waits any more. */
  void clear(ClassState owner) {
    if (owner.noted == null) {
      return;
    }
    owner.noted = null;
    if (owner.untold) {
      owner.untold = false;
      untold--;
      forgetIdle();
    }
    if (owner.told) {
      owner.told = false;
      cleared.add(owner.key(names));
    }
  }

  /** Nobody may ever ask: those of which there is nothing to tell must not pile up. */
  private void forgetIdle() {
    if (waiting.size() > 2 * untold + IDLE_MAX) {
      waiting.removeIf(
          it -> {
            it.queued = it.untold;
            return !it.untold;
          });
    }
  }

  public boolean hasChanges() {
    return untold > 0 || !cleared.isEmpty();
  }

  /** Takes the oldest changes, at most {@code max} of them, and counts them as told. */
  public Changes take(int max) {
    List<ClassReason> reasons = new ArrayList<>();
    List<String> gone = new ArrayList<>();
    while (reasons.size() < max && !waiting.isEmpty()) {
      ClassState owner = waiting.poll();
      owner.queued = false;
      if (owner.untold) {
        owner.untold = false;
        owner.told = true;
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
    return new Changes(reasons, gone);
  }

  private ClassReason reason(String key, ClassState owner) {
    Shortage.Numbers numbers = owner.noted.numbers();
    long knownMs = owner.noted.untilMs();
    owner.toldUntilMs = knownMs == Shortage.UNKNOWN ? end.applyAsLong(owner) : knownMs;
    return ClassReason.newBuilder()
        .setClassKey(key)
        .setCode(owner.noted.code().name())
        .setSubject(owner.noted.subject())
        .setNeeded(numbers.needed())
        .setFree(numbers.free())
        .setTotal(numbers.total())
        .setSinceMs(owner.notedSinceMs)
        .setUntilMs(owner.toldUntilMs)
        .build();
  }
}
