package io.millrace.schemas.pbs.schedconfig;

import io.millrace.schemas.pbs.schedconfig.options.PolicyFinding;
import io.millrace.schemas.pbs.schedconfig.options.SchedConfigOptions;
import io.millrace.schemas.pbs.schedconfig.options.SitePeriod;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The files of a PBS scheduler as a scheduler object carries them: one text, with the time zone in
 * which their times are meant.
 *
 * @param zone of the files' times; that of Greenwich where the text names none
 * @param problems what is wrong with the text, a line each; empty for one that may be obeyed
 */
public record StoredPolicy(SitePolicyFolder folder, ZoneId zone, List<String> problems) {
  private static final String ZONE = JoinedFiles.ZONE;

  public StoredPolicy {
    problems = List.copyOf(problems);
  }

  /**
   * All files as one text.
   *
   * @param texts by the names of their files; others than those of a PBS scheduler are left out
   * @param zone such as Europe/Berlin
   */
  public static String join(Map<String, String> texts, String zone) {
    Map<String, String> all = new LinkedHashMap<>();
    all.put(ZONE, zone + "\n");
    SitePolicyFolder.FILES.stream()
        .filter(texts::containsKey)
        .forEach(name -> all.put(name, texts.get(name)));
    return JoinedFiles.join(all);
  }

  /** The files of a text that {@link #join} made, by their names. */
  public static Map<String, String> split(String text) {
    return split(text, new ArrayList<>());
  }

  private static Map<String, String> split(String text, List<String> problems) {
    return JoinedFiles.split(
        text,
        name -> name.equals(ZONE) || SitePolicyFolder.FILES.contains(name),
        "a PBS scheduler",
        problems);
  }

  /** Reads a text; never throws. */
  public static StoredPolicy read(String text) {
    List<String> problems = new ArrayList<>();
    Map<String, String> texts = split(text, problems);
    ZoneId zone = zone(texts.getOrDefault(ZONE, "").strip(), problems);
    if (!texts.containsKey(SitePolicyFolder.SCHED_CONFIG)) {
      problems.add("there is no " + SitePolicyFolder.SCHED_CONFIG + " in it");
    }
    SitePolicyFolder folder = SitePolicyFolder.read(texts);
    folder.findings().stream()
        .filter(PolicyFinding::wrong)
        .map(PolicyFinding::text)
        .forEach(problems::add);
    return new StoredPolicy(folder, zone, problems);
  }

  private static ZoneId zone(String name, List<String> problems) {
    try {
      return ZoneId.of(name);
    } catch (DateTimeException e) {
      // Named as a problem, by which nobody obeys the text.
      problems.add(ZONE + ": '" + name + "' is no time zone such as Europe/Berlin");
      return ZoneOffset.UTC;
    }
  }

  /** True when what entities use is added up. */
  public boolean counts() {
    return folder.config().flag(SchedConfigOptions.FAIR_SHARE, SitePeriod.PRIME)
        || folder.config().flag(SchedConfigOptions.FAIR_SHARE, SitePeriod.NON_PRIME)
        || !folder.group().lines().isEmpty();
  }
}
