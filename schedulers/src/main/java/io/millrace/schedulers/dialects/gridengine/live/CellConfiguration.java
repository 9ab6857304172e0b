package io.millrace.schedulers.dialects.gridengine.live;

import io.millrace.schedulers.dialects.gridengine.schedule.decision.Assignment;
import io.millrace.schedulers.gridengine.language.Configuration;
import io.millrace.schedulers.gridengine.language.cluster.ParallelEnvironment;
import io.millrace.schedulers.gridengine.language.options.ConfigurationRefused;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The configuration of a cell as its scheduler object holds it, or why that cannot be read. */
final class CellConfiguration {

  private String text = "";
  private Optional<Configuration> configuration = Optional.empty();
  private String problem = "there is no configuration; ./millrace policy load sets one";

  private final List<ParallelEnvironment> environments = new ArrayList<>();

  /** Empty while there is no text that can be read. */
  Optional<Configuration> read() {
    return configuration;
  }

  /** Why there is no configuration. */
  String problem() {
    return problem;
  }

  /** Parallel environments in the order in which wildcard requests try them. */
  List<ParallelEnvironment> environments() {
    return environments;
  }

  /** Reads another text; false when it is the one that was read already. */
  boolean replace(String given) {
    if (given.equals(text)) {
      return false;
    }
    text = given;
    environments.clear();
    try {
      configuration = Optional.of(Configuration.stored(given));
      environments.addAll(configuration.get().cluster().environments());
    } catch (ConfigurationRefused e) {
      configuration = Optional.empty();
      problem = e.getMessage();
    }
    return true;
  }

  /** A start used an environment: wildcard requests try it last from now on. */
  void used(Assignment assignment) {
    assignment.environment().filter(environments::remove).ifPresent(environments::add);
  }
}
