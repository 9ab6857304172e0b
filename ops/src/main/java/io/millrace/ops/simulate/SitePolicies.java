package io.millrace.ops.simulate;

import io.millrace.ops.dialect.PolicyDialect;
import io.millrace.ops.gridengine.Dialects;
import io.millrace.ops.origin2000.OriginPolicy;
import io.millrace.ops.origin2000.OriginSimulated;
import io.millrace.ops.plus.PlusDialect;
import io.millrace.ops.schedconfig.SchedConfigDialect;
import io.millrace.ops.schedconfig.SiteSimulated;
import io.millrace.schedulers.gridengine.language.Configuration;
import io.millrace.schedulers.gridengine.language.options.ConfigurationRefused;
import io.millrace.schedulers.gridengine.language.options.OptionValues;
import io.millrace.schedulers.simulator.SimulatedPolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.Map;
import java.util.Optional;

/** Files and folders in which sites of other schedulers have their policy. */
final class SitePolicies {

  /** The file without which a folder holds no configuration of a Grid Engine. */
  private static final String GRID_ENGINE = "sched";

  private SitePolicies() {}

  /**
   * The policy of a file or folder; empty when it is in none of their languages.
   *
   * @param word as the user calls it
   * @param zone of the times in its files
   * @throws IOException with file, line and reason when something in it is wrong
   */
  static Optional<SimulatedPolicy> find(String word, Path path, ZoneId zone) throws IOException {
    try {
      Optional<Path> config = OriginPolicy.config(path);
      if (config.isPresent()) {
        return Optional.of(OriginSimulated.read(word, config.get(), zone));
      }
      Map<String, String> texts = Dialects.texts(path);
      Optional<PolicyDialect> dialect = Dialects.of(texts);
      if (dialect.filter(PlusDialect.class::isInstance).isPresent()) {
        return Optional.of(SimulatedPolicy.of(word, PlusDialect.attributesOf(texts)));
      }
      if (dialect.filter(SchedConfigDialect.class::isInstance).isPresent()) {
        return Optional.of(SiteSimulated.read(word, path, texts, zone));
      }
      return texts.containsKey(GRID_ENGINE) && Files.isDirectory(path)
          ? Optional.of(cell(word, path, texts))
          : Optional.empty();
    } catch (ConfigurationRefused e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  /** The policy of a Grid Engine whose configuration is one folder, as {@code load} takes it. */
  private static SimulatedPolicy cell(String word, Path folder, Map<String, String> texts) {
    OptionValues scheduler;
    try {
      scheduler = Configuration.of(texts).scheduler();
    } catch (ConfigurationRefused e) {
      throw e.in(folder.toString());
    }
    System.err.println(
        "millrace simulate: note: "
            + folder
            + ": of these files "
            + GRID_ENGINE
            + " decides; the others describe a machine, and a trace has its own");
    return SimulatedPolicy.gridEngine(word, scheduler);
  }
}
