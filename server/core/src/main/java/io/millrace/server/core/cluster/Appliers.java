package io.millrace.server.core.cluster;

import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.FactMeta;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.fact.ChangeAdvanced;
import io.millrace.schemas.fact.ChangeClosed;
import io.millrace.schemas.fact.ChangeOpened;
import io.millrace.schemas.fact.ChangeQueued;
import io.millrace.schemas.fact.ConsentGiven;
import io.millrace.schemas.fact.ObjectDeleted;
import io.millrace.schemas.fact.ObjectWritten;
import io.millrace.schemas.state.Node;
import io.millrace.schemas.state.OpenChange;
import io.millrace.schemas.state.Queue;
import io.millrace.schemas.state.ShardState;
import io.millrace.server.core.admission.LimitLeases;
import io.millrace.server.core.answer.AnswerMemory;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.handover.FormerQueues;
import io.millrace.server.core.placement.Nodes;
import io.millrace.server.core.placement.PartitionTable;
import io.millrace.server.core.state.Copies;
import io.millrace.server.core.state.JobRecords;
import io.millrace.server.core.state.Keys;
import io.millrace.server.core.state.ShardNumbers;
import io.millrace.server.core.state.State;
import io.millrace.server.core.state.Timers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Applies cluster changes. */
public final class Appliers {
  private static final long TELL_AFTER_MS = 5_000;

  public void apply(State state, ObjectWritten fact) {
    ClusterObject object = fact.getObject();
    String key = Keys.object(object.getKind(), object.getName());
    ClusterObject before = state.objects().get(key);
    boolean fresh = before == null;
    if (LimitLeases.isVoidedBy(before, object)) {
      LimitLeases.makeVoid(state, object.getVersion());
    }
    state.objects().put(key, object);
    applied(state, object.getVersion());
    switch (object.getKind()) {
      case NODE -> {
        // A partition is written before the nodes that bring it into being.
        if (fresh) {
          beginNode(state, object);
        }
        reopenNode(state, object.getName());
      }
      case QUEUE -> {
        FormerQueues.forget(state, object.getName());
        queueCame(state, object, fact.getMeta());
        reopenQueue(state, object.getName());
      }
      // Its nodes come by hand-over, as they are; a queue has nothing that would have to come.
      case PARTITION ->
          Nodes.each(state, ObjectKind.QUEUE, queue -> queueCame(state, queue, fact.getMeta()));
      case SCHEDULER -> goneFrom(state, fact.getObject());
      default -> {}
    }
  }

  /** A scheduler object that has gone to another shard: nothing of its engine here holds. */
  private static void goneFrom(State state, ClusterObject scheduler) {
    String name = scheduler.getName();
    boolean here =
        Context.attribute(scheduler, "shard", "-1").equals(String.valueOf(state.shard()));
    if (!here && state.schedulers().get(name) != null) {
      state.schedulers().remove(name);
      removeReasons(state, name);
    }
  }

  private static void applied(State state, long change) {
    ShardState numbers = Copies.of(ShardNumbers.of(state));
    numbers.setAppliedChange(change);
    state.numbers().put(Keys.NUMBERS, numbers);
  }

  private static void beginNode(State state, ClusterObject node) {
    if (PartitionTable.shardOf(state, node) == state.shard()
        && state.nodes().get(node.getName()) == null) {
      state.nodes().put(node.getName(), Nodes.fresh(node.getName(), Nodes.host(node)));
    }
  }

  private static void queueCame(State state, ClusterObject queue, FactMeta meta) {
    if (PartitionTable.shardOf(state, queue) == state.shard()) {
      AnswerMemory.queueCame(state, meta.getCause(), meta.getAtMs());
    }
    beginQueue(state, queue);
  }

  /** Applies that the clock was set back: what is told after a time is told after that time. */
  public static void setBack(State state, long byMs) {
    List<OpenChange> open = new ArrayList<>();
    state.changes().scan("", null, (key, change) -> open.add(change));
    for (OpenChange change : open) {
      String key = Keys.number(change.getNumber());
      Timers.move(state, change.getOpenedMs() + TELL_AFTER_MS, Changes.TIMER, key, byMs);
      Timers.move(state, change.getOpenedMs() + Changes.RELEASE_AFTER_MS, Changes.TIMER, key, byMs);
      OpenChange after = Copies.of(change);
      after.setOpenedMs(change.getOpenedMs() - byMs);
      state.changes().put(key, after);
    }
  }

