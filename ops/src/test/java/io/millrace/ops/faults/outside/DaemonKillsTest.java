package io.millrace.ops.faults.outside;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.ops.outside.peer.PeerDaemon;
import io.millrace.ops.outside.peer.PeerDaemons;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class DaemonKillsTest {

  /** A system whose daemons start when they may, or cannot. */
  private static final class PlayedDaemons implements PeerDaemons {
    private final CountDownLatch may = new CountDownLatch(1);
    private final CountDownLatch redelivered = new CountDownLatch(2);
    private boolean broken;

    @Override
    public boolean kill(PeerDaemon daemon) {
      return true;
    }

    @Override
    public void start(PeerDaemon daemon) throws InterruptedException {
      may.await();
      if (broken) {
        throw new IllegalStateException("its script is gone");
      }
    }

    @Override
    public void redeliver() {
      redelivered.countDown();
    }

    @Override
    public void awaitServes() {
      assertEquals(0, may.getCount(), "it cannot serve yet");
    }
  }

  private final PlayedDaemons daemons = new PlayedDaemons();

  @Test
  void oneThatIsDownIsNotKilledAgain() throws Exception {
    try (DaemonKills kills = new DaemonKills(daemons)) {
      assertTrue(kills.kill(PeerDaemon.MASTER, 60_000));
      assertFalse(kills.kill(PeerDaemon.MASTER, 60_000));
      assertEquals(1, kills.of(PeerDaemon.MASTER));
    }
  }

  /** Whatever keeps it from starting: nobody waits for it for ever. */
  @Test
  void oneThatCannotBeStartedEndsTheWait() throws Exception {
    daemons.broken = true;
    daemons.may.countDown();
    try (DaemonKills kills = new DaemonKills(daemons)) {
      kills.kill(PeerDaemon.HOST, 0);
      IOException told = assertThrows(IOException.class, kills::awaitServes);
      assertEquals("its script is gone", told.getMessage());
    }
  }

  @Test
  void jobsOfAKilledHostAreBegunAgain() throws Exception {
    try (DaemonKills kills = new DaemonKills(daemons, 1)) {
      kills.kill(PeerDaemon.HOST, 0);
      daemons.may.countDown();
      daemons.redelivered.await();
    }
  }

  @Test
  void theSystemServesWhenAllAreBack() throws Exception {
    daemons.may.countDown();
    try (DaemonKills kills = new DaemonKills(daemons)) {
      kills.kill(PeerDaemon.HOST, 0);
      kills.kill(PeerDaemon.MASTER, 0);
      kills.awaitServes();
    }
  }
}
