package io.millrace.schedulers.dialects.gridengine.cluster;

import io.millrace.schedulers.dialects.gridengine.options.Option;
import io.millrace.schedulers.dialects.gridengine.options.PerHost;
import io.millrace.schedulers.dialects.gridengine.options.QueueOptions;
import io.millrace.schedulers.dialects.gridengine.options.Refused;
import io.millrace.schedulers.dialects.gridengine.options.Settings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

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
      Settings own = on(host, groups);
      instances.add(
          new QueueInstance(
              own.get("qname"),
              host,
              own,
              offers(own, complexes),
              Access.of(
                  own.get("user_lists"),
                  own.get("xuser_lists"),
                  own.get("projects"),
                  own.get("xprojects"))));
    }
    return instances;
  }

  private Settings on(String host, HostGroups groups) {
    Settings own = settings;
    for (Option option : QueueOptions.TABLE.options()) {
      String name = option.name();
      if (settings.names(name) && !name.equals("hostlist") && !name.equals("qname")) {
        PerHost values = PerHost.of(settings.get(name));
        String value = value(values, host, groups, name);
        own = value.isEmpty() ? own.reset(name) : own.with(name, value);
      }
    }
    return own;
  }

  /** The host's own exception, else the first group's that has the host, else the general value. */
  private String value(PerHost values, String host, HostGroups groups, String option) {
    String exact = values.exceptions().get(host);
    if (exact != null) {
      return exact;
    }
    for (Map.Entry<String, String> exception : values.exceptions().entrySet()) {
      String where = exception.getKey();
      if (where.startsWith("@") && !groups.names().contains(where)) {
        throw new Refused(
            file, 0, option + " has an exception for " + where + ", which does not exist");
      }
      if (groups.has(where, host)) {
        return exception.getValue();
      }
    }
    return values.general();
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
