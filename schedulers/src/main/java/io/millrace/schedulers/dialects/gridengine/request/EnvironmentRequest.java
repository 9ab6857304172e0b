package io.millrace.schedulers.dialects.gridengine.request;

import io.millrace.schedulers.dialects.gridengine.cluster.Cluster;
import io.millrace.schedulers.dialects.gridengine.cluster.ParallelEnvironment;
import io.millrace.schedulers.dialects.gridengine.cluster.Pattern;
import java.util.List;

/**
 * -pe.
 *
 * @param name an environment's name or a pattern of names
 */
public record EnvironmentRequest(String name, SlotRanges slots) {

  /** The environments that it means. */
  public List<ParallelEnvironment> candidates(Cluster cluster) {
    if (!Pattern.isPattern(name)) {
      return cluster.environment(name).stream().toList();
    }
    Pattern pattern = Pattern.of(name);
    return cluster.environments().stream().filter(each -> pattern.fits(each.name())).toList();
  }

  /** How many slots count for the job's urgency. */
  public int urgencySlots(Cluster cluster) {
    List<ParallelEnvironment> candidates = candidates(cluster);
    if (slots.single() || candidates.isEmpty()) {
      return slots.least();
    }
    ParallelEnvironment first = candidates.get(0);
    return switch (first.urgencySlots().toLowerCase(java.util.Locale.ROOT)) {
      case "min" -> slots.least();
      case "max" -> slots.most() == SlotRanges.WITHOUT_END ? first.slots() : slots.most();
      case "avg" -> slots.average(first.slots());
      default -> Integer.parseInt(first.urgencySlots());
    };
  }

  @Override
  public String toString() {
    return name + " " + slots;
  }
}
