package io.millrace.connectors.openpbs.family;

import io.millrace.connectors.bridge.system.OutsideShare;
import io.millrace.connectors.bridge.system.OutsideSubmission;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;

/** The hosts of a job in the way of the family: parts with a plus between them. */
public final class HostParts {

  private HostParts() {}

  /**
   * The parts: one for each host that is named, else one for so many hosts in a row as are to give
   * the same.
   *
   * @param part text for so many hosts of a share, or for the one that is named
   */
  public static String of(
      OutsideSubmission order, BiFunction<PartHosts, OutsideShare, String> part) {
    List<OutsideShare> shares = order.amounts().hosts();
    List<String> names = order.place().hosts();
    List<String> parts = new ArrayList<>();
    for (int from = 0; from < shares.size(); ) {
      int to = from + 1;
      while (names.isEmpty() && to < shares.size() && isLike(shares.get(to), shares.get(from))) {
        to++;
      }
      Optional<String> name = names.isEmpty() ? Optional.empty() : Optional.of(names.get(from));
      parts.add(part.apply(new PartHosts(to - from, name), shares.get(from)));
      from = to;
    }
    return String.join("+", parts);
  }

  private static boolean isLike(OutsideShare one, OutsideShare other) {
    return one.slots() == other.slots()
        && one.memoryKb() == other.memoryKb()
        && one.resources().equals(other.resources());
  }

  /**
   * Hosts that a part is for.
   *
   * @param name of the only one; empty where the server chooses
   */
  public record PartHosts(int count, Optional<String> name) {}
}
