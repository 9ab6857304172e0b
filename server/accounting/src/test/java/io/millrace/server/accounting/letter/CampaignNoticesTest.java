package io.millrace.server.accounting.letter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.campaign.NoticeGroup;
import io.millrace.schemas.campaign.NoticeSeverity;
import io.millrace.schemas.campaign.NoticeWritten;
import io.millrace.server.accounting.account.AccountFixture;
import io.millrace.server.accounting.book.AccountBook;
import io.millrace.server.mail.MailMessage;
import io.millrace.server.mail.Outbox;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The letters that come of what the campaign server tells. */
class CampaignNoticesTest {

  private static final String LAST =
      "\ngridevents shows what is open and what mends it.\n"
          + "This mail is told to ada of Millrace, who ends it with gridnotify -u.\n";

  @TempDir private Path folder;

  private AccountBook book;
  private MailQueue box;
  private CampaignNotices notices;

  @BeforeEach
  void open() throws IOException {
    book = new AccountBook(folder.resolve(".state"), AccountFixture.CODEC);
    box = new MailQueue(book, AccountFixture.BEGIN);
    notices = new CampaignNotices(box);
  }

  @AfterEach
  void close() {
    book.close();
  }

  private static NoticeWritten written(long atMs, int more, NoticeGroup... groups) {
    return new NoticeWritten(
        atMs, "ada", "ada@example.org", NoticeSeverity.HIGH, List.of(groups), more);
  }

  private static NoticeGroup failed(int count) {
    return new NoticeGroup(
        7L, "scan", "EXIT_ERROR", NoticeSeverity.HIGH, "bag1", count, 12L, "exit status 3");
  }

  private Optional<MailMessage> letter() {
    book.commit();
    return box.after(0).map(Outbox.KeptLetter::letter).map(MailMessage::from);
  }

  @Test
  void whatIsEqualIsOneLineWithItsNumber() {
    NoticeGroup end =
        new NoticeGroup(
            8L,
            "two\nlines",
            "ENDED",
            NoticeSeverity.LOW,
            "",
            1,
            0L,
            "9 of 9 tasks done, 0 failed");
    notices.follow(written(AccountFixture.BEGIN, 3, failed(37), end));
    MailMessage letter = letter().orElseThrow();
    assertEquals(List.of("ada@example.org"), letter.to());
    assertEquals(
        "[CIGRI] (high): 37 EXIT_ERROR of campaign 7 on bag1, and 4 more", letter.subject());
    assertEquals(
        "37 EXIT_ERROR of campaign 7 (scan) on bag1:\n"
            + "  the first is event 12: exit status 3\n"
            + "the end of campaign 8 (two lines):\n"
            + "  9 of 9 tasks done, 0 failed\n"
            + "and 3 further things.\n"
            + LAST,
        letter.text());
  }

  @Test
  void oneThingAloneIsToldAsItIs() {
    notices.follow(written(AccountFixture.BEGIN, 0, failed(1)));
    MailMessage letter = letter().orElseThrow();
    assertEquals("[CIGRI] (high): EXIT_ERROR of campaign 7 on bag1", letter.subject());
    assertEquals(
        "EXIT_ERROR of campaign 7 (scan) on bag1:\n  event 12: exit status 3\n" + LAST,
        letter.text());
  }

  private static NoticeGroup group(String code, String name, String message) {
    return new NoticeGroup(7L, name, code, NoticeSeverity.HIGH, "bag1", 1, 12L, message);
  }

  @Test
  void aLongLetterHasItsEndAndSaysHowMuchItLeavesOut() {
    NoticeGroup[] many = new NoticeGroup[20];
    Arrays.fill(many, group("EXIT_ERROR", "n".repeat(200), "m".repeat(203)));
    notices.follow(written(AccountFixture.BEGIN, 3, many));
    String text = letter().orElseThrow().text();
    int told = text.split("EXIT_ERROR", -1).length - 1;
    assertTrue(told > 3 && told < 20, "told: " + told);
    assertTrue(text.endsWith("and " + (23 - told) + " further things.\n" + LAST), text);
    assertTrue(text.length() < 4_000, "length: " + text.length());
  }

  @Test
  void noFactBringsWordsOfItsOwnIntoALetter() {
    for (String code : List.of("Dear Ada", "", "A\nB", "A".repeat(41))) {
      notices.follow(written(AccountFixture.BEGIN, 0, failed(1), group(code, "n", "m")));
      assertTrue(letter().isEmpty(), code);
    }
    notices.follow(
        written(AccountFixture.BEGIN, 0, group("KILLED", "n".repeat(999), "m".repeat(999))));
    MailMessage letter = letter().orElseThrow();
    assertTrue(letter.text().contains(" (" + "n".repeat(250) + "...) on "), letter.text());
    assertTrue(letter.text().contains(": " + "m".repeat(250) + "...\n"), letter.text());
  }

  @Test
  void whatWasToldBeforeMailBeganGivesNone() {
    notices.follow(written(AccountFixture.BEGIN - 1, 0, failed(1)));
    assertTrue(letter().isEmpty());
  }
}
