package io.millrace.ops.simulate;

import io.millrace.ops.dialect.PolicyDialect;
import io.millrace.ops.gridengine.Dialects;
import io.millrace.ops.origin2000.OriginPolicy;
import io.millrace.ops.origin2000.OriginSimulated;
import io.millrace.ops.plus.PlusDialect;
import io.millrace.schedulers.gridengine.language.options.ConfigurationRefused;
import io.millrace.schedulers.simulator.SimulatedPolicy;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** Files and folders in which sites of other schedulers have their policy. */
final class SitePolicies {

  private SitePolicies() {}

  /**
   * The policy of a file or folder; empty when it is in none of their languages.
   *
   * @param word as the user calls it
   * @throws IOException with file, line and reason when something in it is wrong
   */
  static Optional<SimulatedPolicy> find(String word, Path path) throws IOException {
    try {
      Optional<Path> config = OriginPolicy.config(path);
      if (config.isPresent()) {
        return Optional.of(OriginSimulated.read(word, config.get()));
      }
      Map<String, String> texts = Dialects.texts(path);
      Optional<PolicyDialect> dialect = Dialects.of(texts).filter(PlusDialect.class::isInstance);
      return dialect.isEmpty()
          ? Optional.empty()
          : Optional.of(SimulatedPolicy.of(word, PlusDialect.attributesOf(texts)));
    } catch (ConfigurationRefused e) {
      throw new IOException(e.getMessage(), e);
    }
  }
}
