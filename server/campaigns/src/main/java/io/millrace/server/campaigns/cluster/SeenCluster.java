package io.millrace.server.campaigns.cluster;

import io.millrace.schemas.NodeLoads;
import io.millrace.schemas.campaign.ClusterLoad;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.pbs.attributes.AttributeTable;
import io.millrace.schemas.pbs.attributes.NightWindow;
import io.millrace.schemas.state.Holding;
import io.millrace.schemas.state.Node;
import io.millrace.server.campaigns.core.EventCode;
import io.millrace.server.gateway.command.Site;
import io.millrace.server.gateway.link.ClusterView;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Optional;

/**
 * A queue and the nodes on which its jobs run.
 *
 * @param load its processors, without those that are away, and how many are idle
 * @param away processors of nodes that are down, offline or not to be had
 * @param code of the event that keeps jobs from running there; empty when nothing does
 * @param why the same in words
 */
public record SeenCluster(ClusterLoad load, int away, String code, String why) {

  private static final String PROCESSORS = "ncpus";

  /** Of a cluster: what several of them have together can be counted. */
  private static final long PROCESSORS_MAX = 1_000_000_000;

  /** Looks at a queue, of which there may be none. */
  public static SeenCluster of(ClusterView cluster, String queue, List<Node> nodes) {
    Optional<ClusterObject> object = cluster.find(ObjectKind.QUEUE, queue);
    // A node that is a queue's own runs that queue's jobs only, and they run nowhere else.
    String own = nodes.stream().anyMatch(it -> queueOf(cluster, it).equals(queue)) ? queue : "";
    double stress = 0;
    long processors = 0;
    long idle = 0;
    long away = 0;
    for (Node node : nodes) {
      Optional<ClusterObject> known = cluster.find(ObjectKind.NODE, node.getName());
      boolean there =
          object.isPresent()
              && known.isPresent()
              && queueOf(cluster, node).equals(own)
              && Site.partitionOf(known.get()).equals(Site.partitionOf(object.get()));
      if (there) {
        long all = processors(node, known.get());
        if (usable(node, known.get())) {
          processors += all;
          // What one that is away has told last may have changed since.
          long told = node.getMeasured().getOrDefault(NodeLoads.STRESS, 0L);
          stress = Math.max(stress, told / NodeLoads.STRESS_MOST);
          idle += Math.max(0, all - held(node));
        } else {
          away += all;
        }
      }
    }
    boolean effort = object.filter(it -> isTrue(it, AttributeTable.BEST_EFFORT)).isPresent();
    String night =
        object.flatMap(it -> ClusterView.attribute(it, AttributeTable.NIGHT_WINDOW)).orElse("");
    ClusterLoad load =
        new ClusterLoad(
            queue,
            bounded(processors),
            bounded(idle),
            effort,
            night,
            0L,
            nightQueue(cluster, object),
            stress,
            0L);
    if (object.isEmpty()) {
      return with(load, away, EventCode.QUEUE_UNKNOWN, "there is no queue " + queue);
    }
    if (!isTrue(object.get(), "enabled")) {
      return with(load, away, EventCode.QUEUE_DISABLED, "queue " + queue + " takes no jobs");
    }
    if (!isTrue(object.get(), "started")) {
      return with(load, away, EventCode.QUEUE_STOPPED, "queue " + queue + " is stopped");
    }
    return processors == 0
        ? with(load, away, EventCode.NO_NODE, "no node of queue " + queue + " can be used")
        : new SeenCluster(load, bounded(away), "", "");
  }

  /** A manager may write any number at a node. */
  private static int bounded(long processors) {
    return (int) Math.min(PROCESSORS_MAX, processors);
  }

  /** The same, and until when it is night there, if it is at a time. */
  public SeenCluster at(ZonedDateTime now) {
    long untilMs =
        NightWindow.parse(load.getNight())
            .flatMap(it -> it.until(now))
            .map(it -> it.toInstant().toEpochMilli())
            .orElse(0L);
    ClusterLoad then = ClusterLoad.newBuilder(load).setNightUntilMs(untilMs).build();
    return new SeenCluster(then, away, code, why);
  }

  /** The queue of the night of another one, if that is an ordinary one on the same nodes. */
  private static String nightQueue(ClusterView cluster, Optional<ClusterObject> queue) {
    return queue
        .flatMap(it -> ClusterView.attribute(it, AttributeTable.NIGHT_QUEUE))
        .flatMap(name -> cluster.find(ObjectKind.QUEUE, name))
        .filter(it -> !isTrue(it, AttributeTable.BEST_EFFORT))
        .filter(it -> Site.partitionOf(it).equals(Site.partitionOf(queue.get())))
        .map(ClusterObject::getName)
        .orElse("");
  }

  private static SeenCluster with(ClusterLoad load, long away, EventCode code, String why) {
    return new SeenCluster(load, bounded(away), code.name(), why);
  }

  private static boolean isTrue(ClusterObject queue, String attribute) {
    return ClusterView.attribute(queue, attribute).filter("True"::equals).isPresent();
  }

  private static String queueOf(ClusterView cluster, Node node) {
    return cluster
        .find(ObjectKind.NODE, node.getName())
        .flatMap(object -> ClusterView.attribute(object, "queue"))
        .orElse("");
  }

  private static boolean usable(Node node, ClusterObject object) {
    boolean offline = ClusterView.attribute(object, "state").orElse("").contains("offline");
    return node.getUp() && !offline && NodeLoads.away(node.getMeasured()) == 0;
  }

  private static long held(Node node) {
    long held = NodeLoads.held(node.getMeasured()).getOrDefault(PROCESSORS, 0L);
    for (Holding holding : node.getHoldings()) {
      held += holding.getAmounts().getOrDefault(PROCESSORS, 0L);
    }
    return held;
  }

  private static long processors(Node node, ClusterObject object) {
    long all =
        ClusterView.attribute(object, "resources_available." + PROCESSORS)
            .map(Long::parseLong)
            .orElseGet(() -> node.getMeasured().getOrDefault(PROCESSORS, 0L));
    return Math.min(PROCESSORS_MAX, all);
  }
}
