package io.millrace.connectors.bridge.system;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What runs of one host are to have in tests. */
public final class SomeAmounts {

  private SomeAmounts() {}

  public static OutsideAmounts of(int slots, long memoryKb, Optional<Long> wallSeconds) {
    return of(slots, memoryKb, wallSeconds, Map.of());
  }

  public static OutsideAmounts of(
      int slots, long memoryKb, Optional<Long> wallSeconds, Map<String, Long> resources) {
    return new OutsideAmounts(
        List.of(new OutsideShare(slots, memoryKb, 1, resources)), wallSeconds);
  }
}
