package io.millrace.ops.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** How many connections without a login are left. */
class UnprovenConnectionsTest {

  @Test
  void halfOfThePlacesAreLeftToThoseWhoHaveLoggedIn() {
    for (int connections : new int[] {256, 1000, 4096}) {
      for (int threads : new int[] {1, 2, 4, 6}) {
        int all = threads * UnprovenConnections.mostOfThread(connections, threads);
        assertTrue(all <= connections / 2, all + " of " + connections);
        assertTrue(all >= Math.min(512 * threads, connections / 2 - threads), all + " are few");
      }
    }
    assertEquals(512, UnprovenConnections.mostOfThread(4096, 2), "as many as all hosts need");
    assertEquals(1, UnprovenConnections.mostOfThread(1, 4), "or nobody would come in any more");
  }
}
