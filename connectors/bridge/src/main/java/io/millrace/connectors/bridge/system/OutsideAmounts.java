package io.millrace.connectors.bridge.system;

import java.util.Optional;

/**
 * What a run is to have of its host.
 *
 * @param slots processors
 * @param memoryKb memory in kilobytes; 0 for what the outside system gives by itself
 * @param wallSeconds limit of its wall time; empty for none of its own
 */
public record OutsideAmounts(int slots, long memoryKb, Optional<Long> wallSeconds) {

  private static final long KB = 1024;

  /** Its memory in megabytes, the last one whole; 0 for what the outside system gives. */
  public long memoryMb() {
    return memoryKb / KB + (memoryKb % KB == 0 ? 0 : 1);
  }
}
