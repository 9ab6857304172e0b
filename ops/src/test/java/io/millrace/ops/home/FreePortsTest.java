package io.millrace.ops.home;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Random;
import org.junit.jupiter.api.Test;

class FreePortsTest {
  /** Names one slot again and again, then those that chance names. */
  private static Random insisting(int slot, int times) {
    return new Random() {
      private int asked;

      @Override
      public int nextInt(int bound) {
        return asked++ < times ? slot : super.nextInt(bound);
      }
    };
  }

  private static int slot(int port) {
    return (port - FreePorts.FIRST) / FreePorts.SPACING;
  }

  @Test
  void whoChoosesLaterDoesNotGetASlotWhoseBrokerDoesNotListenYet() throws Exception {
    int first = FreePorts.choose(new Random());
    assertTrue(FreePorts.free(first), "its broker can listen there");
    assertNotEquals(first, FreePorts.choose(insisting(slot(first), 3)));
    String why =
        assertThrows(IOException.class, () -> FreePorts.choose(insisting(slot(first), 1_000)))
            .getMessage();
    assertTrue(why.startsWith("no free ports from "), why);
  }

  @Test
  void aSlotWithAnotherProgramIsLeftAsItIs() throws Exception {
    int port = FreePorts.choose(new Random());
    int other = port;
    while (other == port || !FreePorts.free(other + FreePorts.SPACING - 1)) {
      other = FreePorts.FIRST + FreePorts.SPACING * new Random().nextInt(FreePorts.SLOTS);
    }
    try (ServerSocket program = new ServerSocket(other + 2, 1, InetAddress.getLoopbackAddress())) {
      assertFalse(FreePorts.free(program.getLocalPort()));
      assertNotEquals(other, FreePorts.choose(insisting(slot(other), 3)));
      assertTrue(FreePorts.free(other + FreePorts.SPACING - 1), "nothing is kept there");
    }
  }
}
