package io.millrace.schedulers.gridengine.language.cluster;

import io.millrace.schedulers.gridengine.language.options.ConfigurationRefused;
import io.millrace.schedulers.gridengine.language.options.Option;
import io.millrace.schedulers.gridengine.language.options.OptionValues;
import io.millrace.schedulers.gridengine.language.options.PerHost;
import io.millrace.schedulers.gridengine.language.options.QueueOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** A cluster queue: options with exceptions, from which each host's instance is made. */
public final class ClusterQueue {

  /**
   * Attributes that queue_conf sets in lines of their own, so that complex_values may not set them.
   */
  private static final List<String> OWN_LINES =
      List.of("qname", "tmpdir", "calendar", "rerun", "seq_no", "min_cpu_interval");

  private static final String SLOTS = "slots";
  private static final String VALUES = "complex_values";

  private final OptionValues settings;

  /**
   * @throws ConfigurationRefused when its lists name attributes that there are not, or that have
   *     their own lines
   */
  public ClusterQueue(OptionValues settings, Complexes complexes) {
    this.settings = settings;
    new NamedAttributes(settings, complexes).checkQueue();
    for (String list : PerHost.of(settings.get(VALUES)).values()) {
      OfferedAttributes.pairs(list)
          .keySet()
          .forEach(name -> complexes.find(name).ifPresent(this::checkNoLine));
    }
  }

  /**
   * Refuses an attribute that has its own line: that line would count and complex_values be
   * ignored.
   */
  private void checkNoLine(Complex complex) {
    String name = complex.name();
    boolean fixed = OWN_LINES.contains(name) || QueueOptions.LIMIT_NAMES.contains(name);
    if (name.equals(SLOTS) || fixed && !complex.consumable()) {
      throw settings.refused(VALUES, "names " + name + ", of which a queue has a line of its own");
    }
  }

  OptionValues settings() {
    return settings;
  }

  /** Its hosts, in the order of its list. */
  Set<String> hosts(HostGroups groups) {
    return groups.resolve(HostGroups.list(settings.get("hostlist")));
  }

  /** Its instances, in the order of its list of hosts. */
  public List<QueueInstance> instances(HostGroups groups, Complexes complexes) {
    List<QueueInstance> instances = new ArrayList<>();
    for (String host : hosts(groups)) {
      List<String> ambiguous = new ArrayList<>();
      OptionValues own = on(host, groups, ambiguous);
      ObjectAccess access =
          ObjectAccess.of(
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
   * The queue's options for one host, exceptions applied.
   *
   * @param ambiguous takes a warning for each option of which several groups give a value
   */
  private OptionValues on(String host, HostGroups groups, List<String> ambiguous) {
    OptionValues own = settings;
    for (Option option : QueueOptions.TABLE.options()) {
      String name = option.name();
      if (settings.names(name) && QueueOptions.perHost(name)) {
        PerHost values = PerHost.of(settings.get(name));
        List<String> meant = meant(values, host, groups);
        String value = meant.size() == 1 ? values.exceptions().get(meant.get(0)) : values.general();
        own = value.isEmpty() ? own.reset(name) : own.with(name, value);
        if (meant.size() > 1) {
          warn(name, meant, ambiguous);
        }
      }
    }
    return own;
  }

  /** The exceptions that apply to a host: its own one alone, else those of its groups. */
  private static List<String> meant(PerHost values, String host, HostGroups groups) {
    return values.exceptions().containsKey(host)
        ? List.of(host)
        : values.exceptions().keySet().stream().filter(where -> groups.has(where, host)).toList();
  }

  private static void warn(String option, List<String> groups, List<String> ambiguous) {
    String which = groups.stream().map(it -> '"' + it + '"').collect(Collectors.joining(", "));
    String value = " has ambiguous value (" + which + ")";
    ambiguous.add("warning: \"" + option + '"' + value);
    if (option.equals(SLOTS)) {
      // The slots value is a consumable of the instance.
      ambiguous.add("warning: \"complex_values\"" + value);
    }
  }

  private OfferedAttributes offers(OptionValues own, Complexes complexes) {
    OfferedAttributes offers = OfferedAttributes.of(own, complexes);
    for (String limit : QueueOptions.LIMIT_NAMES) {
      offers = offers.withValue(limit, own.get(limit));
    }
    for (String plain : OWN_LINES) {
      offers = offers.withValue(plain, own.get(plain));
    }
    return offers.withCapacity(SLOTS, Integer.parseInt(own.get(SLOTS)));
  }
}
