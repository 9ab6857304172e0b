package io.millrace.schedulers.core;

import io.millrace.schemas.common.ClassReason;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
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
  private record Note(Shortage shortage, long sinceMs, long notedMs, boolean told) {}

  static final long REFRESH_MS = 10_000;

  private final Map<String, Note> notes = new HashMap<>();
  private final Set<String> untold = new LinkedHashSet<>();

  /** A class was left waiting. */
  void note(String classKey, Shortage shortage, long nowMs) {
    Note before = notes.get(classKey);
    boolean news = before == null || shortage.differs(before.shortage);
    boolean stale =
        before != null
            && nowMs - before.notedMs >= REFRESH_MS
            && shortage.numbers().free() != before.shortage.numbers().free();
    if (news || stale) {
      boolean sameStory = before != null && before.shortage.code() == shortage.code();
      long sinceMs = sameStory ? before.sinceMs : nowMs;
      boolean told = before != null && before.told;
      notes.put(classKey, new Note(shortage, sinceMs, nowMs, told));
      untold.add(classKey);
    }
  }

  /** No job of the class waits any more. */
  void clear(String classKey) {
    Note before = notes.remove(classKey);
    if (before == null) {
      return;
    }
    if (before.told) {
      untold.add(classKey);
    } else {
      untold.remove(classKey);
    }
  }

  public boolean hasChanges() {
    return !untold.isEmpty();
  }

  /** Takes the oldest changes, at most {@code max} of them, and counts them as told. */
  public Changes take(int max) {
    List<ClassReason> reasons = new ArrayList<>();
    List<String> cleared = new ArrayList<>();
    Iterator<String> oldest = untold.iterator();
    for (int i = 0; i < max && oldest.hasNext(); i++) {
      String key = oldest.next();
      oldest.remove();
      Note note = notes.get(key);
      if (note == null) {
        cleared.add(key);
      } else {
        reasons.add(reason(key, note));
        notes.put(key, new Note(note.shortage, note.sinceMs, note.notedMs, true));
      }
    }
    return new Changes(reasons, cleared);
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
        .build();
  }
}
