package io.millrace.connectors.bridge.system;

/**
 * What a run is to have of one host.
 *
 * @param slots processors
 * @param memoryKb memory in kilobytes; 0 for what the outside system gives by itself
 * @param chunks pieces that the run has asked for by themselves and that lie here together; 1 where
 *     it has asked for a host
 */
public record OutsideShare(int slots, long memoryKb, int chunks) {

  private static final long KB = 1024;

  /** Its memory in megabytes, the last one whole; 0 for what the outside system gives. */
  public long memoryMb() {
    return memoryKb / KB + (memoryKb % KB == 0 ? 0 : 1);
  }

  /** Its memory for each processor, in kilobytes, the last one whole. */
  public long memoryKbOfSlot() {
    return (memoryKb + slots - 1) / slots;
  }
}
