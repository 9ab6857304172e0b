package io.millrace.server.accounting.daylog;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.millrace.schemas.common.CommandId;
import io.millrace.schemas.common.FactMeta;
import io.millrace.schemas.fact.ReservationConfirmed;
import io.millrace.schemas.fact.ReservationDegraded;
import io.millrace.schemas.fact.ReservationEnded;
import io.millrace.schemas.fact.ReservationRetried;
import io.millrace.schemas.fact.ReservationSettled;
import io.millrace.schemas.fact.ReservationStarted;
import io.millrace.schemas.state.BookedNode;
import io.millrace.schemas.state.GridEngineReservation;
import io.millrace.schemas.state.LostNode;
import io.millrace.schemas.state.QueueSlots;
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
import java.util.Map;
import java.util.stream.Stream;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Lines of a recorded Grid Engine's reporting file, out of facts about the same reservations. */
class AdvanceReportTest {

  private static final long GRANTED_S = 1_795_189_076;
  private static final long START_S = 1_795_189_091;
  private static final long LOST_S = 1_795_189_099;
  private static final long END_S = 1_795_189_121;
  private static final QueueSlots TWO = new QueueSlots("all.q@node01", 2);

  @TempDir private Path home;

  private AccountBook book;
  private LogFolders folders;
  private AdvanceReport report;

  @BeforeEach
  void open() throws IOException {
    book = new AccountBook(home.resolve(".state"), AccountFixture.CODEC);
    folders = new LogFolders(home, book, ZoneOffset.UTC);
    report = new AdvanceReport(folders);
  }

  @AfterEach
  void close() {
    book.close();
  }

  private static Reservation granted(long number, String name, List<String> options) {
    Reservation one = ReservationAccountsTest.one();
    one.setNumber(number);
    one.setId("R" + number + ".vm");
    one.setCreatedMs(GRANTED_S * 1000);
    one.setRevision(2L);
    one.setBooked(List.of(new BookedNode("node01", Map.of("ncpus", 2L), false)));
    one.getSpec().setName(name);
    one.getSpec().setOwner("alice");
    one.getSpec().setStartMs(START_S * 1000);
    one.getSpec().setEndMs(END_S * 1000);
    String environment = options.contains("-pe") ? "mpi" : "";
    one.getSpec().setGridEngine(new GridEngineReservation(options, environment, List.of(TWO)));
    return one;
  }

  @Test
  void theRecordedLines() throws IOException {
    Reservation lost =
        granted(8, "second", List.of("-N", "second", "-pe", "mpi", "2", "-q", "all.q@node01"));
    follow(new ReservationConfirmed(at(GRANTED_S), lost, "cell", 1L, false));
    lost.setRevision(3L);
    lost.setStartedMs(START_S * 1000);
    follow(new ReservationStarted(at(START_S), lost));
    LostNode first = new LostNode("node01", "offline", LOST_S * 1000, "");
    lost.setLost(List.of(first));
    follow(new ReservationDegraded(at(LOST_S), lost));
    report = new AdvanceReport(folders); // whoever begins now knows it by the list
    lost.setLost(List.of(first, new LostNode("node02", "offline", (LOST_S + 1) * 1000, "")));
    follow(new ReservationDegraded(at(LOST_S + 1), lost));
    lost.setLost(List.of());
    follow(new ReservationDegraded(at(LOST_S + 2), lost));
    lost.setState(ReservationState.FINISHED);
    follow(new ReservationEnded(at(END_S), lost, ""));
    assertEquals(
        List.of(
            "1795189076:new_ar:1795189076:8:alice",
            "1795189076:ar_attr:1795189076:1795189076:8:second:sge:1795189091:1795189121:mpi:NONE",
            "1795189091:ar_log:1795189091:1795189076:8:r:START TIME REACHED:start time of AR reached",
            "1795189099:ar_log:1795189099:1795189076:8:E:RESOURCES UNSATISFIED:AR resources"
                + " unsatisfied",
            "1795189101:ar_log:1795189101:1795189076:8:r:RESOURCES SATISFIED:AR resources satisfied",
            "1795189121:ar_log:1795189121:1795189076:8:x:TERMINATED:end time of AR reached",
            "1795189121:ar_acct:1795189121:1795189076:8:all.q:node01:2"),
        lines());
  }

  /** Others are looked for in its place, and meanwhile it is large enough again. */
  @Test
  void aNodeThatIsLargeEnoughAgain() throws IOException {
    Reservation one = granted(8, "small", List.of());
    follow(new ReservationRetried(at(LOST_S - 1), one));
    one.setLost(List.of(new LostNode("node01", "too small", LOST_S * 1000, "")));
    follow(new ReservationDegraded(at(LOST_S), one));
    follow(new ReservationRetried(at(LOST_S + 1), one));
    one.setLost(List.of());
    follow(new ReservationRetried(at(LOST_S + 2), one));
    follow(new ReservationRetried(at(LOST_S + 3), one));
    assertEquals(
        List.of(
            "1795189099:ar_log:1795189099:1795189076:8:W:RESOURCES UNSATISFIED:AR resources"
                + " unsatisfied",
            "1795189101:ar_log:1795189101:1795189076:8:w:RESOURCES SATISFIED:AR resources"
                + " satisfied"),
        lines());
  }

