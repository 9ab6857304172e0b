package io.millrace.schedulers.dialects.gridengine.cluster;

import io.millrace.schedulers.dialects.gridengine.options.Form;
import io.millrace.schedulers.dialects.gridengine.options.Nearest;
import io.millrace.schedulers.dialects.gridengine.options.Refused;
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
   * The hosts of a list of hosts and groups, in its order, each once.
   *
   * @throws Refused when it names a group that does not exist, with the text's name
   */
  public Set<String> resolve(List<String> list, String file) {
    Set<String> hosts = new LinkedHashSet<>();
    resolve(list, file, hosts, new LinkedHashSet<>());
    return hosts;
  }

  private void resolve(List<String> list, String file, Set<String> hosts, Set<String> path) {
    for (String name : list) {
      if (!name.startsWith("@")) {
        hosts.add(name);
      } else if (!members.containsKey(name)) {
        throw new Refused(
            file, 0, "there is no host group " + name + Nearest.hint(name, members.keySet()));
      } else if (path.add(name)) {
        resolve(members.get(name), file, hosts, path);
        path.remove(name);
      }
    }
  }

  /** Whether the group exists and has the host. */
  public boolean has(String group, String host) {
    return members.containsKey(group) && resolve(List.of(group), group).contains(host);
  }

  /** Whether a host is in one of the groups whose names fit the pattern. */
  public boolean hasIn(Pattern groups, String host) {
    return members.keySet().stream().anyMatch(group -> groups.fits(group) && has(group, host));
  }

  public Set<String> names() {
    return Set.copyOf(members.keySet());
  }
}
