package io.millrace.server.core.handover;

import io.millrace.schemas.Topics;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.fact.FormerQueueForgotten;
import io.millrace.schemas.state.FormerQueue;
import io.millrace.server.core.answer.AnswerMemory;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.decision.Decision;
import io.millrace.server.core.placement.PartitionTable;
import io.millrace.server.core.state.State;
import io.millrace.server.core.state.Timers;
import io.millrace.server.core.state.View;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The shards of deleted queues. A queue that is made again in another shard gets the remembered
 * answers from there: the shard still knows the answers to submissions to the first one, which may
 * be repeated. The administrative shard alone remembers and tells the others with the change, so
 * that all of them agree.
 */
public final class FormerQueues {
  /** Kind of the timers; the subject is the name of the queue. */
  private static final String TIMER = "former-queue";

  private FormerQueues() {}

  /** Applies a deletion, while the queue's object is still there. */
  public static void remember(State state, String name, long nowMs) {
    ClusterObject queue = PartitionTable.queue(state, name);
    int shard = queue == null ? -1 : PartitionTable.shardOf(state, queue);
    if (shard >= 0 && state.shard() == Topics.ADMINISTRATIVE_SHARD) {
      long untilMs = nowMs + AnswerMemory.KEPT_MS;
      state.formerQueues().put(name, new FormerQueue(name, shard, untilMs));
      Timers.set(state, untilMs, TIMER, name);
    }
  }

  /** Applies that the clock was set back: queues are remembered for as long as they would have. */
  public static void setBack(State state, long byMs) {
    List<FormerQueue> all = new ArrayList<>();
    state.formerQueues().scan("", null, (name, queue) -> all.add(queue));
    for (FormerQueue queue : all) {
      Timers.move(state, queue.getUntilMs(), TIMER, queue.getName(), byMs);
      long untilMs = queue.getUntilMs() - byMs;
      FormerQueue after = new FormerQueue(queue.getName(), queue.getShard(), untilMs);
      state.formerQueues().put(queue.getName(), after);
    }
  }

  /** Applies that there is a queue of this name. */
  public static void forget(State state, String name) {
    state.formerQueues().remove(name);
  }

  /** Handles a due timer; nothing to do when the queue was made again since. */
  static void late(Context c, String name, Decision decision) {
    FormerQueue queue = c.view().formerQueues().get(name);
    if (queue != null && queue.getUntilMs() <= c.nowMs()) {
      decision.fact(new FormerQueueForgotten(c.stamp(), name));
    }
  }

  /** Shards of former queues of the names that are written. */
  public static Map<String, Integer> homes(View view, List<ClusterObject> written) {
    Map<String, Integer> homes = new TreeMap<>();
    for (ClusterObject object : written) {
      FormerQueue queue =
          object.getKind() == ObjectKind.QUEUE ? view.formerQueues().get(object.getName()) : null;
      if (queue != null) {
        homes.put(queue.getName(), queue.getShard());
      }
    }
    return homes;
  }
}
