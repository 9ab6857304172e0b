package io.millrace.server.core.node;

import io.millrace.schemas.NodeLoads;
import io.millrace.schemas.command.NoteNodeUp;
import io.millrace.schemas.command.ReportNodeUp;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.fact.NodeCameUp;
import io.millrace.schemas.output.HostServed;
import io.millrace.schemas.state.Node;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.decision.Decision;
import io.millrace.server.core.placement.Nodes;
import io.millrace.server.core.placement.PartitionTable;
import io.millrace.server.core.run.missing.RollCall;
import io.millrace.server.core.state.JobRecords;
import io.millrace.server.core.work.ReservationWork;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What an executor says of its host, and what it means for the host's nodes in one shard.
 *
 * <p>Orders name the executor they are for, so that two executors under one host name never carry
 * out the same one. Another executor takes a host over when nothing runs there, or when an
 * administrator says that what the earlier one had is gone; else it is refused: nobody but the
 * earlier executor can say what became of its runs.
 */
record Announcement(
    String host, String bootId, Map<String, Long> measured, Executor executor, boolean takeOver) {

  private static final Logger LOG = LoggerFactory.getLogger(Announcement.class);

  /**
   * @param id of its spool
   * @param life drawn when its process began
   * @param heartbeatS seconds between its heartbeats; 0 when it sends none
   */
  record Executor(String id, long life, int heartbeatS) {}

  static Announcement of(ReportNodeUp command) {
    Executor executor =
        new Executor(command.getExecutor(), command.getLife(), command.getHeartbeatS());
    return new Announcement(
        command.getHost(),
        command.getBootId(),
        command.getMeasured(),
        executor,
        command.getTakeOver());
  }

  static Announcement of(NoteNodeUp command) {
    Executor executor =
        new Executor(command.getExecutor(), command.getLife(), command.getHeartbeatS());
    return new Announcement(
        command.getHost(),
        command.getBootId(),
        command.getMeasured(),
        executor,
        command.getTakeOver());
  }

  NoteNodeUp passedOn(CommandMeta meta) {
    return new NoteNodeUp(
        meta,
        host,
        bootId,
        measured,
        executor.id(),
        executor.life(),
        takeOver,
        executor.heartbeatS());
  }

  /**
   * Decides what the announcement means for the host's nodes in this shard.
   *
   * @param all nodes of the host, in whatever shards
   */
  void reach(Context c, List<ClusterObject> all, List<Node> nodes, Decision decision) {
    if (nodes.isEmpty()) {
      return;
    }
    List<Node> others = nodes.stream().filter(this::servedByAnother).toList();
    int runs = others.stream().mapToInt(JobRecords::runs).sum();
    boolean load = NodeLoads.among(measured);
    // A late load report of an earlier executor does not claim the host again.
    boolean refused = load ? !others.isEmpty() : runs > 0 && !takeOver;
    if (refused) {
      Node served = others.get(0);
      decision.dispatch(served(c, served.getExecutor(), served.getIncarnation(), runs));
      return;
    }
    int last = nodes.stream().mapToInt(Node::getIncarnation).max().orElse(0);
    int incarnation = others.isEmpty() ? Math.max(1, last) : last + 1;
    if (!load) {
      decision.dispatch(served(c, executor.id(), incarnation, 0));
    }
    String whole = Nodes.ofWholeHost(all, host);
    for (Node node : nodes) {
      Map<String, Long> amounts = amounts(node, node.getName().equals(whole));
      tellWhatItLoses(c, node, amounts, whole);
      decision.fact(
          new NodeCameUp(
              c.stamp(),
              node.getName(),
              host,
              bootId,
              amounts,
              executor.id(),
              incarnation,
              executor.heartbeatS()));
      boolean other = !NodeLoads.without(amounts).equals(NodeLoads.without(node.getMeasured()));
      if (!node.getUp() || other) {
        ReservationWork.node(c, node.getName(), decision);
      }
      // A load report changes the node only; the start of an executor is a reason to ask after its
      // runs.
      if (!load || !node.getUp()) {
        RollCall.all(c, node, executor.id(), decision);
      }
    }
  }

  /**
   * The amounts of a node; measured ones are kept until the next load report, unless the host was
   * booted.
   *
   * @param whole whether the node has what is on its host; the others have what is set
   */
  private Map<String, Long> amounts(Node node, boolean whole) {
    Map<String, Long> all = new TreeMap<>(whole ? measured : NodeLoads.of(measured));
    if (!NodeLoads.among(measured) && node.getBootId().equals(bootId)) {
      all.putAll(NodeLoads.of(node.getMeasured()));
    }
    return all;
  }

  /** Logs once that what is measured on the host now belongs to another node. */
  private void tellWhatItLoses(Context c, Node node, Map<String, Long> amounts, String whole) {
    Set<String> lost = new TreeSet<>(NodeLoads.without(node.getMeasured()).keySet());
    lost.removeAll(amounts.keySet());
    ClusterObject object = PartitionTable.node(c.view(), node.getName());
    lost.removeIf(name -> Context.attribute(object, "resources_available." + name, null) != null);
    if (!lost.isEmpty()) {
      LOG.warn(
          "node {} has no {} any more: what is measured on {} is node {}'s, and of {} counts what"
              + " is set (resources_available)",
          node.getName(),
          String.join(" and ", lost),
          host,
          whole,
          node.getName());
    }
  }

  private boolean servedByAnother(Node node) {
    return !node.getExecutor().isEmpty() && !node.getExecutor().equals(executor.id());
  }

  private HostServed served(Context c, String by, int incarnation, int runs) {
    return new HostServed(host, c.shard(), by, incarnation, executor.life(), runs);
  }
}
