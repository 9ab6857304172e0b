package io.millrace.connectors.bridge.run;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.connectors.bridge.files.FileUnread;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** How long files are left alone after one that was not answered in time. */
class SlowAccountsTest {

  private long now = Long.MAX_VALUE - 1000; // the machine's clock may begin anywhere
  private final SlowAccounts slow = new SlowAccounts(() -> now);

  private boolean isAside(String account) {
    try {
      slow.require(account);
      return false;
    } catch (FileUnread e) {
      return true;
    }
  }

  /** Seconds until an account's files are looked at again. */
  private int pause(String account) {
    int seconds = 0;
    while (isAside(account)) {
      now += Duration.ofSeconds(1).toNanos();
      seconds++;
    }
    return seconds;
  }

  @Test
  void aSpoolThatHangsIsLeftAloneInPausesThatGrow() {
    slow.slow("alice");
    assertEquals(5, pause("bob"));
    slow.slow("bob");
    assertEquals(10, pause("carol"));
    slow.slow("carol");
    assertEquals(20, pause("dave"));
    slow.slow("dave");
    assertEquals(30, pause("erin"));
    slow.slow("erin");
    assertEquals(30, pause("frank"));
  }

  /** Who has put a file there that hangs: others have most of the time. */
  @Test
  void theAccountOfTheFileIsForLonger() {
    slow.slow("alice");
    assertEquals(5, pause("bob"));
    slow.answered();
    assertEquals(25, pause("alice"));
    slow.slow("alice");
    assertEquals(5, pause("bob"));
    slow.answered();
    assertEquals(55, pause("alice"));
    for (int i = 0; i < 4; i++) {
      slow.slow("alice");
      pause("alice");
    }
    slow.slow("alice");
    assertEquals(300, pause("alice"));
    now += Duration.ofMinutes(6).toNanos();
    slow.slow("alice");
    assertEquals(30, pause("alice"), "it was well for a while");
  }
}
