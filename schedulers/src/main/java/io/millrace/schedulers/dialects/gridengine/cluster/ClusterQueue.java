package io.millrace.schedulers.dialects.gridengine.cluster;

import io.millrace.schedulers.dialects.gridengine.options.Option;
import io.millrace.schedulers.dialects.gridengine.options.PerHost;
import io.millrace.schedulers.dialects.gridengine.options.QueueOptions;
import io.millrace.schedulers.dialects.gridengine.options.Refused;
import io.millrace.schedulers.dialects.gridengine.options.Settings;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** A cluster queue: options with exceptions, from which each host's instance is made. */
public final class ClusterQueue {

  private final Settings settings;
  private final String file;

  /**
   * @param file the name of its text, for messages
   */
  public ClusterQueue(Settings settings, String file) {
    this.settings = settings;
    this.file = file;
  }

  /** Its instances, in the order of its list of hosts. */
  public List<QueueInstance> instances(HostGroups groups, Complexes complexes) {
    List<QueueInstance> instances = new ArrayList<>();
    Set<String> hosts = groups.resolve(HostGroups.list(settings.get("hostlist")), file);
    for (String host : hosts) {
      List<String> ambiguous = new ArrayList<>();
      Settings own = on(host, groups, ambiguous);
      Access access =
          Access.of(
              own.get("user_lists"),
              own.get("xuser_lists"),
              own.get("projects"),
              own.get("xprojects"));
      instances.add(
          new QueueInstance(own.get("qname"), host, own, offers(own, complexes), access)
              .ambiguous(ambiguous));
    }
    return instances;
  }

  /**
   * The queue's options as they hold on a host.
   *
   * @param ambiguous takes a warning for each option of which several groups give a value
   */
  private Settings on(String host, HostGroups groups, List<String> ambiguous) {
    Settings own = settings;
    for (Option option : QueueOptions.TABLE.options()) {
      String name = option.name();
      if (settings.names(name) && !name.equals("hostlist") && !name.equals("qname")) {
        PerHost values = PerHost.of(settings.get(name));
        List<String> meant = meant(values, host, groups, name);
        own =
            own.with(
                name, meant.size() == 1 ? values.exceptions().get(meant.get(0)) : values.general());
        if (meant.size() > 1) {
          warn(name, meant, ambiguous);
        }
      }
    }
    return own;
  }

  /** The exceptions that a host falls under: its own one alone, else those of its groups. */
  private List<String> meant(PerHost values, String host, HostGroups groups, String option) {
    for (String where : values.exceptions().keySet()) {
      if (where.startsWith("@") && !groups.names().contains(where)) {
        throw new Refused(
            file, 0, option + " has an exception for " + where + ", which does not exist");
      }
    }
    return values.exceptions().containsKey(host)
        ? List.of(host)
        : values.exceptions().keySet().stream().filter(where -> groups.has(where, host)).toList();
  }

  private static void warn(String option, List<String> groups, List<String> ambiguous) {
    String which = groups.stream().map(it -> '"' + it + '"').collect(Collectors.joining(", "));
    String value = " has ambiguous value (" + which + ")";
    ambiguous.add("warning: \"" + option + '"' + value);
    if (option.equals("slots")) {
      // They are a consumable of the instance.
      ambiguous.add("warning: \"complex_values\"" + value);
    }
  }

  private Offers offers(Settings own, Complexes complexes) {
    Offers offers = Offers.of(own.get("complex_values"), complexes, file);
    for (String limit : QueueOptions.LIMIT_NAMES) {
      offers = offers.withValue(limit, own.get(limit));
    }
    for (String plain :
        List.of("qname", "tmpdir", "calendar", "rerun", "seq_no", "min_cpu_interval")) {
      offers = offers.withValue(plain, own.get(plain));
    }
    return offers.withCapacity("slots", Integer.parseInt(own.get("slots")));
  }
}
