package io.millrace.ops.schedconfig;

import io.millrace.ops.dialect.PolicyDialect;
import io.millrace.schedulers.core.policy.JobSequence;
import io.millrace.schedulers.simulator.SimulatedPolicy;
import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.pbs.attributes.AttributeTable;
import io.millrace.schemas.pbs.attributes.SortFormula;
import io.millrace.schemas.pbs.schedconfig.DynamicResources;
import io.millrace.schemas.pbs.schedconfig.SitePolicyFolder;
import io.millrace.schemas.pbs.schedconfig.StoredPolicy;
import io.millrace.schemas.pbs.schedconfig.options.SchedConfig;
import io.millrace.schemas.pbs.schedconfig.options.SchedConfigOptions;
import io.millrace.schemas.pbs.schedconfig.options.SitePeriod;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** The files of a PBS scheduler as the policy of a simulation. */
public final class SiteSimulated {

  /** What of a trace's jobs keys can go by. */
  private static final Set<String> KEYS =
      Set.of("ncpus", "walltime", JobSequence.JOB_PRIORITY, JobSequence.SHARES, JobSequence.LEVEL);

  private static final Set<String> USED = Set.of("cput", "walltime", "ncpus", "cpupercent");

  private SiteSimulated() {}

  /**
   * Makes a policy of the texts, and says what of them a simulation does not obey.
   *
   * @param word as the user calls the policy
   * @param texts of {@code path}, by the names of their files
   * @param zone of the times in the files
   * @throws IOException on the first line that is wrong
   */
  public static SimulatedPolicy read(String word, Path path, Map<String, String> texts, ZoneId zone)
      throws IOException {
    String folder = folder(path);
    PolicyDialect.PolicyReading reading = new SchedConfigDialect().read(texts, false);
    if (!reading.refusals().isEmpty()) {
      int more = reading.refusals().size() - 1;
      String others = more == 0 ? "" : " (and " + more + " more; see policy check)";
      throw new IOException(folder + reading.refusals().get(0) + others);
    }
    Map<String, String> named = SchedConfigDialect.named(texts);
    if (!named.containsKey(SitePolicyFolder.SCHED_CONFIG)) {
      throw new IOException(path + ": there is no " + SitePolicyFolder.SCHED_CONFIG + " in it");
    }
    List<String> notes = new ArrayList<>(reading.notes());
    notes.addAll(gaps(SitePolicyFolder.read(named)));
    notes.forEach(note -> System.err.println("millrace simulate: note: " + folder + note));
    return SimulatedPolicy.of(
        word,
        List.of(
            new Attribute("policy", AttributeTable.SCHED_CONFIG),
            new Attribute(AttributeTable.SCHED_CONFIG, StoredPolicy.join(named, zone.getId()))));
  }

  private static String folder(Path path) {
    Path folder = Files.isDirectory(path) ? path : path.getParent();
    return folder == null ? "" : folder + "/";
  }

  private static List<String> gaps(SitePolicyFolder folder) {
    SchedConfig config = folder.config();
    List<String> gaps = new ArrayList<>();
    Set<String> keys = new TreeSet<>();
    for (SitePeriod period : SitePeriod.values()) {
      config.jobKeys(period).forEach(key -> keys.add(key.name()));
    }
    keys.removeAll(KEYS);
    tell(config, SchedConfigOptions.JOB_SORT_KEY, keys, gaps);
    tell(config, SchedConfigOptions.USAGE_RES, unused(config), gaps);
    tell(config, SchedConfigOptions.SERVER_DYN_RES, DynamicResources.of(config).keySet(), gaps);
    return gaps;
  }

  /** Resources that count as usage and that no job of a trace uses. */
  private static Set<String> unused(SchedConfig config) {
    try {
      Set<String> names =
          new TreeSet<>(SortFormula.of(config.text(SchedConfigOptions.USAGE_RES)).names());
      names.removeAll(USED);
      return names;
    } catch (SortFormula.BadFormula e) {
      // Such a text was refused before.
      return Set.of();
    }
  }

  private static void tell(
      SchedConfig config, String option, Set<String> names, List<String> gaps) {
    for (String name : names) {
      gaps.add(
          SitePolicyFolder.SCHED_CONFIG
              + ":"
              + config.line(option)
              + ": "
              + option
              + ": jobs of a trace have no "
              + name);
    }
  }
}
