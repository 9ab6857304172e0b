package io.millrace.schedulers.dialects.origin2000.live;

import io.millrace.schedulers.dialects.origin2000.calendar.OriginHolidays;
import io.millrace.schedulers.dialects.origin2000.config.OriginConfig;
import io.millrace.schedulers.dialects.origin2000.config.OriginConfigChecks;
import io.millrace.schedulers.dialects.origin2000.config.OriginConfigText;
import io.millrace.schedulers.dialects.origin2000.config.OriginPlace;
import io.millrace.schedulers.dialects.origin2000.plan.OriginRules;
import io.millrace.schedulers.gridengine.language.options.ConfigurationRefused;
import io.millrace.schemas.pbs.schedconfig.JoinedFiles;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The files of an Origin2000 scheduler as a scheduler object carries them.
 *
 * @param rules null when the text cannot be obeyed
 * @param problem why the text cannot be obeyed; empty when it can
 */
public record LoadedOrigin(OriginRules rules, String problem) {

  /**
   * Names of the files, the one without which there is no policy first. The shard takes past usage
   * from decay_usage, and tells it by facts.
   */
  public static final List<String> FILES = List.of("config", "holidays", "decay_usage");

  /** Name under which the host stands among them on which queues are that name none. */
  public static final String HOST = "host";

  /** Reads a text; never throws. */
  public static LoadedOrigin read(String text) {
    List<String> problems = new ArrayList<>();
    Map<String, String> files =
        JoinedFiles.split(
            text,
            name -> FILES.contains(name) || name.equals(HOST) || name.equals(JoinedFiles.ZONE),
            "an Origin2000 scheduler",
            problems);
    if (!problems.isEmpty()) {
      return unusable(problems.get(0));
    }
    if (!files.containsKey(FILES.get(0))) {
      return unusable("there is no " + FILES.get(0) + " in it");
    }
    try {
      return read(files);
    } catch (ConfigurationRefused | DateTimeException e) {
      return unusable(e.getMessage());
    }
  }

  private static LoadedOrigin unusable(String problem) {
    return new LoadedOrigin(null, problem);
  }

  private static LoadedOrigin read(Map<String, String> files) {
    String zone = files.getOrDefault(JoinedFiles.ZONE, "").strip();
    String host = files.getOrDefault(HOST, "").strip();
    OriginPlace place = new OriginPlace(host, ZoneId.of(zone));
    String name = FILES.get(0);
    OriginConfig config = OriginConfigText.read(name, files.get(name), place).config();
    OriginConfigChecks.check(name, config, command -> true);
    Optional<String> gap = OriginGaps.of(config);
    if (gap.isPresent()) {
      return unusable(name + ": " + gap.get());
    }
    OriginHolidays holidays =
        files.containsKey("holidays")
            ? OriginHolidays.read("holidays", files.get("holidays"))
            : OriginHolidays.NONE;
    return new LoadedOrigin(new OriginRules(config, place, holidays, true), "");
  }

  public boolean usable() {
    return problem.isEmpty();
  }
}
