package io.millrace.schedulers.gridengine.language.cluster;

import io.millrace.schedulers.gridengine.language.options.AccessListOptions;
import io.millrace.schedulers.gridengine.language.options.ConfigurationRefused;
import io.millrace.schedulers.gridengine.language.options.EnvironmentOptions;
import io.millrace.schedulers.gridengine.language.options.HostOptions;
import io.millrace.schedulers.gridengine.language.options.OptionValues;
import io.millrace.schedulers.gridengine.language.options.QueueOptions;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Puts a cluster together from the texts of its objects. Each text has a name for messages. */
public final class ClusterText {

  private final Complexes complexes;
  private final Map<String, OptionValues> groups = new LinkedHashMap<>();
  private final Map<String, ClusterQueue> queues = new LinkedHashMap<>();
  private final Map<String, OptionValues> environments = new LinkedHashMap<>();
  private final Map<String, ExecHost> hosts = new LinkedHashMap<>();

  /** Texts of hosts. */
  private final List<OptionValues> described = new ArrayList<>();

  private final Map<String, List<String>> accessLists = new LinkedHashMap<>();

  public ClusterText(Complexes complexes) {
    this.complexes = complexes;
  }

  public ClusterText group(String file, String text) {
    return group(HostOptions.GROUP.parse(file, text));
  }

  public ClusterText group(OptionValues settings) {
    once(groups, settings, "group_name");
    groups.put(settings.get("group_name"), settings);
    return this;
  }

  public ClusterText queue(String file, String text) {
    return queue(QueueOptions.TABLE.parse(file, text));
  }

  public ClusterText queue(OptionValues settings) {
    once(queues, settings, "qname");
    queues.put(settings.get("qname"), new ClusterQueue(settings, complexes));
    return this;
  }

  public ClusterText environment(String file, String text) {
    return environment(EnvironmentOptions.TABLE.parse(file, text));
  }

  public ClusterText environment(OptionValues settings) {
    once(environments, settings, "pe_name");
    environments.put(settings.get("pe_name"), settings);
    return this;
  }

  public ClusterText host(String file, String text) {
    return host(HostOptions.TABLE.parse(file, text));
  }

  public ClusterText host(OptionValues settings) {
    once(hosts, settings, "hostname");
    hosts.put(settings.get("hostname"), ExecHost.of(settings, complexes));
    described.add(settings);
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
      return queue(named(QueueOptions.TABLE.parse(label, text), "qname", name));
    } else if (name.startsWith("pe.")) {
      return environment(named(EnvironmentOptions.TABLE.parse(label, text), "pe_name", name));
    } else if (name.startsWith("hgrp")) {
      return group(label, text);
    } else if (name.startsWith("host.") || name.startsWith("exechost.")) {
      return host(named(HostOptions.TABLE.parse(label, text), "hostname", name));
    } else if (name.startsWith("acl.") || name.startsWith("userset.")) {
      return accessList(label, name, text);
    }
    throw new ConfigurationRefused(
        label,
        0,
        "the name says no kind of object: it must be complex, sched, conf, hgrp..., queue.NAME,"
            + " pe.NAME, host.NAME or acl.NAME");
  }

  /** Refuses an object whose name differs from that of its file, because one of them is wrong. */
  private static OptionValues named(OptionValues settings, String option, String file) {
    String own = settings.get(option);
    String meant = file.substring(file.indexOf('.') + 1);
    boolean sameHost = option.equals("hostname") && shortName(own).equals(shortName(meant));
    if (!own.equals(meant) && !sameHost) {
      throw settings.refused(option, "is " + own + ", but the file is " + file);
    }
    return settings;
  }

  /** Host name without its domain, since texts may name a host either way. */
  private static String shortName(String host) {
    return host.replaceFirst("\\..*", "");
  }

  private ClusterText accessList(String label, String file, String text) {
    OptionValues settings = named(AccessListOptions.TABLE.parse(label, text), "name", file);
    once(accessLists, settings, "name");
    return accessList(settings.get("name"), HostGroups.list(settings.get("entries")));
  }

  /** Names of the hosts that have a text. */
  public Set<String> hosts() {
    return Set.copyOf(hosts.keySet());
  }

  private static void once(Map<String, ?> known, OptionValues settings, String option) {
    if (known.containsKey(settings.get(option))) {
      throw settings.refused(option, settings.get(option) + " is described a second time");
    }
  }

  /**
   * Refuses names of environments, access lists and hosts that no text describes. Not called when
   * only some of the texts are there.
   */
  public ClusterText checkNames() {
    HostGroups resolved = groups();
    References references = new References(resolved);
    Set<String> known = new HashSet<>(hosts.keySet());
    groups.keySet().forEach(group -> known.addAll(resolved.resolve(List.of(group))));
    queues.values().forEach(queue -> known.addAll(queue.hosts(resolved)));
    for (ClusterQueue queue : queues.values()) {
      references.hostsOfExceptions(queue.settings(), known);
      references.names(queue.settings(), "pe_list", "pe.", environments.keySet());
      references.users(queue.settings(), accessLists);
    }
    environments.values().forEach(each -> references.users(each, accessLists));
    described.forEach(each -> references.users(each, accessLists));
    return this;
  }

  /** The host groups; refuses groups and queues that name groups which do not exist. */
  private HostGroups groups() {
    Map<String, List<String>> members = new LinkedHashMap<>();
    groups.forEach((name, group) -> members.put(name, HostGroups.list(group.get("hostlist"))));
    HostGroups resolved = new HostGroups(members);
    References references = new References(resolved);
    groups.values().forEach(references::hosts);
    groups.values().forEach(references::circle);
    for (ClusterQueue queue : queues.values()) {
      references.hosts(queue.settings());
      references.groupsOfExceptions(queue.settings());
    }
    return resolved;
  }

  public Cluster cluster() {
    HostGroups resolved = groups();
    List<QueueInstance> instances = new ArrayList<>();
    queues.values().forEach(queue -> instances.addAll(queue.instances(resolved, complexes)));
    return new Cluster(
        complexes,
        List.copyOf(instances),
        Map.copyOf(hosts),
        environments.values().stream().map(ParallelEnvironment::of).toList(),
        resolved,
        Map.copyOf(accessLists));
  }
}
