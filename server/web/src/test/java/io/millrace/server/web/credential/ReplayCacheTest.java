package io.millrace.server.web.credential;

import static io.millrace.server.web.credential.ReplayCache.CredentialUse.AGAIN;
import static io.millrace.server.web.credential.ReplayCache.CredentialUse.FIRST;
import static io.millrace.server.web.credential.ReplayCache.CredentialUse.FULL;
import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class ReplayCacheTest {

  @Test
  void aCredentialIsUsedOnceInItsTime() {
    ReplayCache cache = new ReplayCache(4, 1000);
    assertEquals(FIRST, cache.use("mary", "a", 0));
    assertEquals(AGAIN, cache.use("mary", "a", 999));
    assertEquals(FIRST, cache.use("mary", "b", 999));
    assertEquals(FULL, cache.use("mary", "c", 999));
    assertEquals(FIRST, cache.use("mary", "c", 1000));
    assertEquals(AGAIN, cache.use("mary", "b", 1998));
    assertEquals(AGAIN, cache.use("john", "b", 1998), "whoever shows it");
  }

  @Test
  void whoTakesAllThatHeCanGetIsRefusedAloneAndOthersAreServed() {
    ReplayCache cache = new ReplayCache(1024, 1000);
    String[] flooders = {"eve", "mallory", "trudy"};
    int[] taken = {512, 256, 128};
    for (int i = 0; i < flooders.length; i++) {
      assertEquals(taken[i], flood(cache, flooders[i]), flooders[i]);
    }
    for (int i = 0; i < 64; i++) {
      assertEquals(FIRST, cache.use("mary", "mary " + i, 500));
    }
    assertEquals(FULL, cache.use("eve", "eve again", 999));
    assertEquals(AGAIN, cache.use("eve", "eve 0", 999), "nothing is forgotten for want of room");
    assertEquals(FIRST, cache.use("eve", "eve again", 1000), "until its time is over");
  }

  /** How many are taken of one who shows a new one again and again. */
  private static int flood(ReplayCache cache, String user) {
    int taken = 0;
    while (cache.use(user, user + " " + taken, 0) == FIRST) {
      taken++;
    }
    return taken;
  }
}
