package io.millrace.server.accounting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.millrace.schemas.campaign.CampaignEnded;
import io.millrace.schemas.campaign.NoticeGroup;
import io.millrace.schemas.campaign.NoticeSeverity;
import io.millrace.schemas.campaign.NoticeWritten;
import io.millrace.server.accounting.account.AccountFixture;
import io.millrace.server.accounting.book.AccountBook;
import io.millrace.server.accounting.letter.MailQueue;
import io.millrace.server.mail.MailMessage;
import io.millrace.server.mail.Outbox;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each letter about campaigns once, whenever the process dies. */
class CampaignMailTest {

  private static final long BEGIN = AccountFixture.BEGIN;
  private static final Clock CLOCK = Clock.fixed(Instant.ofEpochMilli(BEGIN), ZoneOffset.UTC);

  @TempDir private Path folder;

  private final ListLedger ledger = new ListLedger();

  private Accounting open() throws IOException {
    return new Accounting(
        ledger, AccountFixture.CODEC, folder.resolve("accounting"), CLOCK, folder);
  }

  private void told(String address) {
    NoticeGroup one =
        new NoticeGroup(
            7L, "scan", "EXIT_ERROR", NoticeSeverity.HIGH, "bag1", 1, 12L, "exit status 3");
    ledger.addOfCampaigns(
        new NoticeWritten(BEGIN, "ada", address, NoticeSeverity.HIGH, List.of(one), 0));
    ledger.addOfCampaigns(new CampaignEnded(BEGIN, 7L, "ada", ""));
  }

  private void step() throws IOException {
    try (Accounting accounting = open()) {
      accounting.step();
    }
  }

  private void die() throws IOException {
    try (Accounting accounting = open()) {
      ledger.die();
      assertThrows(IllegalStateException.class, accounting::step);
    }
  }

  /** Addresses of the letters that are kept. */
  private List<String> letters() throws IOException {
    Path state = folder.resolve("accounting").resolve(".state");
    List<String> letters = new ArrayList<>();
    try (AccountBook book = new AccountBook(state, AccountFixture.CODEC)) {
      MailQueue box = new MailQueue(book, BEGIN);
      Optional<Outbox.KeptLetter> next = box.after(0);
      while (next.isPresent()) {
        letters.addAll(MailMessage.from(next.get().letter()).to());
        next = box.after(next.get().number());
      }
    }
    return letters;
  }

  @Test
  void aDeathBeforeTheCommitLosesNoLetterAndOneAfterItBringsNoneTwice() throws IOException {
    told("before@mail");
    step();
    assertEquals(List.of(), letters(), "what is there at the first start is old");
    told("a@mail");
    die();
    assertEquals(List.of(), letters(), "nothing was kept");
    told("b@mail");
    step();
    assertEquals(List.of("a@mail", "b@mail"), letters());
    step();
    told("c@mail");
    die();
    die();
    step();
    step();
    assertEquals(List.of("a@mail", "b@mail", "c@mail"), letters());
  }
}
