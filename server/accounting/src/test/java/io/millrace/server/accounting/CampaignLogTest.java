package io.millrace.server.accounting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.campaign.CampaignEnded;
import io.millrace.schemas.campaign.CampaignEvent;
import io.millrace.schemas.campaign.EventOpened;
import io.millrace.schemas.campaign.NoticeSeverity;
import io.millrace.server.accounting.account.AccountFixture;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Lines about campaigns, in a file that the administrator names. */
class CampaignLogTest {

  private static final long BEGIN = AccountFixture.BEGIN;
  private static final long LATER_MS = 11_000;

  @TempDir private Path temporary;

  private Path folder;
  private Path file;
  private long nowMs = BEGIN;
  private int unread;
  private boolean withHome = true;
  private final ListLedger ledger = new ListLedger();

  /** Stands still until it is set. */
  private final Clock clock =
      new Clock() {
        @Override
        public ZoneId getZone() {
          return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
          return this;
        }

        @Override
        public Instant instant() {
          return Instant.ofEpochMilli(nowMs);
        }
      };

  @BeforeEach
  void folder() throws IOException {
    folder = temporary.toRealPath();
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    file = folder.resolve("campaigns.log");
    step();
  }

  private Accounting open() throws IOException {
    Accounting accounting =
        new Accounting(ledger, AccountFixture.CODEC, folder.resolve("accounting"), clock, home());
    accounting.logCampaigns(file);
    return accounting;
  }

  private Path home() {
    return withHome ? folder : null;
  }

  /** A process that reads all there is, and ends. */
  private void step() throws IOException {
    try (Accounting accounting = open()) {
      for (int i = 0; i <= unread / ListLedger.AT_ONCE; i++) {
        accounting.step();
      }
    }
    unread = 0;
  }

  private void failed(long event, long campaign, String code, String message) {
    CampaignEvent one = new CampaignEvent();
    one.setId(event);
    one.setCode(code);
    one.setCampaign(campaign);
    one.setTask(3);
    one.setJobId("");
    one.setCluster("bag1");
    one.setMessage(message);
    one.setOpenedMs(nowMs);
    one.setClosedBy("");
    one.setAffinities(List.of());
    String owner = campaign == 0 ? "" : "ada";
    NoticeSeverity severity = campaign == 0 ? NoticeSeverity.MEDIUM : NoticeSeverity.HIGH;
    unread++;
    ledger.addOfCampaigns(new EventOpened(nowMs, one, owner, severity));
  }

  private String time() {
    return Instant.ofEpochMilli(BEGIN / 1_000 * 1_000).toString();
  }

  private List<String> lines() throws IOException {
    return Files.exists(file) ? Files.readAllLines(file) : List.of();
  }

  @Test
  void equalThingsAreOneLineWithTheirNumber() throws IOException {
    for (int i = 0; i < 37; i++) {
      failed(10 + i, 7, "EXIT_ERROR", "exit status " + i);
    }
    failed(60, 0, "QUEUE_STOPPED", "queue bag1 is stopped");
    unread++;
    ledger.addOfCampaigns(new CampaignEnded(nowMs, 7L, "ada", "2 of 3 tasks done, 1 failed"));
    step();
    step();
    assertEquals(List.of(), lines(), "it is gathered for some seconds");
    nowMs += LATER_MS;
    step();
    String high =
        " high EXIT_ERROR campaign=7 user=ada cluster=bag1 count=37 event=10: exit status 0";
    assertEquals(
        List.of(
            time() + high,
            time() + " medium QUEUE_STOPPED cluster=bag1 count=1 event=60: queue bag1 is stopped",
            time() + " low ENDED campaign=7 user=ada count=1: 2 of 3 tasks done, 1 failed"),
        lines());
    assertEquals("rw-r-----", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
    nowMs += LATER_MS;
    step();
    assertEquals(3, lines().size(), "each is told once");
  }

  @Test
  void whoRotatesTheFileTellsNobody() throws IOException {
    failed(10, 7, "EXIT_ERROR", "exit status 3");
    step();
    nowMs += LATER_MS;
    step();
    assertEquals(1, lines().size());
    Files.move(file, folder.resolve("campaigns.log.1"));
    failed(11, 7, "KILLED", "");
    step();
    nowMs += LATER_MS;
    step();
    assertEquals(1, lines().size());
    assertTrue(lines().get(0).endsWith(" count=1 event=11"), lines().get(0));
  }

  @Test
  void whatWasGatheredOutlivesTheProcess() throws IOException {
    failed(10, 7, "EXIT_ERROR", "exit status 3");
    step();
    failed(11, 7, "EXIT_ERROR", "exit status 3");
    try (Accounting accounting = open()) {
      ledger.die();
      assertThrows(IllegalStateException.class, accounting::step);
    }
    nowMs += LATER_MS;
    step();
    assertEquals(1, lines().size());
    assertTrue(lines().get(0).contains(" count=2 event=10"), lines().get(0));
  }

  @Test
  void whatOthersWroteIsNoLineOfItsOwn() throws IOException {
    failed(10, 7, "EXIT_ERROR", "a\nb\rc\u2028d\u202ee\t" + "x".repeat(400));
    step();
    nowMs += LATER_MS;
    step();
    assertEquals(1, lines().size());
    assertTrue(lines().get(0).endsWith(": a b c d e " + "x".repeat(240) + "..."), lines().get(0));
  }

  @Test
  void differentThingsAreBounded() throws IOException {
    for (int i = 1; i <= 700; i++) {
      failed(i, i, "EXIT_ERROR", "x");
    }
    step();
    nowMs += LATER_MS;
    step();
    assertEquals(501, lines().size());
    assertTrue(lines().get(500).endsWith(" and 200 further things"), lines().get(500));
  }

  /** A link could lead the lines into any file of ours; what is gathered waits for a good one. */
  @Test
  void aLinkIsNotFollowed() throws IOException {
    Path other = Files.writeString(folder.resolve("precious"), "mine\n");
    Files.createSymbolicLink(file, other);
    failed(10, 7, "EXIT_ERROR", "exit status 3");
    step();
    nowMs += LATER_MS;
    step();
    assertEquals("mine\n", Files.readString(other));
    Files.delete(file);
    nowMs += LATER_MS;
    step();
    assertEquals(1, lines().size());
  }

  @Test
  void aFolderThatOthersMayWriteIsNotUsed() throws IOException {
    Path open = Files.createDirectory(folder.resolve("open"));
    Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));
    file = open.resolve("campaigns.log");
    failed(10, 7, "EXIT_ERROR", "exit status 3");
    step();
    nowMs += LATER_MS;
    step();
    assertFalse(Files.exists(file));
    Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxr-x---"));
    nowMs += LATER_MS;
    step();
    assertEquals(1, lines().size());
  }

  /** Without a home there are no letters, and the campaigns' facts are read all the same. */
  @Test
  void itNeedsNoHome() throws IOException {
    withHome = false;
    failed(10, 7, "EXIT_ERROR", "exit status 3");
    step();
    nowMs += LATER_MS;
    step();
    assertEquals(1, lines().size(), lines().toString());
  }
}
