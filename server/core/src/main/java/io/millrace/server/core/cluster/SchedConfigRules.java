package io.millrace.server.core.cluster;

import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.pbs.attributes.AttributeTable;
import io.millrace.schemas.pbs.schedconfig.DynamicResources;
import io.millrace.schemas.pbs.schedconfig.StoredPolicy;
import io.millrace.schemas.pbs.schedconfig.options.SchedConfig;
import io.millrace.schemas.pbs.schedconfig.options.SchedConfigOptions;
import io.millrace.schemas.pbs.schedconfig.options.SitePeriod;
import io.millrace.server.core.decision.Context;
import java.util.List;
import java.util.Map;

/** The texts of a PBS scheduler that a scheduler object carries. */
final class SchedConfigRules {
  /** Most problems of a text that are told. */
  private static final int TOLD_MAX = 10;

  /** What is read from the texts, for those that do not read them themselves. */
  private static final List<String> READ =
      List.of(
          AttributeTable.FAIRSHARE_ENTITY,
          AttributeTable.FAIRSHARE_USAGE,
          AttributeTable.FAIRSHARE_DECAY_TIME,
          AttributeTable.FAIRSHARE_DECAY_FACTOR,
          AttributeTable.SERVER_DYN_RES,
          AttributeTable.COMPARED_RESOURCES,
          AttributeTable.UNSET_INFINITE,
          AttributeTable.UPDATE_COMMENTS);

  private SchedConfigRules() {}

  /** Refuses texts that cannot be obeyed, and sets what is read from them. */
  static void follow(ClusterObject before, Map<String, String> attributes) throws RejectedChange {
    String text = attributes.getOrDefault(AttributeTable.SCHED_CONFIG, "");
    boolean chosen = attributes.getOrDefault("policy", "").equals(AttributeTable.SCHED_CONFIG);
    if (chosen && text.isEmpty()) {
      throw new RejectedChange(
          PbsError.ILLEGAL_VALUE,
          ": policy is sched_config, but no sched_config was loaded: ./millrace policy load");
    }
    boolean same =
        text.equals(Context.attribute(before, AttributeTable.SCHED_CONFIG, ""))
            && attributes
                .getOrDefault("policy", "")
                .equals(Context.attribute(before, "policy", ""));
    if (same) {
      return;
    }
    READ.forEach(attributes::remove);
    if (text.isEmpty()) {
      return;
    }
    StoredPolicy policy = StoredPolicy.read(text);
    refuse(policy.problems());
    if (chosen && policy.counts()) {
      read(policy.folder().config(), attributes);
    }
    if (chosen) {
      told(policy.folder().config(), attributes);
      programs(DynamicResources.of(policy.folder().config()), attributes);
    }
  }

  private static void told(SchedConfig config, Map<String, String> attributes) {
    put(AttributeTable.COMPARED_RESOURCES, config.list(SchedConfigOptions.RESOURCES), attributes);
    put(AttributeTable.UNSET_INFINITE, config.list(SchedConfigOptions.UNSET_INFINITE), attributes);
    if (!config.flag(SchedConfigOptions.UPDATE_COMMENTS)) {
      attributes.put(AttributeTable.UPDATE_COMMENTS, "False");
    }
  }

  private static void put(String name, List<String> list, Map<String, String> attributes) {
    if (!list.isEmpty()) {
      attributes.put(name, String.join(",", list));
    }
  }

  private static void refuse(List<String> problems) throws RejectedChange {
    if (!problems.isEmpty()) {
      List<String> told = problems.subList(0, Math.min(TOLD_MAX, problems.size()));
      throw new RejectedChange(PbsError.ILLEGAL_VALUE, ": " + String.join("; ", told));
    }
  }

  private static void programs(Map<String, String> programs, Map<String, String> attributes)
      throws RejectedChange {
    if (programs.size() > DynamicResources.PROGRAMS_MAX) {
      throw new RejectedChange(
          PbsError.ILLEGAL_VALUE,
          ": server_dyn_res names "
              + programs.size()
              + " resources where at most "
              + DynamicResources.PROGRAMS_MAX
              + " have a program");
    }
    if (!programs.isEmpty()) {
      attributes.put(AttributeTable.SERVER_DYN_RES, DynamicResources.text(programs));
    }
  }

  private static void read(SchedConfig config, Map<String, String> attributes) {
    attributes.put(AttributeTable.FAIRSHARE_ENTITY, config.text(SchedConfigOptions.ENTITY));
    attributes.put(AttributeTable.FAIRSHARE_USAGE, config.text(SchedConfigOptions.USAGE_RES));
    attributes.put(
        AttributeTable.FAIRSHARE_DECAY_TIME,
        Long.toString(config.seconds(SchedConfigOptions.DECAY_TIME, SitePeriod.PRIME)));
    attributes.put(
        AttributeTable.FAIRSHARE_DECAY_FACTOR, config.text(SchedConfigOptions.DECAY_FACTOR));
  }
}
