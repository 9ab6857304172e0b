package io.millrace.ops.e2e;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Times of commands beside few, many and thousands of connections of one other user at every port
 * and socket, the door for HTTP included, on a machine that does nothing else.
 */
@Tag("night")
@Isolated
class ManyStrangersIT {

  private static final int COMMANDS = 200;
  private static final long P99_MS = 300;

  @Test
  void delayNobodysCommands() throws Exception {
    Assumptions.assumeTrue(Account.superuser(), "not root: there are no other users");
    try (Site site = Site.prepare("strangers")) {
      String ports = " --http 0 --listen 127.0.0.1 --health " + ForwardIT.freePorts();
      site.up("--shards 2 --resources ncpus=8" + ports).must();
      Account user = site.user("mrmany");
      StrangersIT.tookMs(site, user, COMMANDS); // until the machines have compiled what they need
      for (int count : new int[] {40, 150, 300, 3000}) {
        for (String kind : List.of("silent", "drip", "deaf", "each")) {
          try (SlowClients strangers =
              SlowClients.open(List.of("daemon"), count, kind, StrangersIT.targets(site))) {
            List<Long> took = StrangersIT.tookMs(site, user, COMMANDS);
            long p99 = took.get(COMMANDS * 99 / 100 - 1);
            System.out.println("e2e: p99 beside " + count + " " + kind + ": " + p99 + " ms");
            assertTrue(p99 < P99_MS, count + " " + kind + ": " + took);
          }
        }
      }
    }
  }
}
