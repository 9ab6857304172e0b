package io.millrace.server.accounting.daylog;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.CommandId;
import io.millrace.schemas.common.FactMeta;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.fact.ReservationAltered;
import io.millrace.schemas.fact.ReservationClosing;
import io.millrace.schemas.fact.ReservationConfirmed;
import io.millrace.schemas.fact.ReservationDegraded;
import io.millrace.schemas.fact.ReservationDenied;
import io.millrace.schemas.fact.ReservationEnded;
import io.millrace.schemas.fact.ReservationReturned;
import io.millrace.schemas.fact.ReservationSettled;
import io.millrace.schemas.fact.ReservationStarted;
import io.millrace.schemas.fact.ReservationSubmitted;
import io.millrace.schemas.state.LostNode;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.ReservationState;
import io.millrace.schemas.state.ReservationTransaction;
import io.millrace.schemas.state.TransactionKind;
import io.millrace.server.accounting.account.AccountFixture;
import io.millrace.server.accounting.account.ReservationAccountsTest;
import io.millrace.server.accounting.book.AccountBook;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.List;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What happens to a reservation stands in the server's day log. */
class ReservationLogTest {

  @TempDir private Path home;

  private AccountBook book;
  private final LogMasks masks = new LogMasks();
  private LogFolders folders;
  private ReservationLog log;

  @BeforeEach
  void open() throws IOException {
    book = new AccountBook(home.resolve(".state"), AccountFixture.CODEC);
    folders = new LogFolders(home, book, ZoneOffset.UTC);
    log = new ReservationLog(new ServerLogLines(folders, masks, ZoneOffset.UTC));
  }

  private void logged(int events) {
    Attribute all = new Attribute("log_events", Integer.toString(events));
    masks.heed(new ClusterObject(ObjectKind.SERVER, "server", 1L, List.of(all), 1L));
  }

  @AfterEach
  void close() {
    book.close();
  }

  @Test
  void eachTurnIsALine() throws IOException {
    logged(1023);
    Reservation one = ReservationAccountsTest.one();
    follow(new ReservationSubmitted(at(), one));
    one.setNodes("(vm[6]:ncpus=2)");
    follow(new ReservationConfirmed(at(), one, "default", 1L, false));
    follow(new ReservationAltered(at(), one, "Reserve_Name,Mail_Points", "pbsu1@vm"));
    follow(new ReservationDenied(at(), one, "no room"));
    one.setLost(List.of(new LostNode("n1", "under maintenance", 1L, "M9.vm")));
    follow(new ReservationDegraded(at(), one));
    one.setLost(List.of());
    follow(new ReservationDegraded(at(), one));
    follow(new ReservationStarted(at(), one));
    one.setOccurrence(2);
    one.setOccurrences(3);
    follow(new ReservationReturned(at(), one, 1L, 2L));
    TransactionKind kind = TransactionKind.MODIFY;
    follow(new ReservationSettled(at(), one, true, "", "pbsu1@vm", kind));
    follow(new ReservationSettled(at(), one, false, "not settled in time", "", kind));
    one.setState(ReservationState.BEING_DELETED);
    one.setEndedBy("root@vm");
    follow(new ReservationClosing(at(), one, "deleted"));
    one.setState(ReservationState.DELETING_JOBS);
    follow(new ReservationClosing(at(), one, "its time is over"));
    follow(new ReservationEnded(at(), one, ""));
    assertEquals(
        List.of(
            "0200 New reservation requested by pbsu1@vm, start=1795189379 end=1795189399",
            "0200 Reservation confirmed by scheduler default on (vm[6]:ncpus=2)",
            "0200 Reservation altered at request of pbsu1@vm: Reserve_Name,Mail_Points",
            "0008 Reservation denied",
            "0200 Not confirmed: no room",
            "0200 Nodes are lost: n1 under maintenance with M9.vm",
            "0200 All of its nodes can be used again",
            "0200 Its window begins",
            "0200 An occurrence is over; 2 is the next of 3",
            "0200 Transaction committed at request of pbsu1@vm",
            "0200 Transaction aborted: not settled in time",
            "0200 To be deleted at request of root@vm",
            "0200 Its jobs are deleted: its time is over",
            "0080 reservation deleted"),
        lines());
  }

  @Test
  void whatIsToBeIsToldFromWhatIs() throws IOException {
    logged(1023);
    Reservation one = ReservationAccountsTest.one();
    one.setNodes("(vm[7]:ncpus=2)");
    one.setPending(
        ReservationTransaction.newBuilder()
            .setKind(TransactionKind.MODIFY)
            .setBy("pbsu1@vm")
            .setOpenedMs(1)
            .setSpec(one.getSpec())
            .build());
    follow(new ReservationConfirmed(at(), one, "default", 1L, true));
    follow(new ReservationConfirmed(at(), one, "default", 1L, false));
    assertEquals(
        List.of(
            "0200 Its alteration is confirmed by scheduler default",
            "0200 Reservation confirmed by scheduler default on (vm[7]:ncpus=2)"),
        lines());
  }

  /** As those of a recorded PBS, which logs with the same log_events. */
  @Test
  void usuallyOnlyItsEndIsLogged() throws IOException {
    Reservation one = ReservationAccountsTest.one();
    follow(new ReservationSubmitted(at(), one));
    follow(new ReservationDenied(at(), one, "no room"));
    follow(new ReservationEnded(at(), one, "no room"));
    assertEquals(List.of("0008 Reservation denied", "0080 reservation deleted"), lines());
  }

  private static FactMeta at() {
    return new FactMeta(1L, AccountFixture.BEGIN, new CommandId(new byte[16]), "pbsu1");
  }

  private void follow(SpecificRecord fact) {
    log.follow(0, fact);
  }

  /** Event and text of each line; all are about the reservation. */
  private List<String> lines() throws IOException {
    folders.write();
    book.commit();
    return Files.readAllLines(home.resolve("server_logs").resolve("20261120")).stream()
        .map(line -> line.split(";", 6))
        .peek(it -> assertEquals("Resv R95.vm", it[3] + " " + it[4]))
        .map(it -> it[1] + " " + it[5])
        .toList();
  }
}
