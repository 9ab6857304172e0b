package io.millrace.schedulers.core.search;

import io.millrace.reservations.timeline.UsageProfile;
import io.millrace.schedulers.core.model.ChunkKind;
import io.millrace.schedulers.core.model.RequestShape;
import io.millrace.schedulers.core.policy.Calendar;
import io.millrace.schedulers.core.state.node.FreeTree;
import io.millrace.schedulers.core.state.node.HostState;
import io.millrace.schedulers.core.state.node.JobAllocation;
import io.millrace.schedulers.core.state.node.NodeAllocation;
import io.millrace.schedulers.core.state.node.NodeMarks;
import io.millrace.schedulers.core.state.node.NodeSets;
import io.millrace.schedulers.core.state.node.NodeState;
import io.millrace.schedulers.core.state.node.Pool;
import io.millrace.schedulers.core.state.promise.Promise;
import io.millrace.schedulers.core.state.promise.SearchMemory;
import io.millrace.schedulers.core.state.promise.Shortfalls;
import io.millrace.schemas.pbs.resources.PlaceRequest.Arrangement;
import io.millrace.schemas.pbs.resources.PlaceRequest.Sharing;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Finds the earliest start of a job by what is known of the ends of runs and of promises.
 *
 * <p>Simple semantics: a job can start earlier than at some time only if it can start at an end of
 * a run or of a promise before, since free amounts grow at these times only. So these times are
 * tried in their order. The optimisation: for each node it is kept how many chunks it has room for,
 * and at each time only the nodes are counted again of which something ends then, and of those with
 * room the ones on which a promise begins, or begins in the window for the first time.
 */
public final class EarliestStartSearch {

  /**
   * Most changes of the calendar that a search tries: prime time on each working day of more than a
   * year, so that the longest holidays are among them.
   */
  private static final int CHANGES_MAX = 1_000;

  private final RoomWindow window;
  private final FirstFitSearch fit;
  private final EventWalk walk;
  private final WorkCount work;
  private final Suitability suitability;
  private final SetSearch sets;

  /** When jobs of {@link #queue} may run; null for always. */
  private Calendar calendar;

  private String queue;

  /** Changes of the calendar that this search has tried. */
  private int changes;

  /** After a time that was tried, times within so many milliseconds are not. */
  private long stepMs;

  private RequestShape shape;
  private Pool pool;
  private boolean single;

  /** Room of each node in chunks, by kind and node index; {@code sums} adds it up by kind. */
  private int[][] rooms = {};

  private long[] sums = {};
  private final SetSums setSums = new SetSums();
  private final AbleNodes able = new AbleNodes();

  /** The groups of nodes in one of which the job has to lie; null when it may lie anywhere. */
  private NodeSets within;

  private long foundMs;
  private final Shortfalls shortfalls = new Shortfalls();
  private final NodeMarks taken = new NodeMarks();
  private final List<NodeState> spare = new ArrayList<>();

  EarliestStartSearch(
      RoomWindow window,
      FirstFitSearch fit,
      EventWalk walk,
      WorkCount work,
      Suitability suitability,
      SetSearch sets) {
    this.suitability = suitability;
    this.sets = sets;
    this.window = window;
    this.fit = fit;
    this.walk = walk;
    this.work = work;
  }

  /** Start that the last search found. */
  public long foundMs() {
    return foundMs;
  }

  /**
   * Sets when jobs may run, for the next searches.
   *
   * @param when null for always
   * @param ofQueue name of the queue of the jobs that are searched for
   */
  public void within(Calendar when, String ofQueue) {
    calendar = when;
    queue = ofQueue;
  }

  /**
   * Sets how roughly the next searches go through the times: the start that is found may be later
   * than the earliest by less than this.
   */
  public void roughly(long milliseconds) {
    stepMs = milliseconds;
  }

  /** The next time to try: when the step is over, or everything has ended before. */
  private long nextTried(long afterMs) {
    long at = next(afterMs);
    boolean rough = stepMs > 0 && at < UsageProfile.NEVER;
    return rough ? Math.max(at, Math.min(afterMs + stepMs, walk.last())) : at;
  }

  /**
   * The next time after this one at which more may be possible. A calendar changes for ever, also
   * where nothing ends any more or the next run ends in a thousand years: after so many changes
   * only the ends are looked at.
   */
  private long next(long afterMs) {
    long endMs = walk.next(afterMs);
    if (calendar == null || changes == CHANGES_MAX) {
      return endMs;
    }
    long changeMs = calendar.nextChangeMs(afterMs);
    if (changeMs < endMs) {
      changes++;
    }
    return Math.min(endMs, changeMs);
  }

  private boolean mayRun(long atMs) {
    return calendar == null || calendar.refusal(queue, shape.walltimeMs(), atMs) == null;
  }

