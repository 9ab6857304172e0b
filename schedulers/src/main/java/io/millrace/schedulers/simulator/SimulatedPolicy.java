package io.millrace.schedulers.simulator;

import io.millrace.schedulers.core.policy.Policies;
import io.millrace.schemas.common.Attribute;
import java.util.List;
import java.util.Optional;

/**
 * What the scheduler object of a simulation says.
 *
 * @param word as the user called it
 * @param attributes of the scheduler object, as qmgr would set them
 */
public record SimulatedPolicy(String word, List<Attribute> attributes) {

  public SimulatedPolicy {
    attributes = List.copyOf(attributes);
  }

  /** A policy that the live engine knows by this name, in any case and with _ for -. */
  public static Optional<SimulatedPolicy> named(String word) {
    return Policies.find(word)
        .or(() -> Policies.find(word.replace('_', '-')))
        .map(it -> new SimulatedPolicy(word, List.of(new Attribute("policy", it.name()))));
  }

  /** Names in the order in which they are shown. */
  public static List<String> names() {
    return Policies.names();
  }
}
