package io.millrace.schemas.pbs.schedconfig;

import io.millrace.schemas.pbs.schedconfig.options.SchedConfig;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The programs of server_dyn_res as an attribute of a scheduler object carries them, so that nobody
 * who needs them has to read the whole sched_config: {@code NAME !PROGRAM ARGUMENTS}, a line each.
 */
public final class DynamicResources {
  /** Most programs of a scheduler object: they are run one after the other. */
  public static final int PROGRAMS_MAX = 50;

  private static final String SEPARATOR = " !";

  private DynamicResources() {}

  /** The programs of a sched_config by their resources; of two for one resource the later. */
  public static Map<String, String> of(SchedConfig config) {
    Map<String, String> programs = new LinkedHashMap<>();
    config.programs().forEach(it -> programs.put(it.resource(), it.program()));
    return programs;
  }

  /** The text of an attribute; empty without programs. */
  public static String text(Map<String, String> programs) {
    return programs.entrySet().stream()
        .map(it -> it.getKey() + SEPARATOR + it.getValue())
        .collect(Collectors.joining("\n"));
  }

  /** Programs by their resources, from the text that {@link #text} made. */
  public static Map<String, String> parse(String text) {
    Map<String, String> programs = new LinkedHashMap<>();
    for (String line : text.lines().toList()) {
      List<String> parts = List.of(line.split(SEPARATOR, 2));
      if (parts.size() == 2) {
        programs.put(parts.get(0), parts.get(1));
      }
    }
    return programs;
  }
}
