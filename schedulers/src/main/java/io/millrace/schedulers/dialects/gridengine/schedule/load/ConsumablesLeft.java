package io.millrace.schedulers.dialects.gridengine.schedule.load;

import io.millrace.schedulers.dialects.gridengine.schedule.decision.ResourceUse;
import io.millrace.schedulers.dialects.gridengine.schedule.fit.LevelResources;
import io.millrace.schedulers.gridengine.language.cluster.Complex;
import io.millrace.schedulers.gridengine.language.cluster.Level;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What is left right now of the consumables that the load formula and load thresholds use. Running
 * tasks and those started in this run take from them; a promise takes nothing before its time.
 */
final class ConsumablesLeft {

  private record ConsumableKey(Level level, String holder, String consumable) {}

  private final Set<String> watched = new HashSet<>();
  private final Map<ConsumableKey, Double> used = new HashMap<>();

  /** Begins to count the use of a consumable; ignored for other attributes. */
  void watch(Complex complex) {
    if (complex.consumable()) {
      watched.add(complex.name());
    }
  }

  /** Whether the use of any consumable is counted. */
  boolean watches() {
    return !watched.isEmpty();
  }

  void take(List<ResourceUse> uses) {
    for (ResourceUse use : uses) {
      if (watched.contains(use.resource())) {
        used.merge(
            new ConsumableKey(use.level(), use.container(), use.resource()),
            use.amount(),
            Double::sum);
      }
    }
  }

  /** Amount that a level has left; empty when it does not offer the consumable. */
  Optional<Double> left(LevelResources holder, Complex complex) {
    Double capacity = holder.offers().capacities().get(complex.name());
    return Optional.ofNullable(capacity)
        .map(
            all ->
                all
                    - used.getOrDefault(
                        new ConsumableKey(holder.level(), holder.name(), complex.name()), 0.0));
  }
}
