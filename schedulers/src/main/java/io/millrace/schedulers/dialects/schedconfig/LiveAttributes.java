package io.millrace.schedulers.dialects.schedconfig;

import io.millrace.schedulers.core.policy.NodeOrder;
import io.millrace.schedulers.dialects.schedconfig.options.SchedConfig;
import io.millrace.schedulers.dialects.schedconfig.options.SchedConfigOption;
import io.millrace.schedulers.dialects.schedconfig.options.SchedConfigOption.Standing;
import io.millrace.schedulers.dialects.schedconfig.options.SchedConfigOptions;
import io.millrace.schedulers.dialects.schedconfig.options.SitePeriod;
import io.millrace.schemas.common.Attribute;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What of a PBS scheduler's files a live scheduler object obeys, as its attributes.
 *
 * @param attributes to be set on the object
 * @param left lines about what it does not obey: file, line, and why
 */
public record LiveAttributes(List<Attribute> attributes, List<String> left) {

  private static final List<String> FLAGS =
      List.of(
          SchedConfigOptions.BY_QUEUE,
          SchedConfigOptions.ROUND_ROBIN,
          SchedConfigOptions.STRICT_ORDERING,
          SchedConfigOptions.PREEMPTIVE);

  /** Options that become attributes. */
  private static final Set<String> TAKEN =
      Set.of(
          SchedConfigOptions.BY_QUEUE,
          SchedConfigOptions.ROUND_ROBIN,
          SchedConfigOptions.STRICT_ORDERING,
          SchedConfigOptions.PREEMPTIVE,
          SchedConfigOptions.JOB_SORT_KEY,
          SchedConfigOptions.NODE_SORT_KEY,
          SchedConfigOptions.BACKFILL);

  public LiveAttributes {
    attributes = List.copyOf(attributes);
    left = List.copyOf(left);
  }

  /** The attributes that files come to, with the values of prime time. */
  public static LiveAttributes of(SitePolicyFolder folder) {
    SchedConfig config = folder.config();
    List<Attribute> attributes = new ArrayList<>();
    List<String> left = new ArrayList<>();
    for (String name : FLAGS) {
      attributes.add(new Attribute(name, config.flag(name) ? "True" : "False"));
    }
    String jobKeys =
        config.jobKeys(SitePeriod.PRIME).stream()
            .map(key -> key.name() + (key.high() ? " HIGH" : " LOW"))
            .collect(Collectors.joining(", "));
    String nodeKeys =
        config.nodeKeys(SitePeriod.PRIME).stream()
            .filter(key -> obeyed(key, config, left))
            .map(LiveAttributes::text)
            .collect(Collectors.joining(", "));
    attributes.add(new Attribute(SchedConfigOptions.JOB_SORT_KEY, jobKeys));
    attributes.add(new Attribute(SchedConfigOptions.NODE_SORT_KEY, nodeKeys));
    boolean backfills = config.flag(SchedConfigOptions.BACKFILL);
    attributes.add(new Attribute("backfill_depth", backfills ? "" : "0"));
    attributes.add(new Attribute("policy", "priority"));
    options(folder, left);
    files(folder, left);
    boolean keyed =
        config.flag(SchedConfigOptions.BY_QUEUE)
            || config.flag(SchedConfigOptions.ROUND_ROBIN)
            || !jobKeys.isEmpty();
    if (!keyed) {
      left.add(
          SitePolicyFolder.SCHED_CONFIG
              + ": without by_queue, round_robin and job_sort_key jobs come in the order of"
              + " submission there; here the Priority of queue and job counts before");
    }
    return new LiveAttributes(attributes, left);
  }

  private static boolean obeyed(NodeOrder.Key key, SchedConfig config, List<String> left) {
    boolean used = key.resource().equals(NodeOrder.LAST_USED);
    if (used) {
      left.add(where(config, SchedConfigOptions.NODE_SORT_KEY) + "nodes have no order by last use");
    }
    return !used;
  }

  private static String text(NodeOrder.Key key) {
    String part =
        key.part() == NodeOrder.Part.TOTAL ? "" : " " + key.part().name().toLowerCase(Locale.ROOT);
    return key.resource() + (key.high() ? " HIGH" : " LOW") + part;
  }

  private static String where(SchedConfig config, String name) {
    return SitePolicyFolder.SCHED_CONFIG + ":" + config.line(name) + ": ";
  }

  private static void options(SitePolicyFolder folder, List<String> left) {
    SchedConfig config = folder.config();
    for (SchedConfigOption option : SchedConfigOptions.all()) {
      String name = option.name();
      boolean acts = option.standing() == Standing.ACTS || option.standing() == Standing.OLD;
      if (!acts || config.line(name) == 0) {
        continue;
      }
      String value = config.text(name, SitePeriod.PRIME);
      boolean differs =
          option.starred()
              && folder.hours().year() != 0
              && !value.equals(config.text(name, SitePeriod.NON_PRIME));
      if (TAKEN.contains(name) && differs) {
        left.add(
            where(config, name)
                + name
                + " has another value in non-prime time; an attribute has one, that of prime time");
      } else if (!TAKEN.contains(name) && !option.isUsual(value) && !old(name)) {
        left.add(where(config, name) + name + " = " + value + " is not obeyed by a live scheduler");
      }
    }
  }

  /** Old names whose values stand under other names. */
  private static boolean old(String name) {
    return name.equals("sort_nodes");
  }

  private static void files(SitePolicyFolder folder, List<String> left) {
    if (folder.hours().year() != 0) {
      left.add(SitePolicyFolder.HOLIDAYS + ": a live scheduler knows no prime time");
    }
    if (!folder.dedicated().spans().isEmpty()) {
      left.add(SitePolicyFolder.DEDICATED_TIME + ": a live scheduler knows no dedicated times");
    }
    if (!folder.group().lines().isEmpty()) {
      left.add(SitePolicyFolder.RESOURCE_GROUP + ": a live scheduler knows no shares");
    }
  }
}
