package io.millrace.schedulers.core.search;

import io.millrace.reservations.timeline.UsageProfile;
import io.millrace.schedulers.core.model.RequestShape;
import io.millrace.schedulers.core.state.node.GainLog;
import io.millrace.schedulers.core.state.node.JobAllocation;
import io.millrace.schedulers.core.state.node.NodeMarks;
import io.millrace.schedulers.core.state.node.NodeState;
import io.millrace.schedulers.core.state.node.Pool;
import io.millrace.schedulers.core.state.promise.Promise;
import io.millrace.schedulers.core.state.promise.SearchMemory;
import io.millrace.schedulers.core.state.promise.Shortfalls;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds an earlier start of a job that has a promise, from what has become free since it was looked
 * for last.
 *
 * <p>Simple semantics: what {@link EarliestStartSearch} finds before the promised time. The
 * optimisation rests on two facts. No time is possible at which the nodes that have become freer
 * have less room together than was missing then. And a node that has room at some time has it at
 * the promised time too, and is known, unless it has become freer since, or a promise begins on it
 * between. So a look at a few nodes tells which times may be possible, and at these only nodes that
 * are known are counted.
 */
public final class EarlierStartSearch {

  private final FirstFitSearch fit;
  private final EventWalk walk;
  private final WorkCount work;
  private final FreerNodes freer;

  private Promise promise;
  private RequestShape shape;
  private Pool pool;
  private long nowMs;

  /**
   * Lower bounds of what is missing now, by time; not more than 0 where a start may be possible.
   */
  private final Shortfalls bounds = new Shortfalls();

  /**
   * Lower bounds of what is missing, after the nodes were counted at the times that may be
   * possible.
   */
  private final Shortfalls exact = new Shortfalls();

  /**
   * Nodes that can have room from the first possible time on, and their room in chunks by node
   * index.
   */
  private final NodeMarks candidates = new NodeMarks();

  /** Nodes on which a promise or a booking begins before the promised time. */
  private final NodeMarks coming = new NodeMarks();

  private final NodeMarks taken = new NodeMarks();
  private final AbleNodes able = new AbleNodes();
  private int[] rooms = {};
  private long sum;
  private long foundMs;

  EarlierStartSearch(RoomWindow window, FirstFitSearch fit, EventWalk walk, WorkCount work) {
    this.fit = fit;
    this.walk = walk;
    this.work = work;
    this.freer = new FreerNodes(window, fit, work);
  }

  /** True when something has become free that the job could use before the promised time. */
  public static boolean worthALook(Promise promise, Pool pool, long nowMs) {
    GainLog gains = pool.gains();
    if (!remembers(promise, pool)) {
      return promise.knownUpTo() != gains.end();
    }
    for (long at = promise.knownUpTo(); at < gains.end(); at++) {
      if (gains.get(at).concerns(nowMs, promise.fromMs(), promise.toMs())) {
        return true;
      }
    }
    promise.unchangedUpTo(gains.end());
    return false;
  }

  /** True when all that has become free since the last search is still known. */
  public static boolean remembers(Promise promise, Pool pool) {
    return promise.foresight() != null && pool.gains().reaches(promise.knownUpTo());
  }

  /**
   * First time before the promised one that may be possible; {@link UsageProfile#NEVER} when none
   * is. The promise must not be in the book, and the log must still hold all gains since its last
   * search.
   */
  public long possibleFrom(Promise of, Pool from, long atMs) {
    promise = of;
    shape = of.owner().shape();
    pool = from;
    nowMs = atMs;
    freer.collect(promise, pool, nowMs);
    freer.bound(promise.foresight().shortfalls(), promise.fromMs(), bounds);
    int first = possible(0);
    return first < bounds.size() ? Math.max(nowMs, bounds.fromMs(first)) : UsageProfile.NEVER;
  }

  /**
   * Index of the first step, from the given one on, at which a start may be possible; steps lie
   * between the times at which the bounds change.
   */
  private int possible(int step) {
    int at = step;
    while (at < bounds.size() && (bounds.missing(at) > 0 || untilMs(at) <= nowMs)) {
      at++;
    }
    return at;
  }

  private long untilMs(int step) {
    return step + 1 < bounds.size() ? bounds.fromMs(step + 1) : promise.fromMs();
  }

  public long foundMs() {
    return foundMs;
  }

