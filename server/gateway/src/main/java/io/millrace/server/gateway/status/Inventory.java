package io.millrace.server.gateway.status;

import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.pbs.attributes.SchedulerFolders;
import io.millrace.schemas.pbs.resources.BookedTime;
import io.millrace.schemas.state.BookedNode;
import io.millrace.schemas.state.Node;
import io.millrace.schemas.state.Queue;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.Scheduler;
import io.millrace.server.gateway.command.Site;
import io.millrace.server.gateway.command.Version;
import io.millrace.server.gateway.link.ClusterView;
import io.millrace.server.gateway.print.NodeReservations;
import io.millrace.server.gateway.print.ObjectText;
import io.millrace.server.gateway.print.QueueCounts;
import io.millrace.server.gateway.print.ShownAttribute;
import io.millrace.server.gateway.print.Times;
import io.millrace.server.gateway.query.QueryException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Cluster objects joined with their state in the shards; each kind is queried at most once. */
public final class Inventory {

  private final Site site;
  private final ObjectText text;
  private List<Queue> queues;
  private Map<String, Node> nodes;
  private Map<String, Scheduler> schedulers;

  /** By the names of nodes. */
  private Map<String, List<Reservation>> reserved;

  public Inventory(Site site) {
    this.site = site;
    this.text = new ObjectText(site.resources());
  }

  ObjectText text() {
    return text;
  }

  /** Jobs of a queue. */
  QueueCounts counts(String queue) throws QueryException, InterruptedException {
    return QueueCounts.of(queues().stream().filter(q -> q.getName().equals(queue)).toList());
  }

  /** Jobs of all queues. */
  QueueCounts counts() throws QueryException, InterruptedException {
    return QueueCounts.of(queues());
  }

  private List<Queue> queues() throws QueryException, InterruptedException {
    if (queues == null) {
      queues = site.queries().queues();
    }
    return queues;
  }

  /** Run-time side of a node; an empty one for a node whose executor never came up. */
  public Node node(ClusterObject object) throws QueryException, InterruptedException {
    if (nodes == null) {
      nodes = new HashMap<>();
      // For a node in hand-over, the shard that still offers it is right.
      site.queries()
          .nodes()
          .forEach(n -> nodes.merge(n.getName(), n, (a, b) -> a.getOfferedTo() >= 0 ? a : b));
    }
    Node known = nodes.get(object.getName());
    if (known != null) {
      return known;
    }
    Node never = new Node();
    never.setName(object.getName());
    never.setHost(ClusterView.attribute(object, "Mom").orElse(object.getName()));
    never.setBootId("");
    never.setMeasured(Map.of());
    never.setHoldings(List.of());
    never.setSuspended(List.of());
    never.setOfferedTo(-1);
    never.setDownWhy("");
    return never;
  }

  /** What is reserved of a node, the newest reservation first. */
  private NodeReservations reserved(String node) throws QueryException, InterruptedException {
    if (reserved == null) {
      reserved = new HashMap<>();
      List<Reservation> all = new ArrayList<>(site.queries().reservations());
      all.sort(Comparator.comparingLong(Reservation::getNumber).reversed());
      for (Reservation each : all) {
        BookedTime.of(each).stream()
            .flatMap(it -> it.booked().stream())
            .map(BookedNode::getNode)
            .distinct()
            .forEach(it -> reserved.computeIfAbsent(it, n -> new ArrayList<>()).add(each));
      }
    }
    return NodeReservations.of(node, reserved.getOrDefault(node, List.of()));
  }

  private Scheduler scheduler(String name) throws QueryException, InterruptedException {
    if (schedulers == null) {
      schedulers = new HashMap<>();
      site.queries()
          .schedulers()
          .forEach(
              s -> schedulers.merge(s.getName(), s, (a, b) -> a.getEpoch() > b.getEpoch() ? a : b));
    }
    return schedulers.get(name);
  }

  /** What the server does, in a word. */
  String serverState() throws QueryException, InterruptedException {
    Scheduler run = scheduler("default");
    return site.cluster().server().map(it -> ObjectText.serverState(it, run)).orElse("Idle");
  }

  /** All attributes; times of nodes as text when times is given, else in seconds. */
  public List<ShownAttribute> attributes(ClusterObject object, Times times)
      throws QueryException, InterruptedException {
    return switch (object.getKind()) {
      case SERVER -> text.server(object, scheduler("default"), counts(), Version.text());
      case QUEUE -> text.queue(object, counts(object.getName()), hasNodes(object.getName()));
      case NODE -> text.node(object, node(object), times, reserved(object.getName()));
      case SCHEDULER ->
          text.scheduler(
              object,
              scheduler(object.getName()),
              site.serverAttribute(SchedulerFolders.HOME).orElse(""));
      case RESOURCE -> text.resource(object);
      case PARTITION -> throw new IllegalArgumentException("partitions are not shown");
    };
  }

  /** Whether nodes are bound to the queue. */
  private boolean hasNodes(String queue) {
    return site.cluster().all(ObjectKind.NODE).stream()
        .anyMatch(node -> ClusterView.attribute(node, "queue").orElse("").equals(queue));
  }

  /** Objects of a kind as they were made, the default scheduler before the others. */
  public List<ClusterObject> all(ObjectKind kind) {
    List<ClusterObject> objects = new ArrayList<>(site.cluster().all(kind));
    objects.sort(
        Comparator.comparing((ClusterObject o) -> !isDefault(o))
            .thenComparing(ClusterObject::getCreated));
    return objects;
  }

  /** Queues as they were made, and behind them those of reservations. */
  List<ClusterObject> queuesOfAll() throws QueryException, InterruptedException {
    List<ClusterObject> queues = all(ObjectKind.QUEUE);
    queues.addAll(KnownQueues.ofReservations(site));
    return queues;
  }

  private static boolean isDefault(ClusterObject object) {
    return object.getKind() == ObjectKind.SCHEDULER && object.getName().equals("default");
  }
}
