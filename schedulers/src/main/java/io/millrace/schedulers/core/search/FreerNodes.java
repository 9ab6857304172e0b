package io.millrace.schedulers.core.search;

import io.millrace.reservations.timeline.UsageProfile;
import io.millrace.schedulers.core.model.RequestShape;
import io.millrace.schedulers.core.state.node.BookingProfile;
import io.millrace.schedulers.core.state.node.GainLog;
import io.millrace.schedulers.core.state.node.NodeMarks;
import io.millrace.schedulers.core.state.node.NodeReleases;
import io.millrace.schedulers.core.state.node.NodeState;
import io.millrace.schedulers.core.state.node.Pool;
import io.millrace.schedulers.core.state.promise.Promise;
import io.millrace.schedulers.core.state.promise.Shortfalls;
import java.util.Arrays;
import java.util.List;

/** Nodes that have become freer since a promise was searched, and the room on them for its job. */
final class FreerNodes {

  private final RoomWindow window;
  private final FirstFitSearch fit;
  private final WorkCount work;
  private final NodeMarks nodes = new NodeMarks();

  // By index of the node: the first start that can gain, and from when on how much room there is.
  private long[] firstMs = new long[64];
  private long[] untilMs = new long[64];
  private int[] most = new int[64];
  private boolean[] atPromise = new boolean[64];

  /** Whether the use of the node only falls between these times, as far as was known. */
  private boolean[] falling = new boolean[64];

  private final ExtraRoom extra = new ExtraRoom();
  private Promise promise;
  private RequestShape shape;

  FreerNodes(RoomWindow window, FirstFitSearch fit, WorkCount work) {
    this.window = window;
    this.fit = fit;
    this.work = work;
  }

  int size() {
    return nodes.size();
  }

  NodeState node(int index) {
    return nodes.get(index);
  }

  /** True when a start before the promised one, or the promised one, finds room on the node. */
  boolean hasRoom(int index) {
    return most[index] > 0 || atPromise[index];
  }

  /** True when there is room on the node at the promised time. */
  boolean atPromise(int index) {
    return atPromise[index];
  }

  /** Collects the nodes that the pool's log names since the last search of the promise. */
  void collect(Promise of, Pool pool, long nowMs) {
    promise = of;
    shape = of.owner().shape();
    nodes.clear();
    GainLog gains = pool.gains();
    for (long at = promise.knownUpTo(); at < gains.end(); at++) {
      GainLog.Gain gain = gains.get(at);
      if (gain.concerns(nowMs, promise.fromMs(), promise.toMs())) {
        long first = Math.max(nowMs, gain.firstStartMs(shape.walltimeMs()));
        for (NodeState node : gain.nodes()) {
          if (node.pool() == pool) {
            note(node, first, gain);
          }
        }
      }
    }
    extra.clear();
    for (int i = 0; i < nodes.size(); i++) {
      examine(i);
    }
  }

  private void note(NodeState node, long fromMs, GainLog.Gain gain) {
    if (nodes.add(node)) {
      int index = nodes.size() - 1;
      if (index == most.length) {
        firstMs = Arrays.copyOf(firstMs, 2 * index);
        untilMs = Arrays.copyOf(untilMs, 2 * index);
        most = Arrays.copyOf(most, 2 * index);
        atPromise = Arrays.copyOf(atPromise, 2 * index);
        falling = Arrays.copyOf(falling, 2 * index);
      }
      firstMs[index] = fromMs;
      untilMs[index] = gain.toMs();
      falling[index] = gain.onlyThen();
    } else {
      int index = nodes.indexOf(node);
      firstMs[index] = Math.min(firstMs[index], fromMs);
      untilMs[index] = Math.max(untilMs[index], gain.toMs());
      falling[index] = false;
    }
  }

  /** Looks at each time at which the node can have got more room. */
  private void examine(int index) {
    NodeState node = nodes.get(index);
    long fromMs = firstMs[index];
    long toMs = Math.min(untilMs[index], promise.fromMs());
    firstMs[index] = UsageProfile.NEVER;
    most[index] = 0;
    atPromise[index] = untilMs[index] > promise.fromMs() && room(node, promise.fromMs()) > 0;
    if (fromMs >= toMs || falling[index] && neverRoom(node, fromMs, toMs)) {
      return;
    }
    roomAt(fromMs, node, index);
    if (node.aloneOnHost()) {
      lookAtEnds(node, node, index, fromMs, toMs);
    } else {
      // A job that wants the host exclusively blocks all its nodes.
      List<NodeState> siblings = node.host().nodes();
      for (int i = 0; i < siblings.size(); i++) {
        lookAtEnds(siblings.get(i), node, index, fromMs, toMs);
      }
    }
    if (most[index] > 0) {
      extra.add(firstMs[index], toMs, most[index]);
    }
  }

  /** True when not even one chunk fits at the end of the span, when most is free. */
  private boolean neverRoom(NodeState node, long fromMs, long toMs) {
    if (!node.sharedOnly() || node.anyPlannedIn(fromMs, toMs)) {
      return false;
    }
    work.add(1);
    // Promises and bookings that begin within the run's span are in the way of every earlier start
    // that reaches into them.
    window.at(toMs - 1, UsageProfile.end(fromMs, shape.walltimeMs()), null);
    return fit.room(node, shape) == 0;
  }

  private void lookAtEnds(NodeState of, NodeState node, int index, long fromMs, long toMs) {
    NodeReleases releases = of.releases();
    for (int i = releases.passed(fromMs, null); i < releases.size(); i++) {
      if (releases.get(i).endMs() >= toMs) {
        break;
      }
      roomAt(releases.get(i).endMs(), node, index);
    }
    for (int i = 0; i < of.promises().size(); i++) {
      long endMs = of.promises().toMs(i);
      if (endMs > fromMs && endMs < toMs) {
        roomAt(endMs, node, index);
      }
    }
    BookingProfile bookings = of.bookings();
    for (int i = Math.max(0, bookings.stepAt(fromMs)); i < bookings.steps(); i++) {
      long stepMs = bookings.timeMs(i);
      if (stepMs >= toMs) {
        break;
      }
      if (stepMs > fromMs) {
        roomAt(stepMs, node, index);
      }
    }
  }

  private void roomAt(long timeMs, NodeState node, int index) {
    int room = room(node, timeMs);
    if (room > 0) {
      firstMs[index] = Math.min(firstMs[index], timeMs);
      most[index] = Math.max(most[index], room);
    }
  }

  private int room(NodeState node, long timeMs) {
    work.add(1);
    window.at(timeMs, UsageProfile.end(timeMs, shape.walltimeMs()), null);
    return fit.room(node, shape);
  }

  /**
   * What is missing at the least, now that there may be more room.
   *
   * @param missing what was missing at the least before
   * @param toMs end of the last step
   */
  void bound(Shortfalls missing, long toMs, Shortfalls bounds) {
    bounds.clear();
    bounds.add(Long.MIN_VALUE, missing.missing(0));
    int step = 0;
    int next = 0;
    int sum = 0;
    while (true) {
      long stepMs = step + 1 < missing.size() ? missing.fromMs(step + 1) : UsageProfile.NEVER;
      long extraMs = next < extra.size() ? extra.timeMs(next) : UsageProfile.NEVER;
      long timeMs = Math.min(stepMs, extraMs);
      if (timeMs >= toMs) {
        return;
      }
      step += stepMs == timeMs ? 1 : 0;
      while (next < extra.size() && extra.timeMs(next) == timeMs) {
        sum += extra.change(next++);
      }
      bounds.add(timeMs, missing.missing(step) - sum);
    }
  }
}
