package io.millrace.server.web.credential;

import static io.millrace.server.web.credential.ReplayCache.Use.AGAIN;
import static io.millrace.server.web.credential.ReplayCache.Use.FIRST;
import static io.millrace.server.web.credential.ReplayCache.Use.FULL;
import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class ReplayCacheTest {

  @Test
  void aCredentialIsUsedOnceInItsTime() {
    ReplayCache cache = new ReplayCache(2, 1000);
    assertEquals(FIRST, cache.use("a", 0));
    assertEquals(AGAIN, cache.use("a", 999));
    assertEquals(FIRST, cache.use("b", 999));
    assertEquals(FULL, cache.use("c", 999));
    assertEquals(FIRST, cache.use("c", 1000));
    assertEquals(AGAIN, cache.use("b", 1998));
  }
}