  @Test
  void licencesAccountsAndADeletion() throws IOException {
    Reservation one =
        granted(7, "parar", List.of("-A", "my:own", "-l", "license=1", "-pe", "mpi", "2"));
    follow(new ReservationConfirmed(at(GRANTED_S), one, "cell", 1L, false));
    one.setState(ReservationState.DELETED);
    follow(new ReservationEnded(at(LOST_S), one, "deleted"));
    assertEquals(
        List.of(
            "1795189076:new_ar:1795189076:7:alice",
            "1795189076:ar_attr:1795189076:1795189076:7:parar:my_own:1795189091:1795189121:mpi"
                + ":license=1",
            "1795189099:ar_log:1795189099:1795189076:7:d:DELETED:AR deleted",
            "1795189099:ar_acct:1795189099:1795189076:7:all.q:node01:2"),
        lines());
  }

  /** Another one has had its licence, or its gateway has died. */
  @Test
  void whatIsHeldHasItsLinesOnceItIsGranted() throws IOException {
    Reservation none = granted(11, "none", List.of());
    follow(new ReservationConfirmed(at(GRANTED_S), none, "cell", 1L, true));
    follow(settled(none, false));
    none.setOnlyHeld(true);
    follow(new ReservationEnded(at(GRANTED_S), none, "aborted"));
    Reservation deleted = granted(13, "deleted", List.of());
    follow(new ReservationConfirmed(at(GRANTED_S), deleted, "cell", 1L, true));
    report = new AdvanceReport(folders); // its gateway has died, and somebody deletes it
    deleted.setOnlyHeld(true);
    follow(new ReservationEnded(at(GRANTED_S), deleted, "deleted"));
    Reservation one = granted(12, "one", List.of());
    follow(new ReservationConfirmed(at(GRANTED_S), one, "cell", 1L, true));
    follow(settled(one, true));
    assertEquals(
        List.of(
            "1795189077:new_ar:1795189077:12:alice",
            "1795189077:ar_attr:1795189077:1795189076:12:one:sge:1795189091:1795189121::NONE"),
        lines());
  }

  /** The shard says so: whoever writes the report may have begun after it was held. */
  @Test
  void whatWasDeletedBeforeItWasGrantedIsNoLine() throws IOException {
    Reservation held = granted(13, "held", List.of());
    held.setPending(
        ReservationTransaction.newBuilder()
            .setKind(TransactionKind.RESERVE)
            .setBy("alice@vm")
            .setOpenedMs(0)
            .build());
    follow(new ReservationConfirmed(at(GRANTED_S), held, "cell", 1L, true));
    held.setLost(List.of(new LostNode("node01", "offline", LOST_S * 1000, "")));
    follow(new ReservationDegraded(at(LOST_S), held));
    held.setPending(null);
    held.setOnlyHeld(true);
    held.setState(ReservationState.DELETED);
    follow(new ReservationEnded(at(LOST_S + 1), held, "deleted"));
    folders.write();
    assertFalse(Files.exists(home.resolve("server_priv/reporting/20261120")));
  }

  private static ReservationSettled settled(Reservation one, boolean committed) {
    return new ReservationSettled(
        at(GRANTED_S + 1), one, committed, "", "alice@vm", TransactionKind.RESERVE);
  }

  /** Neither one that another command has made nor one that was never granted. */
  @Test
  void othersAreNoLine() throws IOException {
    Reservation one = granted(9, "pbs", List.of());
    one.getSpec().setGridEngine(null);
    follow(new ReservationConfirmed(at(GRANTED_S), one, "default", 1L, false));
    follow(new ReservationStarted(at(START_S), one));
    follow(new ReservationEnded(at(END_S), one, ""));
    Reservation denied = granted(10, "third", List.of());
    denied.setBooked(List.of());
    follow(new ReservationEnded(at(GRANTED_S), denied, "no room"));
    folders.write();
    assertFalse(Files.exists(home.resolve("server_priv/reporting/20261120")));
  }

  private static FactMeta at(long seconds) {
    return new FactMeta(1L, seconds * 1000, new CommandId(new byte[16]), "alice");
  }

  private void follow(SpecificRecord fact) {
    report.follow(0, fact);
  }

  private List<String> lines() throws IOException {
    folders.write();
    book.commit();
    try (Stream<Path> days = Files.list(home.resolve("server_priv/reporting"))) {
      return Files.readAllLines(days.findFirst().orElseThrow());
    }
  }
}
