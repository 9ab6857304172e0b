package io.millrace.schedulers.gridengine.language.cluster;

import io.millrace.schedulers.gridengine.language.options.Form;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** Host groups, which may contain each other. */
public final class HostGroups {

  private final Map<String, List<String>> members;

  /**
   * @param members hosts and groups of each group, by its name with the @
   */
  public HostGroups(Map<String, List<String>> members) {
    this.members = new LinkedHashMap<>(members);
  }

  public static List<String> list(String text) {
    return Form.none(text) ? List.of() : Stream.of(text.split("[,\\s]+")).toList();
  }

  /**
   * The hosts of a list of hosts and groups, in its order, each once. Groups that do not exist have
   * none.
   */
  public Set<String> resolve(List<String> list) {
    Set<String> hosts = new LinkedHashSet<>();
    resolve(list, hosts, new LinkedHashSet<>());
    return hosts;
  }

  private void resolve(List<String> list, Set<String> hosts, Set<String> path) {
    for (String name : list) {
      if (!name.startsWith("@")) {
        hosts.add(name);
      } else if (path.add(name)) {
        resolve(members.getOrDefault(name, List.of()), hosts, path);
        path.remove(name);
      }
    }
  }

  /**
   * Groups contained in a group, directly or through others; includes the group itself when it is
   * in a cycle.
   */
  Set<String> within(String group) {
    Set<String> found = new LinkedHashSet<>();
    within(group, found);
    return found;
  }

  private void within(String group, Set<String> found) {
    for (String name : members.getOrDefault(group, List.of())) {
      if (name.startsWith("@") && found.add(name)) {
        within(name, found);
      }
    }
  }

  /** Whether the group exists and has the host. */
  public boolean has(String group, String host) {
    return resolve(List.of(group)).contains(host);
  }

  /** Whether a host is in one of the groups whose names fit the pattern. */
  public boolean hasIn(WildcardPattern groups, String host) {
    return members.keySet().stream().anyMatch(group -> groups.fits(group) && has(group, host));
  }

  public Set<String> names() {
    return Set.copyOf(members.keySet());
  }
}
