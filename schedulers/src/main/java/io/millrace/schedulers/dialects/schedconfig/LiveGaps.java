package io.millrace.schedulers.dialects.schedconfig;

import io.millrace.schedulers.core.policy.NodeOrder;
import io.millrace.schemas.pbs.schedconfig.SitePolicyFolder;
import io.millrace.schemas.pbs.schedconfig.options.SchedConfig;
import io.millrace.schemas.pbs.schedconfig.options.SchedConfigOption;
import io.millrace.schemas.pbs.schedconfig.options.SchedConfigOption.OptionStanding;
import io.millrace.schemas.pbs.schedconfig.options.SchedConfigOptions;
import io.millrace.schemas.pbs.schedconfig.options.SitePeriod;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** What of a PBS scheduler's files only a recorded session obeys. */
public final class LiveGaps {
  /** Options that only a recorded session obeys. */
  private static final Set<String> NOT_LIVE =
      Set.of(
          SchedConfigOptions.RESOURCES,
          SchedConfigOptions.UNSET_INFINITE,
          SchedConfigOptions.UPDATE_COMMENTS);

  private LiveGaps() {}

  /**
   * Lines: file, line, and what is not obeyed.
   *
   * @param who does not obey it
   */
  public static List<String> of(SitePolicyFolder folder, String who) {
    SchedConfig config = folder.config();
    List<String> left = new ArrayList<>();
    for (SchedConfigOption option : SchedConfigOptions.all()) {
      String name = option.name();
      boolean acts =
          option.standing() == OptionStanding.ACTS || option.standing() == OptionStanding.OLD;
      String value = config.text(name, SitePeriod.PRIME);
      if (acts && NOT_LIVE.contains(name) && config.line(name) > 0 && !option.isUsual(value)) {
        left.add(where(config, name) + name + " = " + value + " is not obeyed by " + who);
      }
    }
    boolean lastUsed = false;
    for (SitePeriod period : SitePeriod.values()) {
      lastUsed |=
          config.nodeKeys(period).stream().anyMatch(key -> key.name().equals(NodeOrder.LAST_USED));
    }
    if (lastUsed) {
      left.add(where(config, SchedConfigOptions.NODE_SORT_KEY) + "nodes have no order by last use");
    }
    return List.copyOf(left);
  }

  private static String where(SchedConfig config, String name) {
    return SitePolicyFolder.SCHED_CONFIG + ":" + config.line(name) + ": ";
  }
}
