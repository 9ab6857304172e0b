package io.millrace.schedulers.dialects.gridengine.cluster;

import io.millrace.schedulers.dialects.gridengine.options.EnvironmentOptions;
import io.millrace.schedulers.dialects.gridengine.options.HostOptions;
import io.millrace.schedulers.dialects.gridengine.options.Line;
import io.millrace.schedulers.dialects.gridengine.options.QueueOptions;
import io.millrace.schedulers.dialects.gridengine.options.Refused;
import io.millrace.schedulers.dialects.gridengine.options.Settings;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Puts a cluster together from the texts of its objects. Each text has a name for messages. */
public final class ClusterText {

  private final Complexes complexes;
  private final Map<String, List<String>> groups = new LinkedHashMap<>();
  private final Map<String, ClusterQueue> queues = new LinkedHashMap<>();
  private final Map<String, ParallelEnvironment> environments = new LinkedHashMap<>();
  private final Map<String, ExecHost> hosts = new LinkedHashMap<>();
  private final Map<String, List<String>> accessLists = new LinkedHashMap<>();

  public ClusterText(Complexes complexes) {
    this.complexes = complexes;
  }

  public ClusterText group(String file, String text) {
    return group(HostOptions.GROUP.parse(file, text), file);
  }

  public ClusterText group(Settings settings, String file) {
    once(groups.keySet().contains(settings.get("group_name")), file, settings.get("group_name"));
    groups.put(settings.get("group_name"), HostGroups.list(settings.get("hostlist")));
    return this;
  }

  public ClusterText queue(String file, String text) {
    return queue(QueueOptions.TABLE.parse(file, text), file);
  }

  public ClusterText queue(Settings settings, String file) {
    once(queues.containsKey(settings.get("qname")), file, settings.get("qname"));
    queues.put(settings.get("qname"), new ClusterQueue(settings, file));
    return this;
  }

  public ClusterText environment(String file, String text) {
    return environment(EnvironmentOptions.TABLE.parse(file, text), file);
  }

  public ClusterText environment(Settings settings, String file) {
    ParallelEnvironment environment = ParallelEnvironment.of(settings);
    once(environments.containsKey(environment.name()), file, environment.name());
    environments.put(environment.name(), environment);
    return this;
  }

  public ClusterText host(String file, String text) {
    return host(HostOptions.TABLE.parse(file, text), file);
  }

  public ClusterText host(Settings settings, String file) {
    ExecHost host = ExecHost.of(settings, complexes, file);
    once(hosts.containsKey(host.name()), file, host.name());
    hosts.put(host.name(), host);
    return this;
  }

  public ClusterText accessList(String name, List<String> users) {
    accessLists.put(name, List.copyOf(users));
    return this;
  }

  /**
   * Takes the text of an object whose kind the name of its file says: {@code hgrp*}, {@code
   * queue.*}, {@code pe.*}, {@code host.*} or {@code acl.*}.
   *
   * @param label what messages call the text
   */
  public ClusterText take(String label, String name, String text) {
    if (name.startsWith("queue.")) {
      return queue(label, text);
    } else if (name.startsWith("pe.")) {
      return environment(label, text);
    } else if (name.startsWith("hgrp")) {
      return group(label, text);
    } else if (name.startsWith("host.") || name.startsWith("exechost.")) {
      return host(label, text);
    } else if (name.startsWith("acl.") || name.startsWith("userset.")) {
      return accessList(text);
    }
    throw new Refused(
        label,
        0,
        "the name says no kind of object: it must be complex, sched, conf, hgrp..., queue.NAME,"
            + " pe.NAME, host.NAME or acl.NAME");
  }

  private ClusterText accessList(String text) {
    Map<String, String> lines = new LinkedHashMap<>();
    for (Line line : Line.of(text)) {
      String[] pair = line.text().split("\\s+", 2);
      lines.put(pair[0], pair.length > 1 ? pair[1] : "");
    }
    String entries = lines.getOrDefault("entries", "NONE");
    return accessList(
        lines.getOrDefault("name", ""),
        entries.equals("NONE") ? List.of() : List.of(entries.split("[,\\s]+")));
  }

  /** Names of the hosts that have a text. */
  public Set<String> hosts() {
    return Set.copyOf(hosts.keySet());
  }

  private static void once(boolean known, String file, String name) {
    if (known) {
      throw new Refused(file, 0, name + " is described a second time");
    }
  }

  public Cluster cluster() {
    HostGroups resolved = new HostGroups(groups);
    List<QueueInstance> instances = new ArrayList<>();
    queues.values().forEach(queue -> instances.addAll(queue.instances(resolved, complexes)));
    return new Cluster(
        complexes,
        List.copyOf(instances),
        Map.copyOf(hosts),
        List.copyOf(environments.values()),
        resolved,
        Map.copyOf(accessLists));
  }
}
