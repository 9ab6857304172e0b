package io.millrace.server.core.cluster;

import io.millrace.schemas.Topics;
import io.millrace.schemas.command.ApplyChange;
import io.millrace.schemas.command.AskConsent;
import io.millrace.schemas.command.ChangeObject;
import io.millrace.schemas.command.ConfirmChange;
import io.millrace.schemas.command.Continue;
import io.millrace.schemas.command.GiveConsent;
import io.millrace.schemas.command.NoteFolder;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.fact.ObjectDeleted;
import io.millrace.schemas.fact.ObjectWritten;
import io.millrace.schemas.output.AskHost;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.state.AttributeEdit;
import io.millrace.schemas.state.ObjectChange;
import io.millrace.schemas.state.Timer;
import io.millrace.server.core.admission.LimitLeases;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.decision.Decision;
import io.millrace.server.core.handover.AnswerHandover;
import io.millrace.server.core.job.route.Routing;
import io.millrace.server.core.parking.Parking;
import io.millrace.server.core.placement.Nodes;
import io.millrace.server.core.placement.PartitionTable;
import io.millrace.server.core.placement.Reservations;
import io.millrace.server.core.share.StartCharges;
import io.millrace.server.core.state.Keys;
import io.millrace.server.core.work.LeavingWork;
import io.millrace.server.core.work.ReservationWork;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Decides cluster changes: in the administrative shard, and in the shards that carry them out. */
public final class Deciders {
  public Decision decide(Context c, ChangeObject command) {
    if (c.shard() != Topics.ADMINISTRATIVE_SHARD) {
      return Decision.none().tell(Topics.ADMINISTRATIVE_SHARD, command);
    }
    List<AttributeEdit> edits = new ArrayList<>();
    command
        .getAttributes()
        .forEach(
            a -> edits.add(new AttributeEdit(a.getName(), a.getValue(), a.getOperation().name())));
    String name = command.getKind() == ObjectKind.SERVER ? Keys.SERVER : command.getName();
    return Changes.take(
        c,
        c.meta(),
        new ObjectChange(command.getOperation().name(), command.getKind(), name, edits));
  }

  public Decision decide(Context c, NoteFolder command) {
    return SchedulerFolderRules.decide(c, command);
  }

  public Decision decide(Context c, AskConsent command) {
    return Consents.decide(c, command);
  }

  /**
   * The command was parked for too long: the shard refuses, since it cannot say that the node is
   * free.
   */
  public Decision refuse(Context c, AskConsent command) {
    return Consents.give(c, command.getChange(), PbsError.NODE_BUSY, Decision.none());
  }

  public Decision decide(Context c, GiveConsent command) {
    return Changes.consent(
        c, command.getChange(), command.getShard(), command.getCode(), command.getLines());
  }

  public Decision decide(Context c, ApplyChange command) {
    Decision decision = Decision.none();
    boolean voided = false;
    for (ClusterObject object : command.getObjects()) {
      StartCharges.written(c, object, decision);
      String key = Keys.object(object.getKind(), object.getName());
      voided |= LimitLeases.isVoidedBy(c.view().objects().get(key), object);
      decision.fact(new ObjectWritten(c.stamp(), object));
      if (Reservations.keep(c.view(), object)) {
        ReservationWork.partition(c, object.getName(), decision);
      }
    }
    if (voided) {
      LimitLeases.askAgain(c, decision);
    }
    hostsToAsk(c, command).forEach(host -> decision.dispatch(new AskHost(host, c.shard())));
    for (ClusterObject object : command.getObjects()) {
      if (object.getKind() == ObjectKind.NODE) {
        // A change that was refused lifts its restrictions here.
        Parking.release(c, Parking.Cause.NODE, object.getName(), decision);
        ReservationWork.node(c, object.getName(), decision);
        if (c.view().nodes().get(object.getName()) == null) {
          ReservationWork.newNode(c, object.getName(), decision);
        }
      } else if (object.getKind() == ObjectKind.QUEUE) {
        Routing.changed(c, object, decision);
      }
    }
    for (ClusterObject object : command.getDeleted()) {
      decision.fact(
          new ObjectDeleted(c.stamp(), object.getKind(), object.getName(), object.getVersion()));
      if (object.getKind() == ObjectKind.NODE) {
        ReservationWork.node(c, object.getName(), decision);
      }
    }
    boolean awaited = AnswerHandover.follow(c, command, decision);
    if (!awaited) {
      decision.tell(
          Topics.ADMINISTRATIVE_SHARD,
          new ConfirmChange(c.asShard(), command.getChange(), c.shard()));
    }
    LeavingWork.all(c, decision);
    return decision;
  }

  /**
   * Hosts of nodes here that must say again what they have: of a node that is new, and those whose
   * nodes here are no longer all there are, since what was measured may be another node's now. Each
   * shard asks for its own nodes, as it cannot know when the others will have applied the change.
   */
  private static Set<String> hostsToAsk(Context c, ApplyChange command) {
    Set<String> hosts = new TreeSet<>();
    Set<String> shared = new TreeSet<>();
    for (ClusterObject object : command.getObjects()) {
      if (object.getKind() == ObjectKind.NODE
          && PartitionTable.node(c.view(), object.getName()) == null) {
        shared.add(Nodes.host(object));
        if (here(c, object, command.getObjects())) {
          hosts.add(Nodes.host(object));
        }
      }
    }
    Set<String> gone = new TreeSet<>();
    for (ClusterObject object : command.getDeleted()) {
      if (object.getKind() == ObjectKind.NODE) {
        shared.add(Nodes.host(PartitionTable.node(c.view(), object.getName())));
        gone.add(object.getName());
      }
    }
    if (!shared.isEmpty()) {
      c.view()
          .nodes()
          .scan(
              "",
              null,
              (name, node) -> {
                if (shared.contains(node.getHost()) && !gone.contains(name)) {
                  hosts.add(node.getHost());
                }
                return true;
              });
    }
    return hosts;
  }

  /** Whether a node is placed here once the change is applied; its partition may be new with it. */
  private static boolean here(Context c, ClusterObject node, List<ClusterObject> written) {
    String partition = PartitionTable.partitionOf(node);
    for (ClusterObject object : written) {
      if (object.getKind() == ObjectKind.PARTITION && object.getName().equals(partition)) {
        return c.shard() == Integer.parseInt(Context.attribute(object, "shard", "-1"));
      }
    }
    return PartitionTable.shardOf(c.view(), partition) == c.shard();
  }

  public Decision decide(Context c, ConfirmChange command) {
    return Changes.confirm(c, command.getChange(), command.getShard());
  }

  public Decision change(Context c, Timer timer) {
    Decision decision = Decision.fired(c, timer);
    Changes.late(c, timer.getSubject(), decision);
    return decision;
  }

  public Decision changes(Context c, Continue work) {
    return Changes.next(c);
  }

  public Decision initialise(Context c, Continue work) {
    return Initialise.go(c, work.getCursor());
  }
}
