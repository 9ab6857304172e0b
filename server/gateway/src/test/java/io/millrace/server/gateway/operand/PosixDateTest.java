package io.millrace.server.gateway.operand;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.time.ZonedDateTime;
import org.junit.jupiter.api.Test;

class PosixDateTest {

  private static final ZonedDateTime NOW = ZonedDateTime.parse("2026-11-20T15:36:10Z");

  @Test
  void partsThatAreLeftOutComeFromNowOrFromWhatIsNext() {
    is("2026-11-20T15:37:00Z", "1537");
    is("2026-11-21T15:36:00Z", "1536");
    is("2026-11-21T15:36:30Z", "1536.30");
    is("2026-11-21T03:00:07Z", "0300.07");
    is("2026-11-20T03:00:00Z", "200300");
    is("2026-12-19T03:00:00Z", "190300");
    is("2026-11-01T03:00:00Z", "11010300");
    is("2027-10-31T03:00:00Z", "10310300");
    is("2025-01-02T03:04:00Z", "2501020304");
    is("1999-01-02T03:04:00Z", "9901020304");
    is("2101-01-02T03:04:05Z", "210101020304.05");
  }

  @Test
  void whatIsNoTimeIsRefused() {
    for (String text :
        new String[] {"", "12", "2460", "0060", "1234.60", "13010000", "02300000", "320000", "x"}) {
      assertTrue(PosixDate.parse(text, NOW).isEmpty(), text);
    }
  }

  private static void is(String expected, String text) {
    long ms = PosixDate.parse(text, NOW).orElseThrow();
    assertEquals(Instant.parse(expected), Instant.ofEpochMilli(ms), text);
  }
}
