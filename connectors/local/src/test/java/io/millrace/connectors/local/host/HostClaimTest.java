package io.millrace.connectors.local.host;

import static io.millrace.connectors.local.host.HostClaim.HostClaimStanding.REFUSED;
import static io.millrace.connectors.local.host.HostClaim.HostClaimStanding.SUPERSEDED;
import static io.millrace.connectors.local.host.HostClaim.HostClaimStanding.UNCHANGED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.output.AskHost;
import io.millrace.schemas.output.HostServed;
import io.millrace.schemas.output.KillRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HostClaimTest {
  private final HostClaim claim = new HostClaim("mine", 5);

  private HostClaim.HostClaimStanding served(String executor, long life) {
    return claim.heard(new HostServed("h", 3, executor, 1, life, 0));
  }

  @Test
  void aSpoolKeepsItsNameAndEachLifeIsAnother(@TempDir Path spool) throws IOException {
    HostClaim first = HostClaim.of(spool);
    HostClaim second = HostClaim.of(spool);
    assertEquals(first.executor(), second.executor());
    assertNotEquals(first.life(), second.life());
    assertEquals(first.life(), (long) (double) first.life(), "a double tells it");
    Files.writeString(spool.resolve("executor"), ""); // a power cut may leave that
    assertNotEquals(first.executor(), HostClaim.of(spool).executor());
  }

  @Test
  void ordersForAnotherSpoolAreNotCoveredAndThoseForAnybodyAre() {
    assertTrue(claim.covers(new KillRun("1.h", 1, 3, "h", 10L, "mine", 0, false)));
    assertTrue(claim.covers(new KillRun("1.h", 1, 3, "h", 10L, "", 0, false)));
    assertFalse(claim.covers(new KillRun("1.h", 1, 3, "h", 10L, "theirs", 0, false)));
    assertTrue(claim.covers(new AskHost("h", 3)));
  }

  @Test
  void whatWasSaidToOthersBeforeTheOwnAnswerIsPast() {
    assertEquals(UNCHANGED, served("theirs", 4));
    assertEquals(UNCHANGED, served("mine", 5));
    assertEquals(UNCHANGED, served("mine", 4));
    assertEquals(SUPERSEDED, served("theirs", 6));
    assertTrue(claim.lost());
    assertEquals(UNCHANGED, served("theirs", 7), "told once");
  }

  @Test
  void whoServesOneShardIsNotLostThoughAnotherRefusesIt() {
    assertEquals(REFUSED, served("theirs", 5));
    assertTrue(claim.lost());
    assertEquals(UNCHANGED, claim.heard(new HostServed("h", 0, "mine", 1, 5L, 0)));
    assertFalse(claim.lost());
    assertTrue(claim.lost(3));
    assertFalse(claim.lost(0));
    assertFalse(claim.lost(4), "has not answered");
  }

  @Test
  void theAnswerToTheOwnAnnouncementMayBeARefusal() {
    assertEquals(REFUSED, served("theirs", 5));
    assertTrue(claim.lost());
  }
}
