package io.millrace.server.gridengine.cell;

import io.millrace.schedulers.gridengine.language.Configuration;
import io.millrace.schedulers.gridengine.language.cluster.Cluster;
import io.millrace.schedulers.gridengine.language.cluster.ExecHost;
import io.millrace.schedulers.gridengine.language.cluster.QueueInstance;
import io.millrace.schedulers.gridengine.language.options.ConfigurationRefused;
import io.millrace.schemas.HostName;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.pbs.attributes.AttributeTable;
import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.command.Failure;
import io.millrace.server.gateway.command.Site;
import io.millrace.server.gateway.link.ClusterView;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A scheduler object that decides as Grid Engine does, as users see it. The variable {@code
 * SGE_CELL} names it where there are several.
 *
 * @param queue Millrace's queue in which its jobs wait; empty when it has none that is enabled
 */
public record Cell(String name, Configuration configuration, Optional<ClusterObject> queue) {

  private static final String POLICY = "gridengine";

  public static Cell of(Call call) throws Failure {
    Site site = call.site();
    ClusterObject cell = object(call);
    String text = ClusterView.attribute(cell, AttributeTable.GRID_ENGINE_CONFIGURATION).orElse("");
    try {
      return new Cell(cell.getName(), Configuration.stored(text), queueOf(site, cell));
    } catch (ConfigurationRefused e) {
      throw new Failure(
          "error: the configuration of cell " + cell.getName() + ": " + e.getMessage() + "\n", 1);
    }
  }

  /**
   * The cluster, each of whose hosts says of which cluster of another system its node is, whether
   * that is up or not: no run has hosts of several of these.
   */
  Cluster apart(ClusterView view) {
    Cluster cluster = configuration.cluster();
    Map<String, ExecHost> hosts = new HashMap<>(cluster.hosts());
    for (QueueInstance queue : cluster.queues()) {
      String outside = HostName.cluster(executor(view, queue.host()));
      hosts.put(queue.host(), cluster.host(queue.host()).of(outside));
    }
    return new Cluster(
        cluster.complexes(),
        cluster.queues(),
        hosts,
        cluster.environments(),
        cluster.groups(),
        cluster.accessLists());
  }

  /** The host that a node is served by; of one without a node its own name. */
  private static String executor(ClusterView view, String host) {
    return view.find(ObjectKind.NODE, host)
        .or(() -> view.find(ObjectKind.NODE, HostName.untilDot(host)))
        .map(node -> ClusterView.attribute(node, "Mom").orElse(node.getName()))
        .orElse(host);
  }

  /** The partitions that the scheduler object serves, by name. */
  public List<String> partitions(Site site) {
    return site.cluster().all(ObjectKind.PARTITION).stream()
        .filter(it -> ClusterView.attribute(it, "scheduler").filter(this.name::equals).isPresent())
        .map(ClusterObject::getName)
        .sorted()
        .toList();
  }

  /** The scheduler object that is meant, whatever its configuration. */
  static ClusterObject object(Call call) throws Failure {
    List<ClusterObject> cells =
        call.site().cluster().all(ObjectKind.SCHEDULER).stream().filter(Cell::chosen).toList();
    String wanted = call.invocation().environment().getOrDefault("SGE_CELL", "");
    List<ClusterObject> named =
        wanted.isEmpty()
            ? cells
            : cells.stream().filter(cell -> cell.getName().equals(wanted)).toList();
    if (named.size() == 1) {
      return named.get(0);
    }
    List<String> names = cells.stream().map(ClusterObject::getName).toList();
    String problem =
        names.isEmpty()
            ? "no scheduler object has policy=gridengine (./millrace policy load makes one)"
            : wanted.isEmpty()
                ? "set SGE_CELL to one of the cells " + String.join(", ", names)
                : "there is no cell " + wanted + "; there are " + String.join(", ", names);
    throw new Failure("error: " + problem + "\n", 1);
  }

  private static boolean chosen(ClusterObject scheduler) {
    return ClusterView.attribute(scheduler, "policy").filter(POLICY::equals).isPresent();
  }

  /** The first enabled queue by name among those of the scheduler's partitions. */
  private static Optional<ClusterObject> queueOf(Site site, ClusterObject cell) {
    return site.cluster().all(ObjectKind.QUEUE).stream()
        .filter(queue -> site.schedulerOf(queue).equals(cell.getName()))
        .filter(queue -> ClusterView.attribute(queue, "enabled").filter("True"::equals).isPresent())
        .findFirst();
  }
}
