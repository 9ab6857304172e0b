package io.millrace.server.core.cluster;

import io.millrace.schemas.Topics;
import io.millrace.schemas.command.ApplyChange;
import io.millrace.schemas.command.AskConsent;
import io.millrace.schemas.command.ChangeObject;
import io.millrace.schemas.command.ConfirmChange;
import io.millrace.schemas.command.Continue;
import io.millrace.schemas.command.GiveConsent;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.fact.ConsentGiven;
import io.millrace.schemas.fact.ObjectDeleted;
import io.millrace.schemas.fact.ObjectWritten;
import io.millrace.schemas.output.AskHost;
import io.millrace.schemas.state.AttributeEdit;
import io.millrace.schemas.state.Node;
import io.millrace.schemas.state.ObjectChange;
import io.millrace.schemas.state.Queue;
import io.millrace.server.core.Context;
import io.millrace.server.core.Decision;
import io.millrace.server.core.Keys;
import io.millrace.server.core.PbsError;
import io.millrace.server.core.Placement;
import io.millrace.server.core.handover.Leaving;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Decides cluster changes: in the administrative shard, and in the shards that carry them out. */
public final class Deciders {
  /** How long a consent waits for a node that is on its way from one shard to another. */
  private static final long TRAVEL_PATIENCE_MS = 10_000;

  public Decision decide(Context c, ChangeObject command) {
    if (c.shard() != Topics.ADMINISTRATIVE_SHARD) {
      return Decision.none().tell(Topics.ADMINISTRATIVE_SHARD, command);
    }
    List<AttributeEdit> edits = new ArrayList<>();
    command
        .getAttributes()
        .forEach(
            a -> edits.add(new AttributeEdit(a.getName(), a.getValue(), a.getOperation().name())));
    String name = command.getKind() == ObjectKind.SERVER ? Initialise.SERVER : command.getName();
    return Changes.take(
        c, new ObjectChange(command.getOperation().name(), command.getKind(), name, edits));
  }

  public Decision decide(Context c, AskConsent command) {
    if (c.numbers().getAppliedChange() >= command.getChange()) {
      // It went round here while another shard refused.
      return Decision.none();
    }
    List<String> queues = new ArrayList<>();
    for (ClusterObject object : command.getDeleted()) {
      if (object.getKind() == ObjectKind.QUEUE) {
        Queue queue = c.view().queues().get(object.getName());
        boolean busy =
            queue != null && queue.getCounts().values().stream().anyMatch(count -> count > 0);
        if (busy) {
          return consent(c, command.getChange(), PbsError.QUEUE_BUSY);
        }
        queues.add(object.getName());
      }
    }
    List<String> nodes = new ArrayList<>();
    for (String name : nodes(command)) {
      Node node = c.view().nodes().get(name);
      if (node != null && !node.getHoldings().isEmpty()) {
        return consent(c, command.getChange(), PbsError.NODE_BUSY);
      }
      if (travelling(c, name, node)) {
        return c.nowMs() - Keys.madeAtMs(c.meta().getId()) < TRAVEL_PATIENCE_MS
            ? Decision.none().tell(c.shard(), command)
            : consent(c, command.getChange(), PbsError.NODE_BUSY);
      }
      if (node != null) {
        nodes.add(name);
      }
    }
    return consent(c, command.getChange(), null)
        .fact(new ConsentGiven(c.stamp(), command.getChange(), queues, nodes));
  }

  private static List<String> nodes(AskConsent command) {
    return Stream.concat(command.getDeleted().stream(), command.getObjects().stream())
        .filter(object -> object.getKind() == ObjectKind.NODE)
        .map(ClusterObject::getName)
        .toList();
  }

  /** The node is here and belongs elsewhere, or belongs here and has not come yet. */
  private static boolean travelling(Context c, String name, Node node) {
    ClusterObject object = Placement.node(c.view(), name);
    boolean home = object != null && Placement.shardOf(c.view(), object) == c.shard();
    return home != (node != null) || (node != null && node.getOfferedTo() >= 0);
  }

  private static Decision consent(Context c, long change, PbsError refusal) {
    return Decision.none()
        .tell(
            Topics.ADMINISTRATIVE_SHARD,
            new GiveConsent(
                c.asShard(),
                change,
                c.shard(),
                refusal == null ? 0 : refusal.code(),
                refusal == null ? List.of() : List.of(refusal.text())));
  }

  public Decision decide(Context c, GiveConsent command) {
    return Changes.consent(
        c, command.getChange(), command.getShard(), command.getCode(), command.getLines());
  }

  public Decision decide(Context c, ApplyChange command) {
    Decision decision = Decision.none();
    for (ClusterObject object : command.getObjects()) {
      decision.fact(new ObjectWritten(c.stamp(), object));
      boolean fresh =
          c.view().objects().get(Keys.object(object.getKind(), object.getName())) == null;
      if (object.getKind() == ObjectKind.NODE && fresh && here(c, object, command.getObjects())) {
        decision.dispatch(new AskHost(Nodes.host(object), c.shard()));
      }
    }
    for (ClusterObject object : command.getDeleted()) {
      decision.fact(
          new ObjectDeleted(c.stamp(), object.getKind(), object.getName(), object.getVersion()));
    }
    return decision
        .tell(
            Topics.ADMINISTRATIVE_SHARD,
            new ConfirmChange(c.asShard(), command.getChange(), c.shard()))
        .tell(c.shard(), new Continue(c.asShard(), Leaving.WORK, ""));
  }

  /** Whether a node is placed here once the change is applied; its partition may be new with it. */
  private static boolean here(Context c, ClusterObject node, List<ClusterObject> written) {
    String partition = Placement.partitionOf(node);
    for (ClusterObject object : written) {
      if (object.getKind() == ObjectKind.PARTITION && object.getName().equals(partition)) {
        return c.shard() == Integer.parseInt(Context.attribute(object, "shard", "-1"));
      }
    }
    return Placement.shardOf(c.view(), partition) == c.shard();
  }

  public Decision decide(Context c, ConfirmChange command) {
    return Changes.confirm(c, command.getChange(), command.getShard());
  }
}
