package io.millrace.schemas.pbs.schedconfig;

import io.millrace.schemas.pbs.schedconfig.calendar.DedicatedReader;
import io.millrace.schemas.pbs.schedconfig.calendar.DedicatedTimes;
import io.millrace.schemas.pbs.schedconfig.calendar.HolidaysReader;
import io.millrace.schemas.pbs.schedconfig.calendar.PrimeHours;
import io.millrace.schemas.pbs.schedconfig.options.PolicyFinding;
import io.millrace.schemas.pbs.schedconfig.options.SchedConfig;
import io.millrace.schemas.pbs.schedconfig.options.SchedConfigOptions;
import io.millrace.schemas.pbs.schedconfig.options.SchedConfigReader;
import io.millrace.schemas.pbs.schedconfig.options.SchedConfigText;
import io.millrace.schemas.pbs.schedconfig.share.ResourceGroup;
import io.millrace.schemas.pbs.schedconfig.share.ShareTree;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The files of a PBS scheduler, read: {@code sched_config} and the three beside it.
 *
 * @param findings what is wrong with which line, and notes
 */
public record SitePolicyFolder(
    SchedConfig config,
    PrimeHours hours,
    DedicatedTimes dedicated,
    ResourceGroup group,
    List<PolicyFinding> findings) {

  /** Names of the files. */
  public static final String SCHED_CONFIG = "sched_config";

  public static final String HOLIDAYS = "holidays";
  public static final String DEDICATED_TIME = "dedicated_time";
  public static final String RESOURCE_GROUP = "resource_group";

  /** All names, the most telling first. */
  public static final List<String> FILES =
      List.of(SCHED_CONFIG, HOLIDAYS, DEDICATED_TIME, RESOURCE_GROUP);

  /**
   * Reads the texts; never throws. One that is missing says nothing.
   *
   * @param texts by the names of their files; others than {@link #FILES} are passed over
   */
  public static SitePolicyFolder read(Map<String, String> texts) {
    SchedConfigReader.SchedConfigRead config =
        SchedConfigReader.read(SCHED_CONFIG, texts.getOrDefault(SCHED_CONFIG, ""));
    HolidaysReader.HolidaysRead hours =
        HolidaysReader.read(HOLIDAYS, texts.getOrDefault(HOLIDAYS, ""));
    DedicatedReader.DedicatedTimesRead dedicated =
        DedicatedReader.read(DEDICATED_TIME, texts.getOrDefault(DEDICATED_TIME, ""));
    ResourceGroup.ResourceGroupRead group =
        ResourceGroup.read(RESOURCE_GROUP, texts.getOrDefault(RESOURCE_GROUP, ""));
    List<PolicyFinding> findings = new ArrayList<>(config.findings());
    findings.addAll(hours.findings());
    findings.addAll(dedicated.findings());
    findings.addAll(group.findings());
    return new SitePolicyFolder(
        config.config(), hours.hours(), dedicated.times(), group.group(), List.copyOf(findings));
  }

  /** What the files say, in words. */
  public List<String> explain() {
    List<String> lines = new ArrayList<>(SchedConfigText.explain(config));
    if (hours.year() != 0) {
      lines.add("prime time: by the hours and holidays of " + hours.year());
    }
    for (DedicatedTimes.DedicatedTime span : dedicated.spans()) {
      lines.add("dedicated time: from " + span.from() + " to " + span.to());
    }
    ShareTree tree = group.tree(config.count(SchedConfigOptions.UNKNOWN_SHARES));
    for (ResourceGroup.ResourceGroupLine line : group.lines()) {
      lines.add(
          String.format(
              Locale.ROOT,
              "share of %s: %.2f %% of everything",
              line.name(),
              100 * tree.find(line.name()).percentage()));
    }
    return lines;
  }
}