  /**
   * Earliest start after now and before a time.
   *
   * @param beforeMs {@link UsageProfile#NEVER} for any time
   * @param endsOneByOne true when ends that come in the instant of the start, and without which it
   *     could be as well, do not count for {@link #left}
   * @return what the job would get; null when it cannot start before that time
   */
  public JobAllocation search(
      RequestShape wanted, Pool from, long nowMs, long beforeMs, boolean endsOneByOne) {
    shape = wanted;
    pool = from;
    single = shape.chunks() > 1 && apart(shape.placement().arrangement());
    within = shape.placement().arrangement() == Arrangement.PACK ? null : sets.within(shape, pool);
    walk.begin(nowMs, shape.walltimeMs(), endsOneByOne);
    able.begin(shape, pool);
    countAll();
    changes = 0;
    shortfalls.clear();
    shortfalls.add(nowMs, Math.max(1, missing()));
    long at = next(nowMs);
    while (at < beforeMs) {
      walk.moveTo(at);
      recount(at);
      int missing = missing();
      if (missing <= 0 && mayRun(at)) {
        JobAllocation held = fit.place(shape, pool, rooms[0]);
        if (held != null) {
          foundMs = at;
          return held.anyHostAlone() ? wholeHosts(held) : held;
        }
      }
      shortfalls.add(at, Math.max(1, missing));
      at = nextTried(at);
    }
    return null;
  }

  /**
   * What the last search found out for later searches of the same job, which is about to get this
   * allocation; null when nothing.
   */
  public SearchMemory foresight(JobAllocation held) {
    // With rules about whole hosts a promise on another node of the host can be in the way, and the
    // search for earlier starts does not look at it.
    if (!fit.counts(shape, pool) || pool.anyHostAlone(shape.placement().sharing())) {
      return null;
    }
    NodeState[] nodes = pool.nodes();
    taken.clear();
    held.takes().forEach(it -> taken.add(it.node()));
    spare.clear();
    for (int i = 0; i < nodes.length; i++) {
      if (rooms[0][i] > 0 && !taken.contains(nodes[i])) {
        spare.add(nodes[i]);
      }
    }
    return SearchMemory.of(shortfalls, spare);
  }

  /**
   * What the last search found out for later searches when the promise stays because no earlier
   * start was found.
   */
  public SearchMemory foresight(Promise stays) {
    walk.moveTo(stays.fromMs());
    recount(stays.fromMs());
    return foresight(stays.held());
  }

  /**
   * True when the promise, taken out of the book for the check, still fits at its time on its
   * nodes.
   */
  public boolean holds(Promise promise, Pool from, long nowMs) {
    work.add(promise.held().takes().size());
    if (!holdsWholeHosts(promise.held())) {
      return false;
    }
    if (!suitability.of(promise.held(), promise.owner().shape(), from)) {
      return false;
    }
    window.at(Math.max(nowMs, promise.fromMs()), promise.toMs(), null);
    return fits(promise, from);
  }

  /** True when a promise for which {@link #holds} is false would hold if nothing were booked. */
  public boolean wouldHoldUnbooked(Promise promise, Pool from, long nowMs) {
    window.at(Math.max(nowMs, promise.fromMs()), promise.toMs(), null);
    window.withoutBookings();
    return fits(promise, from);
  }

  private boolean fits(Promise promise, Pool from) {
    for (NodeAllocation take : promise.held().takes()) {
      NodeState node = take.node();
      if (take.chunks() == 0) {
        // This node only keeps its host free for the job; the host's rules are checked with the
        // other nodes.
        continue;
      }
      if (node.pool() != from
          || !window.open(node, promise.held().asked())
          || !window.fits(node, take.amounts())) {
        return false;
      }
    }
    return true;
  }

  /** What remains free on each node of the allocation at the beginning of the window. */
  public long[][] left(JobAllocation held) {
    long[][] left = new long[held.takes().size()][];
    for (int i = 0; i < left.length; i++) {
      NodeAllocation take = held.takes().get(i);
      long[] free = window.free(take.node());
      long[] amounts = take.amounts();
      left[i] = Arrays.copyOf(free, Math.max(free.length, amounts.length));
      for (int resource = 0; resource < amounts.length; resource++) {
        left[i][resource] -= amounts[resource];
      }
    }
    return left;
  }

  private static boolean apart(Arrangement arrangement) {
    return arrangement == Arrangement.SCATTER || arrangement == Arrangement.VSCATTER;
  }

