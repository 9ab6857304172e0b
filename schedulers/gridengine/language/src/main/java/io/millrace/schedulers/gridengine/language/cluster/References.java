package io.millrace.schedulers.gridengine.language.cluster;

import io.millrace.schedulers.gridengine.language.options.OptionValues;
import io.millrace.schedulers.gridengine.language.options.PerHost;
import io.millrace.schedulers.gridengine.language.options.QueueOptions;
import io.millrace.schemas.pbs.attributes.Nearest;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Checks that names in one object refer to objects that exist. */
final class References {

  private final HostGroups groups;

  References(HostGroups groups) {
    this.groups = groups;
  }

  /** Checks the host list of a host group or queue. */
  void hosts(OptionValues settings) {
    for (String name : HostGroups.list(settings.get("hostlist"))) {
      if (name.startsWith("@") && !groups.names().contains(name)) {
        throw settings.refused("hostlist", "names " + name + noGroup(name));
      }
    }
  }

  private String noGroup(String name) {
    return ", which is no host group" + Nearest.hint(name, new TreeSet<>(groups.names()));
  }

  /** Refuses a group that contains itself. */
  void circle(OptionValues group) {
    String name = group.get("group_name");
    if (groups.within(name).contains(name)) {
      throw group.refused("hostlist", "contains the group " + name + " itself");
    }
  }

  /** Checks the host groups in the exceptions of a queue's options. */
  void groupsOfExceptions(OptionValues queue) {
    exceptions(
        queue,
        (option, where) -> {
          if (where.startsWith("@") && !groups.names().contains(where)) {
            throw queue.refused(option, "has an exception for " + where + noGroup(where));
          }
        });
  }

  /** Checks the hosts in the exceptions of a queue's options; they need not be hosts of a queue. */
  void hostsOfExceptions(OptionValues queue, Set<String> known) {
    exceptions(
        queue,
        (option, where) -> {
          if (!where.startsWith("@") && !known.contains(where)) {
            throw queue.refused(
                option,
                "has an exception for "
                    + where
                    + ", a host that no other text names"
                    + Nearest.hint(where, new TreeSet<>(known)));
          }
        });
  }

  private static void exceptions(
      OptionValues queue, java.util.function.BiConsumer<String, String> check) {
    for (String option : queue.named().keySet()) {
      if (QueueOptions.perHost(option)) {
        PerHost.of(queue.get(option)).exceptions().keySet().forEach(w -> check.accept(option, w));
      }
    }
  }

  /**
   * Checks a list of object names, exceptions included.
   *
   * @param kind how the names of their files begin
   */
  void names(OptionValues settings, String option, String kind, Collection<String> known) {
    for (String list : PerHost.of(settings.get(option)).values()) {
      for (String name : HostGroups.list(list)) {
        if (!known.contains(name)) {
          throw settings.refused(
              option,
              "names "
                  + name
                  + ", of which there is no "
                  + kind
                  + name
                  + Nearest.hint(name, new TreeSet<>(known)));
        }
      }
    }
  }

  /** Checks both access lists of an object. */
  void users(OptionValues settings, Map<String, List<String>> accessLists) {
    names(settings, "user_lists", "acl.", accessLists.keySet());
    names(settings, "xuser_lists", "acl.", accessLists.keySet());
  }
}
