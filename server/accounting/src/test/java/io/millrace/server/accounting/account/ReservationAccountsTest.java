package io.millrace.server.accounting.account;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.CommandId;
import io.millrace.schemas.common.FactMeta;
import io.millrace.schemas.common.ResourceRequest;
import io.millrace.schemas.fact.ReservationConfirmed;
import io.millrace.schemas.fact.ReservationDenied;
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
import io.millrace.server.accounting.book.AccountBook;
import io.millrace.server.accounting.file.DayFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Facts about reservations in, lines out; the texts are those of a recorded accounting file. */
public class ReservationAccountsTest {
  private static final long NOW = Instant.parse("2026-11-20T15:42:53Z").toEpochMilli();
  private static final long START = 1_795_189_379_000L;
  private static final String WINDOW = " start=1795189379 end=1795189399";
  private static final String AT = "11/20/2026 15:42:53;";

  @TempDir private Path folder;

  private AccountBook book;
  private DayFiles files;
  private ReservationAccounts accounts;
  private long seq;

  @BeforeEach
  void open() throws IOException {
    book = new AccountBook(folder.resolve(".state"), AccountFixture.CODEC);
    files = new DayFiles(folder, ZoneOffset.UTC);
    files.open(book);
    accounts = new ReservationAccounts(files, ZoneOffset.UTC);
  }

  @AfterEach
  void close() {
    book.close();
  }

  @Test
  void itIsAskedForConfirmedBeginsAndEnds() throws IOException {
    Reservation one = one();
    one.setInteractiveS(10L);
    follow(new ReservationSubmitted(at(), one));
    one.setNodes("(vm[6]:ncpus=2)");
    follow(new ReservationConfirmed(at(), one, "multi_sched_1", 1L, false));
    follow(new ReservationStarted(at(), one));
    one.setState(ReservationState.FINISHED);
    follow(new ReservationEnded(at(), one, "its time is over"));
    assertEquals(
        List.of(
            AT + "U;R95.vm;requestor=pbsu1@vm Interactive=10",
            AT + "Y;R95.vm;requestor=Scheduler@vm" + WINDOW + " nodes=(vm[6]:ncpus=2)",
            AT
                + "B;R95.vm;owner=pbsu1@vm name=now queue=R95 ctime=1795189373"
                + WINDOW
                + " duration=20 nodes=(vm[6]:ncpus=2) Authorized_Users=pbsu1@vm"
                + " Resource_List.ncpus=2 Resource_List.select=1:ncpus=2"
                + " Resource_List.walltime=00:00:20 ",
            AT + "F;R95.vm;" + WINDOW.strip(),
            AT + "K;R95.vm;requestor=Server@vm"),
        lines());
  }

  @Test
  void whoDeletedItIsTold() throws IOException {
    for (String by : List.of("pbsu1@vm", "pbsu1@login2", "pbsu11@vm", "root@vm", "")) {
      Reservation one = one();
      one.setState(ReservationState.DELETED);
      one.setEndedBy(by);
      follow(new ReservationEnded(at(), one, "deleted"));
    }
    assertEquals(
        List.of(
            AT + "k;R95.vm;requestor=pbsu1@vm",
            AT + "k;R95.vm;requestor=pbsu1@login2",
            AT + "K;R95.vm;requestor=pbsu11@vm",
            AT + "K;R95.vm;requestor=root@vm",
            AT + "K;R95.vm;requestor=Server@vm"),
        lines());
  }

  @Test
  void eachOccurrenceBeginsAndEnds() throws IOException {
    Reservation one = one();
    one.setId("S93.vm");
    one.setQueue("S93");
    ReservationSpec spec = one.getSpec();
    spec.setName("");
    spec.setGroups(List.of("g", "h"));
    spec.setRule("FREQ=HOURLY;COUNT=3");
    spec.setVariables(List.of(new Attribute("PBS_TZID", "Europe/Berlin")));
    spec.setLaterMs(List.of(START + 3_600_000, START + 7_200_000));
    follow(new ReservationSubmitted(at(), one));
    one.setNodes("(vm[0]:ncpus=2)");
    follow(new ReservationConfirmed(at(), one, "default", 1L, false));
    follow(new ReservationStarted(at(), one));
    spec.setStartMs(START + 3_600_000);
    spec.setEndMs(START + 3_620_000);
    spec.setLaterMs(List.of(START + 7_200_000));
    follow(new ReservationReturned(at(), one, START, START + 20_000));
    List<String> lines = lines();
    assertEquals(
        AT
            + "U;S93.vm;requestor=pbsu1@vm recurrence_rrule=FREQ=HOURLY;COUNT=3"
            + " timezone=Europe/Berlin",
        lines.get(0));
    assertEquals(
        AT + "Y;S93.vm;requestor=Scheduler@vm" + WINDOW + " nodes=(vm[0]:ncpus=2) count=3",
        lines.get(1));
    assertTrue(lines.get(2).contains("B;S93.vm;owner=pbsu1@vm name=NULL queue=S93 "), lines.get(2));
    assertTrue(lines.get(2).contains(" Authorized_Groups=g,h "), lines.get(2));
    assertEquals(AT + "F;S93.vm;" + WINDOW.strip(), lines.get(3));
    assertEquals(4, lines.size());
  }