  private void countAll() {
    NodeState[] nodes = pool.nodes();
    int kinds = shape.kinds().length;
    if (rooms.length < kinds || rooms[0].length < nodes.length) {
      rooms = new int[Math.max(kinds, rooms.length)][nodes.length];
      sums = new long[rooms.length];
    }
    // While no event has been passed, the tree of free amounts tells which nodes have room.
    FreeTree free = walk.atTheBeginning() ? pool.free() : null;
    for (int k = 0; k < kinds; k++) {
      Arrays.fill(rooms[k], 0, nodes.length, 0);
      ChunkKind kind = shape.kinds()[k];
      long sum = 0;
      int i = free == null ? 0 : free.next(0, kind);
      while (i < nodes.length) {
        work.add(1);
        int room = room(nodes[i], kind);
        rooms[k][i] = room;
        sum += room;
        i = free == null ? i + 1 : free.next(i + 1, kind);
      }
      sums[k] = sum;
    }
    if (within != null) {
      work.add(nodes.length);
      setSums.begin(shape, pool, within, rooms);
    }
  }

  private void recount(long atMs) {
    NodeMarks freed = walk.freed();
    NodeMarks narrowed = walk.narrowed();
    for (int k = 0; k < shape.kinds().length; k++) {
      int[] known = rooms[k];
      for (int i = 0; i < freed.size(); i++) {
        NodeState node = freed.get(i);
        if (node.pool() == pool && able.able(node, k, atMs)) {
          recount(k, node);
        }
      }
      for (int i = 0; i < narrowed.size(); i++) {
        NodeState node = narrowed.get(i);
        if (node.pool() == pool && known[node.index()] > 0) {
          recount(k, node);
        }
      }
    }
  }

  private void recount(int kind, NodeState node) {
    int room = room(node, shape.kinds()[kind]);
    int more = room - rooms[kind][node.index()];
    if (more != 0) {
      sums[kind] += more;
      if (within != null) {
        setSums.add(kind, node, more);
      }
      rooms[kind][node.index()] = room;
    }
  }

  private int room(NodeState node, ChunkKind kind) {
    if (!window.open(node, shape.placement().sharing())) {
      return 0;
    }
    int room = window.room(node, kind, single ? 1 : kind.count());
    return room > 0 && window.matches(node, kind) ? room : 0;
  }

  /**
   * Lower bound of the chunks that are still missing; at 0 or less a placement is worth a try.
   * Rules about hosts are left to the placement.
   */
  private int missing() {
    if (shape.chunks() > 1 && shape.placement().arrangement() == Arrangement.PACK) {
      return missingOnOneHost();
    }
    if (within != null) {
      return (int) setSums.missing(shape);
    }
    long most = Long.MIN_VALUE;
    for (int k = 0; k < shape.kinds().length; k++) {
      most = Math.max(most, shape.kinds()[k].count() - sums[k]);
    }
    return (int) most;
  }

  /**
   * Lower bound of the chunks missing when the whole job must lie on one host ({@code place=pack});
   * looks only at hosts that may have more room.
   */
  private int missingOnOneHost() {
    NodeMarks freed = walk.freed();
    long least = Integer.MAX_VALUE;
    for (int i = 0; i < freed.size(); i++) {
      if (freed.get(i).pool() == pool) {
        least = Math.min(least, missingOn(freed.get(i).host()));
      }
    }
    return (int) least;
  }

  private long missingOn(HostState host) {
    long most = Long.MIN_VALUE;
    for (int k = 0; k < shape.kinds().length; k++) {
      long sum = 0;
      for (NodeState node : host.nodes()) {
        sum += node.pool() == pool ? rooms[k][node.index()] : 0;
      }
      most = Math.max(most, shape.kinds()[k].count() - sum);
    }
    return most;
  }

  /**
   * False when nodes have joined or left the hosts that the job has exclusively, or their sharing
   * has changed.
   */
  private static boolean holdsWholeHosts(JobAllocation held) {
    for (NodeAllocation take : held.takes()) {
      if (held.sharing(take) == Sharing.EXCLHOST) {
        HostState host = take.node().host();
        List<NodeAllocation> here =
            held.takes().stream().filter(it -> it.node().host() == host).toList();
        boolean wanted =
            here.stream().anyMatch(it -> it.chunks() > 0 && held.sharing(it) == Sharing.EXCLHOST);
        if (host == null || !wanted || here.size() != host.nodes().size()) {
          return false;
        }
      }
    }
    return true;
  }

  /**
   * Adds the remaining nodes of the hosts that the job has exclusively, without chunks, since no
   * other job may use them.
   */
  static JobAllocation wholeHosts(JobAllocation held) {
    List<NodeAllocation> takes = new ArrayList<>(held.takes());
    List<NodeState> known = new ArrayList<>();
    held.takes().forEach(it -> known.add(it.node()));
    for (NodeAllocation take : held.takes()) {
      if (held.sharing(take) != Sharing.EXCLHOST) {
        continue;
      }
      for (NodeState node : take.node().host().nodes()) {
        if (!known.contains(node)) {
          known.add(node);
          takes.add(new NodeAllocation(node, 0, new long[0]));
        }
      }
    }
    return new JobAllocation(takes, held.asked());
  }
}
