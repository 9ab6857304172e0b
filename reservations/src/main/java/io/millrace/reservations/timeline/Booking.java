package io.millrace.reservations.timeline;

/**
 * Slots that a claim holds for a time.
 *
 * @param environment number of the parallel environment, or {@link Timeline#NONE}
 * @param queues numbers of queue instances; the first slot is in the first one
 * @param slots of each of the queue instances
 */
public record Booking(Claim claim, Window window, int environment, int[] queues, int[] slots) {

  int total() {
    int total = 0;
    for (int count : slots) {
      total += count;
    }
    return total;
  }
}
