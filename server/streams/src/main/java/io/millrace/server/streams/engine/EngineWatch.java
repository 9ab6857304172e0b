package io.millrace.server.streams.engine;

import io.millrace.schemas.common.EngineCondition;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.state.Scheduler;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.state.Keys;
import io.millrace.server.core.state.View;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongSupplier;

/**
 * What became of the engines of one shard, and when the server's own is to take over from one
 * apart. Used by the shard's thread.
 */
public final class EngineWatch {

  /**
   * Silence after which an engine apart is missed. It shows itself each second; three pulses of
   * this process must have passed since, so that it is missed after two to three seconds.
   */
  static final long MISSED_S = 3;

  /** An engine that has worked for so long after failures is ready for use. */
  static final long READY_NANOS = 60_000_000_000L;

  /** Engines that end at once are started again after a second, then two, up to this. */
  static final long LONGEST_PAUSE_NANOS = 60_000_000_000L;

  private static final long FIRST_PAUSE_NANOS = 1_000_000_000L;

  /** So many engines of a scheduler object may end before the next one has to wait. */
  private static final int AT_ONCE = 3;

  /** Attribute: seconds of silence after which the server's own engine takes over; 0: never. */
  private static final String TAKEOVER = "takeover_time";

  private static final String USUAL_TAKEOVER_S = "30";

  /** What is to be said of an engine. */
  public record Note(String scheduler, long epoch, EngineCondition condition, String why) {}

  /**
   * Engines of a scheduler object that ended here.
   *
   * @param count of those that ended one after the other
   * @param notBeforeNanos when the next one may start
   */
  private record Ends(int count, long notBeforeNanos) {}

  private final View view;
  private final EngineLiveness heard;
  private final LongSupplier nanos;
  private final List<Note> seen = new ArrayList<>();
  private final List<Note> ended = new ArrayList<>();

  /** Epochs of the engines apart whose places the server's own ones are to take. */
  private final Map<String, Long> takenOver = new HashMap<>();

  private final Map<String, Ends> ends = new HashMap<>();

  /** Since when each engine, by scheduler object and epoch, has worked without a break. */
  private final Map<String, Long> works = new HashMap<>();

  private boolean begun;

  public EngineWatch(View view, EngineLiveness heard) {
    this(view, heard, System::nanoTime);
  }

  EngineWatch(View view, EngineLiveness heard, LongSupplier nanos) {
    this.view = view;
    this.heard = heard;
    this.nanos = nanos;
  }

  /** The shard has seated its first engines: from now on one apart keeps its place. */
  public void begun() {
    begun = true;
  }

  /** Whether this scheduler object is left to an engine apart. */
  public boolean elsewhere(String scheduler) {
    Scheduler state = view.schedulers().get(scheduler);
    if (state == null || state.getEpoch() == 0) {
      return heard.expected(scheduler); // none has come yet
    }
    boolean keeps = begun || heard.expected(scheduler) || takeoverS(scheduler) <= 0;
    return state.getApart() && keeps && !isTakenOver(scheduler, state);
  }

  /**
   * Whether the next engine of a scheduler object has to wait, as those before it ended at once.
   */
  public boolean pauses(String scheduler) {
    Ends before = ends.get(scheduler);
    return before != null && before.notBeforeNanos() - nanos.getAsLong() > 0;
  }

  /** An engine beside the shard has ended by itself, or could not even begin. */
  public void ended(String scheduler, long epoch, String why) {
    Ends before = ends.getOrDefault(scheduler, new Ends(0, 0));
    int count = before.count() + 1;
    long pause =
        count < AT_ONCE
            ? 0
            : Math.min(LONGEST_PAUSE_NANOS, FIRST_PAUSE_NANOS << Math.min(count - AT_ONCE, 6));
    ends.put(scheduler, new Ends(count, nanos.getAsLong() + pause));
    ended.add(new Note(scheduler, epoch, EngineCondition.FAILED, why));
  }

  /** With another scheduler object the next engine need not wait. */
  public void changed(String scheduler) {
    ends.remove(scheduler);
  }

  /** An engine has been seated beside the shard. */
  public void seated(String scheduler) {
    takenOver.remove(scheduler);
  }

  /** What has been noted and not been taken yet. */
  public List<Note> take() {
    if (ended.isEmpty() && seen.isEmpty()) {
      return List.of();
    }
    List<Note> taken = new ArrayList<>(ended);
    taken.addAll(seen);
    ended.clear();
    seen.clear();
    return taken;
  }

  public boolean hasNotes() {
    return !seen.isEmpty() || !ended.isEmpty();
  }

  /**
   * Looks at all engines.
   *
   * @return whether the shard has something to decide: a note, or that an engine may be missing
   */
  public boolean look() {
    seen.clear(); // what was not taken is seen again
    boolean[] missing = {false};
    view.schedulers()
        .scan(
            "",
            null,
            (name, state) -> {
              missing[0] |= state.getApart() ? apart(name, state) : pauseEnded(name);
              ready(name, state);
              return true;
            });
    return missing[0] || hasNotes();
  }

  /** Returns whether the server's own engine is to take over now. */
  private boolean apart(String name, Scheduler state) {
    long unheardS = heard.unheardS(name, state.getEpoch());
    switch (state.getCondition()) {
      case WORKS -> {
        if (unheardS >= MISSED_S) {
          note(name, state, EngineCondition.SILENT, "no sign of life for " + unheardS + " s");
        }
      }
      case SILENT -> {
        if (heard.beats(name, state.getEpoch())) {
          note(name, state, EngineCondition.WORKS, "it shows signs of life again");
          takenOver.remove(name);
          return false;
        }
      }
      default -> {} // it has ended, and only another one can come
    }
    long takeoverS = takeoverS(name);
    boolean due =
        state.getCondition() != EngineCondition.WORKS && takeoverS > 0 && unheardS >= takeoverS;
    if (!due || isTakenOver(name, state)) {
      return false;
    }
    takenOver.put(name, state.getEpoch());
    return true;
  }

  /** Another engine apart that comes has another epoch, and its place is its own. */
  private boolean isTakenOver(String scheduler, Scheduler state) {
    return Objects.equals(takenOver.get(scheduler), state.getEpoch());
  }

  private boolean pauseEnded(String name) {
    Ends before = ends.get(name);
    Scheduler state = view.schedulers().get(name);
    return before != null && state.getCondition() == EngineCondition.FAILED && !pauses(name);
  }

  private void ready(String name, Scheduler state) {
    String key = name + " " + state.getEpoch();
    if (state.getCondition() != EngineCondition.WORKS) {
      works.remove(key);
      return;
    }
    if (state.getFailures().isEmpty()) {
      return;
    }
    long since = works.computeIfAbsent(key, it -> nanos.getAsLong());
    if (nanos.getAsLong() - since < READY_NANOS) {
      return;
    }
    ends.remove(name);
    if (state.getComment().equals("NEEDS_ATTENTION")) {
      note(name, state, EngineCondition.WORKS, "it works again");
    }
    works.keySet().removeIf(other -> other.startsWith(name + " ") && !other.equals(key));
  }

  private void note(String name, Scheduler state, EngineCondition condition, String why) {
    seen.add(new Note(name, state.getEpoch(), condition, why));
  }

  private long takeoverS(String scheduler) {
    return Long.parseLong(
        Context.attribute(
            view.objects().get(Keys.object(ObjectKind.SCHEDULER, scheduler)),
            TAKEOVER,
            USUAL_TAKEOVER_S));
  }
}
