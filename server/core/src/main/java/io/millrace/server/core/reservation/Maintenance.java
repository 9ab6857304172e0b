package io.millrace.server.core.reservation;

import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.Chunk;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.common.ResourceRequest;
import io.millrace.schemas.fact.ReservationConfirmed;
import io.millrace.schemas.fact.ReservationSubmitted;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.pbs.resources.NodeAmounts;
import io.millrace.schemas.pbs.resources.ResourceTable;
import io.millrace.schemas.pbs.resources.VnodeText;
import io.millrace.schemas.state.BookedNode;
import io.millrace.schemas.state.Node;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.ReservationSpec;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.decision.Decision;
import io.millrace.server.core.decision.PbsRefusal;
import io.millrace.server.core.placement.CustomResources;
import io.millrace.server.core.placement.Nodes;
import io.millrace.server.core.state.Copies;
import io.millrace.server.core.work.ReservationWork;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Maintenance: hosts that nobody else uses for a time. No scheduler is asked and no room is looked
 * for: what others have reserved there is lost to them, and runs go on to their ends. Hosts may be
 * in several shards; each has a reservation of its own, over what it has of them.
 */
final class Maintenance {
  /** Most nodes: for each of them other reservations are looked at. */
  static final int NODES_MAX = 1_000;

  private static final String NCPUS = "ncpus";
  private static final String WALLTIME = "walltime";
  private static final String NOWHERE = " hosts: no such host here";

  private Maintenance() {}

  /** What is asked for, with what the hosts have here; any other reservation as it is. */
  static ReservationSpec whole(Context c, ReservationSpec wish) throws PbsRefusal {
    if (wish.getMaintained().isEmpty()) {
      return wish;
    }
    refuseUsers(c);
    if (wish.getDeleteIdleS() > 0) {
      // It has no jobs of its own: it would be gone that soon after its start.
      throw new PbsRefusal(PbsError.UNSUPPORTED, ": delete_idle_time of hosts under maintenance");
    }
    ResourceTable resources = CustomResources.with(c.view());
    List<String> here = new ArrayList<>();
    List<Chunk> chunks = new ArrayList<>();
    List<String> select = new ArrayList<>();
    long sum = 0;
    int nodes = 0;
    for (String host : wish.getMaintained()) {
      List<ClusterObject> its = nodesOf(c, host);
      if (its.isEmpty() || here.contains(host)) {
        continue;
      }
      long cpus = 0;
      for (ClusterObject node : its) {
        cpus += cpus(c.view().nodes().get(node.getName()), node, resources);
      }
      here.add(host);
      chunks.add(new Chunk(1, Map.of(NCPUS, cpus), Map.of("host", host)));
      select.add("host=" + host + ":ncpus=" + cpus);
      sum += cpus;
      nodes += its.size();
    }
    if (here.isEmpty() || nodes > NODES_MAX) {
      String many = " hosts: at most " + NODES_MAX + " nodes";
      throw new PbsRefusal(PbsError.ILLEGAL_VALUE, here.isEmpty() ? NOWHERE : many);
    }
    ReservationSpec whole = Copies.of(wish);
    whole.setMaintained(here);
    whole.setRequest(new ResourceRequest(chunks, "exclhost", -1L, Map.of()));
    whole.setResourceList(
        List.of(
            new Attribute(NCPUS, Long.toString(sum)),
            new Attribute("nodect", Integer.toString(here.size())),
            new Attribute("select", String.join("+", select)),
            new Attribute("place", "exclhost"),
            new Attribute(WALLTIME, "")));
    return whole;
  }

  private static void refuseUsers(Context c) throws PbsRefusal {
    if (!c.isOperator()) {
      throw new PbsRefusal(PbsError.UNAUTHORIZED);
    }
  }

  /** Nodes of a host that are in this shard. */
  private static List<ClusterObject> nodesOf(Context c, String host) {
    List<ClusterObject> nodes = Nodes.onHost(c.view(), host);
    nodes.removeIf(it -> c.view().nodes().get(it.getName()) == null);
    return nodes;
  }

  private static long cpus(Node node, ClusterObject object, ResourceTable resources) {
    return NodeAmounts.capacity(node, object, resources).getOrDefault(NCPUS, 0L);
  }

  static Decision begin(Context c, Reservation fresh, Decision decision) {
    decision.fact(new ReservationSubmitted(c.stamp(), fresh));
    confirm(c, Revision.of(c, fresh), decision);
    return decision.answer(c.meta(), 0, List.of(fresh.getId() + " " + Revision.CONFIRMED));
  }

  /** Another window, decided at once, with the nodes that its hosts have now. */
  static Decision moved(Context c, Reservation before, ReservationSpec asked) throws PbsRefusal {
    if (asked.getMaintained().stream().allMatch(host -> nodesOf(c, host).isEmpty())) {
      throw new PbsRefusal(PbsError.ILLEGAL_VALUE, NOWHERE);
    }
    Decision decision = Decision.none();
    Reservation after = Revision.of(c, before);
    after.setSpec(asked);
    confirm(c, after, decision);
    return decision.answer(c.meta(), 0, List.of(before.getId() + " " + Revision.CONFIRMED));
  }

  private static void confirm(Context c, Reservation after, Decision decision) {
    ResourceTable resources = CustomResources.with(c.view());
    List<NodeShare> shares = new ArrayList<>();
    List<BookedNode> booked = new ArrayList<>();
    for (String host : after.getSpec().getMaintained()) {
      List<NodeShare> its = new ArrayList<>();
      for (ClusterObject object : nodesOf(c, host)) {
        Node node = c.view().nodes().get(object.getName());
        Map<String, Long> amounts = Map.of(NCPUS, cpus(node, object, resources));
        booked.add(new BookedNode(node.getName(), amounts, true));
        its.add(new NodeShare(node.getName(), host, 1, amounts));
      }
      // A host's own node may have nothing where its vnodes have all; PBS does not show it then.
      List<NodeShare> some = its.stream().filter(it -> it.getAmounts().get(NCPUS) > 0).toList();
      shares.addAll(some.isEmpty() ? its : some);
    }
    after.setShares(shares);
    after.setBooked(booked);
    after.setNodes(VnodeText.of(shares, after.getSpec().getResourceList(), resources, false));
    decision.fact(new ReservationConfirmed(c.stamp(), Confirmation.begun(c, after), "", 0L, false));
    ReservationWork.nodes(c, after, decision);
  }
}
