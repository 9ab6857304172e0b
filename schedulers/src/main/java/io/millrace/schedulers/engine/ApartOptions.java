package io.millrace.schedulers.engine;

import io.millrace.schemas.health.Health;
import io.millrace.schemas.program.GivenOptions;
import io.millrace.schemas.program.ProgramOptions;
import io.millrace.schemas.program.UsageException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * Command line of an engine apart.
 *
 * @param scheduler name of the scheduler object
 * @param shadow true to decide and print without being obeyed
 * @param monitorFolder where MONITOR=1 of a Grid Engine policy writes; empty for nowhere
 * @param kafka client settings, {@code bootstrap.servers} among them
 */
record ApartOptions(
    String scheduler, boolean shadow, Optional<Path> monitorFolder, Map<String, Object> kafka) {

  private static final ProgramOptions OPTIONS =
      Health.addTo(ProgramOptions.ofProcess("engine", "Schedules apart from the server."))
          .kafka()
          .value("--scheduler", "NAME", "the scheduler object")
          .flag("--shadow", "decides and prints, and is not obeyed")
          .value("--monitor-folder", "DIR", "where MONITOR=1 of a Grid Engine policy writes");

  /** The same, unread. */
  static GivenOptions given(String... arguments) throws UsageException {
    return OPTIONS.parse(arguments);
  }

  /**
   * @throws UsageException with one line that says what is wrong
   */
  static ApartOptions parse(String... arguments) throws UsageException {
    GivenOptions given = given(arguments);
    return new ApartOptions(
        given.require("--scheduler"),
        given.has("--shadow"),
        given.get("--monitor-folder").map(Path::of),
        Map.copyOf(given.kafka()));
  }
}
