package io.millrace.server.accounting.letter;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.schemas.common.CommandId;
import io.millrace.schemas.common.FactMeta;
import io.millrace.schemas.common.ResourceRequest;
import io.millrace.schemas.fact.ReservationConfirmed;
import io.millrace.schemas.fact.ReservationEnded;
import io.millrace.schemas.fact.ReservationReturned;
import io.millrace.schemas.fact.ReservationSettled;
import io.millrace.schemas.fact.ReservationStarted;
import io.millrace.schemas.fact.ReservationSubmitted;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.ReservationSpec;
import io.millrace.schemas.state.ReservationState;
import io.millrace.schemas.state.ReservationTransaction;
import io.millrace.schemas.state.TransactionKind;
import io.millrace.server.accounting.account.AccountFixture;
import io.millrace.server.accounting.book.AccountBook;
import io.millrace.server.mail.MailMessage;
import io.millrace.server.mail.Outbox;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who is written to about which turn of a reservation. */
class ReservationNoticesTest {

  private static final String HEAD = "PBS Reservation Id: R95.vm\nReservation Name:   now\n";
  private static final String CONFIRMED =
      "Reservation confirmed\nfrom Fri Nov 20 15:42:59 2026 until Fri Nov 20 15:43:19 2026\n"
          + "on (vm[6]:ncpus=2)\n";

  @TempDir private Path folder;

  private AccountBook book;
  private MailQueue box;
  private ReservationNotices notices;
  private final Reservation one = one();

  @BeforeEach
  void open() throws IOException {
    book = new AccountBook(folder.resolve(".state"), AccountFixture.CODEC);
    box = new MailQueue(book, AccountFixture.BEGIN);
    notices = new ReservationNotices(box, ZoneOffset.UTC);
  }

  @AfterEach
  void close() {
    book.close();
  }

  private static Reservation one() {
    long startMs = Instant.parse("2026-11-20T15:42:59Z").toEpochMilli();
    ReservationSpec spec =
        ReservationSpec.newBuilder()
            .setName("now")
            .setOwner("pbsu1")
            .setSubmitHost("vm")
            .setStartMs(startMs)
            .setEndMs(startMs + 20_000)
            .setRequest(new ResourceRequest(List.of(), "free", 20L, Map.of()))
            .setResourceList(List.of())
            .build();
    return Reservation.newBuilder()
        .setId("R95.vm")
        .setNumber(95)
        .setQueue("R95")
        .setSpec(spec)
        .setState(ReservationState.CONFIRMED)
        .setSubstate(ReservationState.CONFIRMED)
        .setNodes("(vm[6]:ncpus=2)")
        .setCreatedMs(startMs)
        .setModifiedMs(startMs)
        .build();
  }

  private static FactMeta at() {
    return new FactMeta(1L, AccountFixture.BEGIN, new CommandId(new byte[16]), "Scheduler");
  }

  /** The letters about these facts. */
  private List<MailMessage> letters(SpecificRecord... facts) {
    for (SpecificRecord fact : facts) {
      notices.follow(0, fact);
    }
    book.commit();
    List<MailMessage> letters = new ArrayList<>();
    for (Outbox.KeptLetter kept; box.after(0).isPresent(); box.remove(kept.number())) {
      kept = box.after(0).get();
      letters.add(MailMessage.from(kept.letter()));
    }
    return letters;
  }

  private List<String> texts(SpecificRecord... facts) {
    return letters(facts).stream().map(MailMessage::text).toList();
  }

  private SpecificRecord[] life(ReservationState end, String by) {
    Reservation last = Reservation.newBuilder(one).setState(end).setEndedBy(by).build();
    return new SpecificRecord[] {
      new ReservationSubmitted(at(), one),
      new ReservationConfirmed(at(), one, "default", 1L, false),
      new ReservationStarted(at(), one),
      new ReservationEnded(at(), last, "no room")
    };
  }

  /** A scheduler that was asked in vain is no news to whoever was told at once. */
  @Test
  void aDenialThatWasToldAtOnceIsNoLetter() {
    SpecificRecord[] denied = life(ReservationState.DELETED, "");
    ReservationEnded end = (ReservationEnded) denied[3];
    assertEquals(1, letters(denied[0], end).size());
    end.getReservation().setAtOnce(true);
    assertEquals(List.of(), letters(denied[0], end));
  }

  @Test
  void eachLetterOfMailPointsIsATurn() {
    one.getSpec().setMailPoints("abce");
    assertEquals(
        List.of(
            HEAD + CONFIRMED,
            HEAD + "Reservation period starting\n",
            HEAD + "Reservation period over\n"),
        texts(life(ReservationState.FINISHED, "")));
    one.getSpec().setMailPoints("b");
    assertEquals(
        List.of(HEAD + "Reservation period starting\n"),
        texts(life(ReservationState.FINISHED, "")));
    one.getSpec().setMailPoints("n");
    assertEquals(List.of(), texts(life(ReservationState.FINISHED, "")));
  }

  @Test
  void usuallyItsOwnerIsToldThatItIsGone() {
    List<MailMessage> letters = letters(life(ReservationState.DELETED, ""));
    assertEquals(1, letters.size());
    assertEquals("PBS RESERVATION R95.vm", letters.get(0).subject());
    assertEquals(List.of("pbsu1@vm"), letters.get(0).to());
    assertEquals(HEAD + "Reservation deleted by PBS Server\nno room\n", letters.get(0).text());
    assertEquals(
        List.of(HEAD + "Reservation deleted at request of root@vm\n"),
        texts(life(ReservationState.DELETED, "root@vm")));
    assertEquals(List.of(), texts(life(ReservationState.DELETED, "pbsu1@login2")), "he knows it");
    assertEquals(1, texts(life(ReservationState.DELETED, "pbsu11@vm")).size());
  }

  @Test
  void othersAreWrittenToWhereTheyAreNamed() {
    one.getSpec().setMailUsers(List.of("ann", "bob@there"));
    assertEquals(
        List.of("ann", "bob@there"), letters(life(ReservationState.DELETED, "")).get(0).to());
  }

  @Test
  void theEndOfAnOccurrenceIsAnEnd() {
    one.getSpec().setMailPoints("e");
    assertEquals(
        List.of(HEAD + "Reservation period over\n"),
        texts(new ReservationReturned(at(), one, 5L, 6L)));
    assertEquals(List.of(), texts(new ReservationReturned(at(), one, -1L, -1L)), "an old fact");
  }

  @Test
  void whatIsHeldOnlyIsToldWhenItIsCommitted() {
    one.getSpec().setMailPoints("c");
    one.setPending(
        ReservationTransaction.newBuilder()
            .setKind(TransactionKind.RESERVE)
            .setBy("pbsu1@vm")
            .setOpenedMs(1)
            .build());
    assertEquals(List.of(), texts(new ReservationConfirmed(at(), one, "default", 1L, true)));
    assertEquals(
        List.of(HEAD + CONFIRMED),
        texts(new ReservationConfirmed(at(), one, "default", 1L, false)),
        "a lost node is replaced");
    one.setPending(null);
    for (TransactionKind kind : TransactionKind.values()) {
      notices.follow(0, new ReservationSettled(at(), one, false, "aborted", "pbsu1@vm", kind));
    }
    assertEquals(List.of(), texts());
    for (TransactionKind kind : TransactionKind.values()) {
      notices.follow(0, new ReservationSettled(at(), one, true, "", "pbsu1@vm", kind));
    }
    assertEquals(List.of(HEAD + CONFIRMED, HEAD + CONFIRMED), texts());
  }
}
