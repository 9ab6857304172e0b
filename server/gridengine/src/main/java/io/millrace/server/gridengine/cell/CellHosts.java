package io.millrace.server.gridengine.cell;

import io.millrace.schedulers.gridengine.language.cluster.Cluster;
import io.millrace.schedulers.gridengine.language.cluster.Complex;
import io.millrace.schedulers.gridengine.language.cluster.ExecHost;
import io.millrace.schedulers.gridengine.language.cluster.QueueInstance;
import io.millrace.schemas.HostName;
import io.millrace.schemas.NodeLoads;
import io.millrace.schemas.state.Node;
import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.query.QueryException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What the hosts of a cell report, and what follows for the states of queue instances. */
public final class CellHosts {

  private final Cluster cluster;
  private final Map<String, Node> up = new HashMap<>();

  public CellHosts(Cluster cluster, List<Node> nodes) {
    this.cluster = cluster;
    nodes.stream().filter(Node::getUp).forEach(node -> up.put(node.getName(), node));
  }

  public static CellHosts of(Call call, Cell cell) throws QueryException, InterruptedException {
    return new CellHosts(cell.configuration().cluster(), call.site().queries().nodes());
  }

  /** The node that a host's name means, if it is up. */
  private Optional<Node> node(String host) {
    int dot = host.indexOf('.');
    Node node = up.get(host);
    return Optional.ofNullable(node == null && dot > 0 ? up.get(host.substring(0, dot)) : node);
  }

  public boolean isUp(String host) {
    return node(host).isPresent();
  }

  /** The cluster of another system of which a host that is up is; empty for one of none. */
  public String outside(String host) {
    return node(host).map(node -> HostName.cluster(node.getHost())).orElse("");
  }

  /** Load values by name. */
  public Map<String, String> loads(String host) {
    ExecHost configured = cluster.host(host);
    return node(host)
        .map(node -> NodeLoads.texts(node.getMeasured()))
        .map(reported -> configured.reporting(reported, cluster.complexes()))
        .orElse(configured)
        .offers()
        .loads();
  }

  /** A load value of a host that is up. */
  public Optional<Double> load(String host, String name) {
    return isUp(host)
        ? Optional.ofNullable(loads(host).get(name))
            .flatMap(text -> cluster.complexes().find(name).flatMap(c -> c.type().amount(text)))
        : Optional.empty();
  }

  /** The name of its architecture, else {@code -NA-}. */
  public String architecture(String host) {
    return isUp(host) ? loads(host).getOrDefault("arch", "-NA-") : "-NA-";
  }

  /** Letters of what is wrong with a queue instance: alarm, unknown, disabled, ambiguous. */
  public String states(QueueInstance queue) {
    String alarm = isUp(queue.host()) ? (alarms(queue).isEmpty() ? "" : "a") : "au";
    return alarm + (queue.disabled() ? "d" : "") + (queue.ambiguities().isEmpty() ? "" : "c");
  }

  /** Why an instance is in the state alarm, as -explain says it. */
  public List<String> alarms(QueueInstance queue) {
    List<String> alarms = new ArrayList<>();
    queue
        .loadThresholds()
        .forEach(
            (name, limit) ->
                cluster
                    .complexes()
                    .find(name)
                    .ifPresent(complex -> alarm(queue, complex, limit).ifPresent(alarms::add)));
    return alarms;
  }

  private Optional<String> alarm(QueueInstance queue, Complex complex, String limit) {
    String name = complex.name();
    if (!isUp(queue.host())) {
      return Optional.of("error: no value for \"" + name + "\" because execd is in unknown state");
    }
    Optional<Double> load = load(queue.host(), name);
    Optional<Double> threshold = complex.type().amount(limit);
    return load.isPresent()
            && threshold.isPresent()
            && complex.relation().holds(load.get(), threshold.get())
        ? Optional.of(
            "alarm hl:" + name + "=" + complex.shown(load.get()) + " load-threshold=" + limit)
        : Optional.empty();
  }
}
