package io.millrace.schedulers.gridengine.language.cluster;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * All that is configured.
 *
 * @param hosts by name, with {@link ExecHost#GLOBAL}
 * @param environments in the order in which wildcard requests try them
 * @param accessLists users of each access list
 */
public record Cluster(
    Complexes complexes,
    List<QueueInstance> queues,
    Map<String, ExecHost> hosts,
    List<ParallelEnvironment> environments,
    HostGroups groups,
    Map<String, List<String>> accessLists) {

  public ExecHost host(String name) {
    return hosts.getOrDefault(name, ExecHost.plain(name));
  }

  public ExecHost global() {
    return host(ExecHost.GLOBAL);
  }

  public Optional<ParallelEnvironment> environment(String name) {
    return environments.stream().filter(each -> each.name().equals(name)).findFirst();
  }

  public Optional<QueueInstance> queue(String name) {
    return queues.stream().filter(each -> each.name().equals(name)).findFirst();
  }
}