  /** What the next search may build on when no earlier time is possible. */
  public SearchMemory stays() {
    List<NodeState> spare = new ArrayList<>(List.of(promise.foresight().spare()));
    taken.clear();
    promise.held().takes().forEach(it -> taken.add(it.node()));
    spare.forEach(taken::add);
    for (int i = 0; i < freer.size(); i++) {
      if (freer.atPromise(i) && taken.add(freer.node(i))) {
        spare.add(freer.node(i));
      }
    }
    return SearchMemory.of(bounds, spare);
  }

  /**
   * Counts room at the times that may be possible.
   *
   * @return the allocation at the first time that is; null when the promise stays
   */
  public JobAllocation search() {
    exact.clear();
    candidates.clear();
    sum = 0;
    JobAllocation held = null;
    for (int step = 0; step < bounds.size() && held == null; step++) {
      if (bounds.missing(step) > 0 || untilMs(step) <= nowMs) {
        exact.add(bounds.fromMs(step), Math.max(1, bounds.missing(step)));
      } else {
        held = search(Math.max(nowMs, bounds.fromMs(step)), untilMs(step));
      }
    }
    return held;
  }

  /** What the next search may build on, for the new promise or for the one that stays. */
  public SearchMemory foresight(JobAllocation held) {
    if (held == null) {
      goTo(promise.fromMs());
    }
    List<NodeState> spare = new ArrayList<>();
    taken.clear();
    (held == null ? promise.held() : held).takes().forEach(it -> taken.add(it.node()));
    for (int i = 0; i < candidates.size(); i++) {
      NodeState node = candidates.get(i);
      if (node.pool() == pool && rooms[node.index()] > 0 && taken.add(node)) {
        spare.add(node);
      }
      if (node.pool() == pool) {
        rooms[node.index()] = 0;
      }
    }
    return SearchMemory.of(exact, spare);
  }

  private JobAllocation search(long fromMs, long toMs) {
    if (candidates.size() > 0 && walk.nodesUntil(fromMs) < candidates.size()) {
      walk.moveTo(fromMs);
      countTouched();
    } else {
      goTo(fromMs);
    }
    long at = fromMs;
    while (at < toMs) {
      int missing = shape.chunks() - (int) sum;
      if (missing <= 0 && at > nowMs) {
        foundMs = at;
        return fit.place(shape, pool, rooms);
      }
      exact.add(at, Math.max(1, missing));
      at = walk.next(at);
      if (at < toMs) {
        walk.moveTo(at);
        countTouched();
      }
    }
    return null;
  }

  /**
   * Moves to a time and counts the room of the nodes there; only nodes touched by events are
   * counted again.
   */
  private void goTo(long timeMs) {
    walk.begin(timeMs, shape.walltimeMs(), false);
    if (candidates.size() == 0) {
      gather();
    }
    for (int i = 0; i < candidates.size(); i++) {
      count(candidates.get(i));
    }
  }

  private void gather() {
    promise.held().takes().forEach(it -> candidates.add(it.node()));
    for (NodeState node : promise.foresight().spare()) {
      candidates.add(node);
    }
    for (int i = 0; i < freer.size(); i++) {
      if (freer.hasRoom(i)) {
        candidates.add(freer.node(i));
      }
    }
    able.begin(shape, pool);
    coming.clear();
    walk.addComing(promise.fromMs(), coming);
    for (int i = 0; i < coming.size(); i++) {
      NodeState node = coming.get(i);
      if (node.pool() == pool && able.able(node, 0, promise.fromMs())) {
        candidates.add(node);
      }
    }
    if (rooms.length < pool.nodes().length) {
      rooms = new int[pool.nodes().length];
    }
  }

  private void countTouched() {
    NodeMarks freed = walk.freed();
    for (int i = 0; i < freed.size(); i++) {
      if (candidates.contains(freed.get(i))) {
        count(freed.get(i));
      }
    }
    NodeMarks narrowed = walk.narrowed();
    for (int i = 0; i < narrowed.size(); i++) {
      NodeState node = narrowed.get(i);
      if (node.pool() == pool && rooms[node.index()] > 0 && candidates.contains(node)) {
        count(node);
      }
    }
  }

  private void count(NodeState node) {
    if (node.pool() == pool) {
      work.add(1);
      int room = fit.room(node, shape);
      sum += room - rooms[node.index()];
      rooms[node.index()] = room;
    }
  }
}