  private static void beginQueue(State state, ClusterObject queue) {
    if (PartitionTable.shardOf(state, queue) == state.shard()
        && state.queues().get(queue.getName()) == null) {
      state
          .queues()
          .put(
              queue.getName(),
              Queue.newBuilder()
                  .setName(queue.getName())
                  .setCounts(Map.of())
                  .setAssigned(Map.of())
                  .build());
    }
  }

  public void apply(State state, ObjectDeleted fact) {
    String name = fact.getName();
    if (fact.getKind() == ObjectKind.QUEUE) {
      FormerQueues.remember(state, name, fact.getMeta().getAtMs());
    }
    state.objects().remove(Keys.object(fact.getKind(), name));
    applied(state, fact.getVersion());
    switch (fact.getKind()) {
      case QUEUE -> state.queues().remove(name);
      case NODE -> {
        Node node = state.nodes().get(name);
        if (node != null && JobRecords.runs(node) == 0) {
          state.nodes().remove(name);
        }
      }
      case SCHEDULER -> {
        state.schedulers().remove(name);
        removeReasons(state, name);
      }
      default -> {}
    }
  }

  private static void removeReasons(State state, String scheduler) {
    List<String> keys = new ArrayList<>();
    state
        .reasons()
        .scan(
            Keys.reason(scheduler, ""),
            Keys.reason(scheduler, "") + Character.MAX_VALUE,
            (key, reason) -> keys.add(key));
    keys.forEach(state.reasons()::remove);
  }

  public void apply(State state, ConsentGiven fact) {
    for (String name : fact.getClosingQueues()) {
      ClusterObject object = PartitionTable.queue(state, name);
      if (object != null) {
        beginQueue(state, object);
      }
      Queue before = state.queues().get(name);
      if (before != null) {
        Queue queue = Copies.of(before);
        queue.setClosing(true);
        state.queues().put(name, queue);
      }
    }
    for (String name : fact.getClosingNodes()) {
      Node node = Copies.of(state.nodes().get(name));
      node.setOfferedTo(state.shard());
      state.nodes().put(name, node);
    }
  }

  /** The change that was agreed to is applied, or was refused by another shard. */
  private static void reopenQueue(State state, String name) {
    Queue before = state.queues().get(name);
    if (before != null && before.getClosing()) {
      Queue queue = Copies.of(before);
      queue.setClosing(false);
      state.queues().put(name, queue);
    }
  }

  private static void reopenNode(State state, String name) {
    Node before = state.nodes().get(name);
    if (before != null && before.getOfferedTo() == state.shard()) {
      Node node = Copies.of(before);
      node.setOfferedTo(-1);
      state.nodes().put(name, node);
    }
  }

  public void apply(State state, ChangeQueued fact) {
    put(state, fact.getChange());
  }

  public void apply(State state, ChangeOpened fact) {
    put(state, fact.getChange());
  }

  private static void put(State state, OpenChange change) {
    String key = Keys.number(change.getNumber());
    if (state.changes().get(key) == null) {
      // Counted from the directive, so that those queued behind a slow change are told as well.
      Timers.set(state, change.getOpenedMs() + TELL_AFTER_MS, Changes.TIMER, key);
    }
    state.changes().put(key, change);
    ShardState numbers = Copies.of(ShardNumbers.of(state));
    numbers.setLastChange(Math.max(numbers.getLastChange(), change.getNumber()));
    state.numbers().put(Keys.NUMBERS, numbers);
  }

  public void apply(State state, ChangeAdvanced fact) {
    OpenChange before = state.changes().get(Keys.number(fact.getNumber()));
    OpenChange change = Copies.of(before);
    change.setApplying(fact.getApplying());
    change.setConsents(fact.getConsents());
    change.setApplications(fact.getApplications());
    change.setDelayTold(fact.getDelayTold());
    state.changes().put(Keys.number(fact.getNumber()), change);
    if (fact.getDelayTold() && !before.getDelayTold()) {
      Timers.set(
          state,
          change.getOpenedMs() + Changes.RELEASE_AFTER_MS,
          Changes.TIMER,
          Keys.number(change.getNumber()));
    }
  }

  public void apply(State state, ChangeClosed fact) {
    state.changes().remove(Keys.number(fact.getNumber()));
  }
}
