package io.millrace.schedulers.core;

import io.millrace.schemas.common.ClassReason;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Which reasons the world has been told, and which changes it has yet to be told. Of several
 * changes of one class only the last is told. When only the amount that is free differs, it is told
 * again after a while only: it changes with every run that ends.
 */
public final class ReasonBook {

  /** Reasons to tell in one message. */
  public record Changes(List<ClassReason> reasons, List<String> cleared) {
    public boolean isEmpty() {
      return reasons.isEmpty() && cleared.isEmpty();
    }
  }

  /** What is known of a class, and since when. */
  record Note(Shortage shortage, long sinceMs, long notedMs, boolean told) {}

  static final long REFRESH_MS = 10_000;

  private final ResourceNames names;

  /** Classes whose reason is to be told. */
  private final Set<ClassState> untold = new LinkedHashSet<>();

  /** Keys of classes whose reason was told and holds no more. */
  private final Set<String> cleared = new LinkedHashSet<>();

  ReasonBook(ResourceNames names) {
    this.names = names;
  }

  /** A class was left waiting. */
  void note(ClassState owner, Shortage shortage, long nowMs) {
    Note before = owner.note;
    boolean news = before == null || shortage.differs(before.shortage);
    boolean stale =
        before != null
            && nowMs - before.notedMs >= REFRESH_MS
            && (shortage.numbers().free() != before.shortage.numbers().free()
                || shortage.untilMs() != before.shortage.untilMs());
    if (news || stale) {
      boolean sameStory = before != null && before.shortage.code() == shortage.code();
      long sinceMs = sameStory ? before.sinceMs : nowMs;
      boolean told = before != null && before.told;
      owner.note = new Note(shortage, sinceMs, nowMs, told);
      untold.add(owner);
    }
  }

  /** No job of the class waits any more. */
  void clear(ClassState owner) {
    Note before = owner.note;
    if (before == null) {
      return;
    }
    owner.note = null;
    untold.remove(owner);
    if (before.told) {
      cleared.add(owner.key(names));
    }
  }

  public boolean hasChanges() {
    return !untold.isEmpty() || !cleared.isEmpty();
  }

  /** Takes the oldest changes, at most {@code max} of them, and counts them as told. */
  public Changes take(int max) {
    List<ClassReason> reasons = new ArrayList<>();
    List<String> gone = new ArrayList<>();
    Iterator<ClassState> oldest = untold.iterator();
    while (reasons.size() < max && oldest.hasNext()) {
      ClassState owner = oldest.next();
      oldest.remove();
      Note note = owner.note;
      String key = owner.key(names);
      cleared.remove(key);
      reasons.add(reason(key, note));
      owner.note = new Note(note.shortage, note.sinceMs, note.notedMs, true);
    }
    Iterator<String> oldestCleared = cleared.iterator();
    while (reasons.size() + gone.size() < max && oldestCleared.hasNext()) {
      gone.add(oldestCleared.next());
      oldestCleared.remove();
    }
    return new Changes(reasons, gone);
  }

  private static ClassReason reason(String key, Note note) {
    Shortage.Numbers numbers = note.shortage.numbers();
    return ClassReason.newBuilder()
        .setClassKey(key)
        .setCode(note.shortage.code().name())
        .setSubject(note.shortage.subject())
        .setNeeded(numbers.needed())
        .setFree(numbers.free())
        .setTotal(numbers.total())
        .setSinceMs(note.sinceMs)
        .setUntilMs(note.shortage.untilMs())
        .build();
  }
}
