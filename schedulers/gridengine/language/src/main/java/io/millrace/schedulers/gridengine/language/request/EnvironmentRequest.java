package io.millrace.schedulers.gridengine.language.request;

import io.millrace.schedulers.gridengine.language.cluster.Cluster;
import io.millrace.schedulers.gridengine.language.cluster.ParallelEnvironment;
import io.millrace.schedulers.gridengine.language.cluster.WildcardPattern;
import java.util.List;

/**
 * The request -pe.
 *
 * @param name an environment's name or a pattern of names
 */
public record EnvironmentRequest(String name, SlotRanges slots) {

  /** The environments that the name or pattern matches. */
  public List<ParallelEnvironment> candidates(Cluster cluster) {
    if (!WildcardPattern.isPattern(name)) {
      return cluster.environment(name).stream().toList();
    }
    WildcardPattern pattern = WildcardPattern.of(name);
    return cluster.environments().stream().filter(each -> pattern.fits(each.name())).toList();
  }

  /** Number of slots that counts for the job's urgency. */
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
