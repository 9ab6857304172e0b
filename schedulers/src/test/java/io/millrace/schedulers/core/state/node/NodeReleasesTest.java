package io.millrace.schedulers.core.state.node;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.reservations.timeline.UsageProfile;
import io.millrace.schemas.pbs.resources.PlaceRequest.Sharing;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** When enough of a node is free again. */
class NodeReleasesTest {

  private static final int[] RESOURCES = {0, 2};

  private final NodeReleases releases = new NodeReleases();

  private void run(long number, long endMs, long... amounts) {
    releases.add(new ExpectedEnd(number, 1, Sharing.SHARED, endMs), amounts);
  }

  @Test
  void theFirstEndAfterWhichBothAreFree() {
    run(1, 1_000, 2);
    run(2, 2_000, 0, 9, 4);
    run(3, 3_000, 2, 0, 4);
    long[] free = {1};
    assertEquals(Long.MIN_VALUE, releases.enoughFrom(free, RESOURCES, new long[] {1, 0}));
    assertEquals(1_000, releases.enoughFrom(free, RESOURCES, new long[] {3, 0}));
    assertEquals(2_000, releases.enoughFrom(free, RESOURCES, new long[] {3, 4}));
    assertEquals(3_000, releases.enoughFrom(free, RESOURCES, new long[] {4, 4}));
    assertEquals(UsageProfile.NEVER, releases.enoughFrom(free, RESOURCES, new long[] {6, 1}));
  }

  /** What is worked out at once is what a look at each time tells. */
  @Test
  void asALookAtEachTimeTells() {
    Random random = new Random(1);
    for (int number = 1; number <= 60; number++) {
      run(number, 10 * random.nextInt(40), random.nextInt(3), random.nextInt(9), random.nextInt(3));
      long[] free = {random.nextInt(3) - 1, 0, random.nextInt(3)};
      long[] wanted = {1 + random.nextInt(number), random.nextInt(number)};
      long fromMs = releases.enoughFrom(free, RESOURCES, wanted);
      for (long atMs = -10; atMs < 400; atMs += 5) {
        int passed = releases.passed(atMs, null);
        long[] freed = passed == 0 ? new long[3] : releases.freed(passed);
        boolean enough = free[0] + freed[0] >= wanted[0] && free[2] + freed[2] >= wanted[1];
        assertEquals(enough, fromMs <= atMs, "at " + atMs + " after " + number);
      }
    }
  }
}