  /** Nothing is confirmed yet that its owner may still abort. */
  @Test
  void aTransactionIsToldWhenItIsCommitted() throws IOException {
    Reservation one = one();
    one.setNodes("(vm[6]:ncpus=2)");
    one.setPending(
        ReservationTransaction.newBuilder()
            .setKind(TransactionKind.RESERVE)
            .setBy("pbsu1@vm")
            .setOpenedMs(NOW)
            .build());
    follow(new ReservationConfirmed(at(), one, "default", 1L, true));
    one.setPending(null);
    for (TransactionKind kind : TransactionKind.values()) {
      follow(new ReservationSettled(at(), one, false, "aborted", "pbsu1@vm", kind));
    }
    assertEquals(List.of(), lines());
    for (TransactionKind kind : TransactionKind.values()) {
      follow(new ReservationSettled(at(), one, true, "", "pbsu1@vm", kind));
    }
    assertEquals(2, lines().size());
    assertTrue(lines().get(0).startsWith(AT + "Y;R95.vm;requestor=Scheduler@vm start="));
  }

  /** Whether that is committed or not: the reservation lies on another node from now on. */
  @Test
  void aNodeThatTakesThePlaceOfALostOneIsToldWhateverIsOpen() throws IOException {
    Reservation one = one();
    one.setNodes("(vm[7]:ncpus=2)");
    one.setPending(
        ReservationTransaction.newBuilder()
            .setKind(TransactionKind.CANCEL)
            .setBy("pbsu1@vm")
            .setOpenedMs(NOW)
            .build());
    follow(new ReservationConfirmed(at(), one, "default", 1L, false));
    assertEquals(1, lines().size());
    assertTrue(lines().get(0).startsWith(AT + "Y;R95.vm;requestor=Scheduler@vm start="));
  }

  /** No scheduler is asked about hosts under maintenance, nor when a manager uses force. */
  @Test
  void whoConfirmedItWithoutASchedulerIsTold() throws IOException {
    Reservation one = one();
    one.setNodes("(vm[6]:ncpus=2)");
    follow(new ReservationConfirmed(at(), one, "", 0L, false));
    assertTrue(lines().get(0).startsWith(AT + "Y;R95.vm;requestor=boss@vm start="));
  }

  @Test
  void aDeniedAlterationIsNoLineAndNoTextBeginsOne() throws IOException {
    Reservation one = one();
    follow(new ReservationDenied(at(), one, "no room"));
    one.getSpec().setName("a name\n11/20/2026 15:42:53;K;R1.vm;");
    follow(new ReservationStarted(at(), one));
    List<String> lines = lines();
    assertEquals(1, lines.size());
    assertTrue(lines.get(0).contains(" name=\"a name^J11/"), lines.get(0));
    assertFalse(accounts.tells("ReservationAltered"));
  }

  public static Reservation one() {
    ReservationSpec spec =
        ReservationSpec.newBuilder()
            .setName("now")
            .setOwner("pbsu1")
            .setSubmitHost("vm")
            .setStartMs(START)
            .setEndMs(START + 20_000)
            .setRequest(new ResourceRequest(List.of(), "", 20L, Map.of()))
            .setResourceList(
                List.of(
                    new Attribute("ncpus", "2"),
                    new Attribute("select", "1:ncpus=2"),
                    new Attribute("walltime", "00:00:20")))
            .setUsers(List.of("pbsu1@vm"))
            .build();
    return Reservation.newBuilder()
        .setId("R95.vm")
        .setNumber(95)
        .setQueue("R95")
        .setSpec(spec)
        .setState(ReservationState.UNCONFIRMED)
        .setSubstate(ReservationState.UNCONFIRMED)
        .setCreatedMs(NOW)
        .setModifiedMs(NOW)
        .build();
  }

  private FactMeta at() {
    return new FactMeta(++seq, NOW, new CommandId(new byte[16]), "boss");
  }

  private void follow(SpecificRecord fact) {
    accounts.follow(0, fact);
  }

  private List<String> lines() throws IOException {
    files.write(book);
    book.commit();
    Path day = folder.resolve("20261120");
    return Files.exists(day) ? Files.readAllLines(day) : List.of();
  }
}
