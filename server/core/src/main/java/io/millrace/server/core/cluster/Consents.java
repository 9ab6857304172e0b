package io.millrace.server.core.cluster;

import io.millrace.schemas.Topics;
import io.millrace.schemas.command.AskConsent;
import io.millrace.schemas.command.GiveConsent;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.fact.ConsentGiven;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.state.Node;
import io.millrace.schemas.state.Queue;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.decision.Decision;
import io.millrace.server.core.parking.Parking;
import io.millrace.server.core.placement.BestEffortQueue;
import io.millrace.server.core.placement.PartitionTable;
import io.millrace.server.core.state.JobRecords;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Whether a shard agrees that queues, nodes or resources are deleted or become others. */
public final class Consents {
  private Consents() {}

  static Decision decide(Context c, AskConsent command) {
    Decision decision = Decision.none();
    if (c.numbers().getAppliedChange() >= command.getChange()) {
      // It was parked here while another shard refused the change.
      return decision;
    }
    List<String> queues = new ArrayList<>();
    for (ClusterObject object : command.getDeleted()) {
      if (object.getKind() == ObjectKind.QUEUE) {
        if (busy(c.view().queues().get(object.getName()))) {
          return give(c, command.getChange(), PbsError.OBJECT_BUSY, decision);
        }
        queues.add(object.getName());
      }
    }
    for (ClusterObject object : command.getObjects()) {
      if (object.getKind() == ObjectKind.QUEUE && effortChanges(c, object)) {
        if (busy(c.view().queues().get(object.getName()))) {
          List<String> lines = List.of(BestEffortRules.BUSY);
          return give(c, command.getChange(), PbsError.ILLEGAL_VALUE.code(), lines, decision);
        }
        queues.add(object.getName());
      }
    }
    if (Stream.concat(command.getDeleted().stream(), command.getObjects().stream())
        .anyMatch(it -> it.getKind() == ObjectKind.RESOURCE && amountOfJobs(c, it.getName()))) {
      return give(
          c,
          command.getChange(),
          PbsError.RESOURCE_BUSY.code(),
          List.of(PbsError.RESOURCE_BUSY.text("job")),
          decision);
    }
    List<String> kept = StayingObjects.why(c.view(), command.getObjects());
    if (!kept.isEmpty()) {
      return give(c, command.getChange(), PbsError.OBJECT_BUSY.code(), kept, decision);
    }
    List<String> nodes = new ArrayList<>();
    for (String name : nodes(command)) {
      Node node = c.view().nodes().get(name);
      if (node != null && JobRecords.runs(node) > 0) {
        PbsError busy = deletes(command, name) ? PbsError.OBJECT_BUSY : PbsError.NODE_BUSY;
        return give(c, command.getChange(), busy, decision);
      }
      if (!deletes(command, name) && c.view().bookings().any(name)) {
        return give(c, command.getChange(), PbsError.NODE_BUSY, decision);
      }
      if (travelling(c, name, node)) {
        return Parking.park(c, Parking.Cause.NODE, name, command, decision);
      }
      if (node != null) {
        nodes.add(name);
      }
    }
    give(c, command.getChange(), null, decision);
    return decision.fact(new ConsentGiven(c.stamp(), command.getChange(), queues, nodes));
  }

  /**
   * Whether a job asks for an amount of the resource, by the sums that are kept for limits. No sums
   * are kept of resources that are not consumable; a job that asks for one of these only waits for
   * a value that no node has.
   */
  private static boolean amountOfJobs(Context c, String resource) {
    boolean[] found = {false};
    c.view()
        .queued()
        .scan(
            "",
            null,
            (key, sum) -> {
              found[0] |= sum.getAmounts().containsKey(resource);
              return !found[0];
            });
    return found[0];
  }

  /** Whether jobs of the queue would come among others, or leave them, by being best effort. */
  private static boolean effortChanges(Context c, ClusterObject queue) {
    ClusterObject before = PartitionTable.queue(c.view(), queue.getName());
    return before != null && BestEffortQueue.is(before) != BestEffortQueue.is(queue);
  }

  private static boolean busy(Queue queue) {
    return queue != null && queue.getCounts().values().stream().anyMatch(count -> count > 0);
  }

  private static List<String> nodes(AskConsent command) {
    return Stream.concat(command.getDeleted().stream(), command.getObjects().stream())
        .filter(object -> object.getKind() == ObjectKind.NODE)
        .map(ClusterObject::getName)
        .toList();
  }

  private static boolean deletes(AskConsent command, String node) {
    return command.getDeleted().stream()
        .anyMatch(it -> it.getKind() == ObjectKind.NODE && it.getName().equals(node));
  }

  /** Whether the node is here and belongs to another shard, or belongs here and has not arrived. */
  private static boolean travelling(Context c, String name, Node node) {
    ClusterObject object = PartitionTable.node(c.view(), name);
    boolean home = object != null && PartitionTable.shardOf(c.view(), object) == c.shard();
    return home != (node != null) || (node != null && node.getOfferedTo() >= 0);
  }

  /** Answers the administrative shard; refusal is null for consent. */
  static Decision give(Context c, long change, PbsError refusal, Decision decision) {
    return refusal == null
        ? give(c, change, 0, List.of(), decision)
        : give(c, change, refusal.code(), List.of(refusal.text()), decision);
  }

  private static Decision give(
      Context c, long change, int code, List<String> lines, Decision decision) {
    return decision.tell(
        Topics.ADMINISTRATIVE_SHARD, new GiveConsent(c.asShard(), change, c.shard(), code, lines));
  }
}
