package io.millrace.server.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class RequestMemoryTest {

  private final RequestMemory memory =
      new RequestMemory(new HttpLimits.HttpMemoryLimits(0, 0, 1000));

  private RequestMemory.MemoryOfConnection of(String user) {
    RequestMemory.MemoryOfConnection share = new RequestMemory.MemoryOfConnection();
    share.of(memory.answers, user);
    return share;
  }

  @Test
  void aUserHasHalfOfWhatTheOthersLeave() {
    RequestMemory.MemoryOfConnection eve = of("eve");
    RequestMemory.MemoryOfConnection again = of("eve");
    RequestMemory.MemoryOfConnection mary = of("mary");
    RequestMemory.MemoryOfConnection nobody = of(RequestMemory.NOBODY);
    assertTrue(eve.take(300));
    assertFalse(again.take(201), "of all his connections together");
    assertTrue(again.take(200));
    assertTrue(mary.take(250));
    assertFalse(mary.take(1));
    assertTrue(nobody.take(250));
    assertFalse(nobody.take(1));
    again.give();
    eve.give();
    assertTrue(mary.take(50), "what is given back is for all");
    mary.give();
    nobody.give();
    assertEquals(0, memory.held());
    assertTrue(of(RequestMemory.NOBODY).take(1000));
  }
}
