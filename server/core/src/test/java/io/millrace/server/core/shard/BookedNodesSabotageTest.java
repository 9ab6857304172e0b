package io.millrace.server.core.shard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.millrace.schemas.command.NewJob;
import io.millrace.schemas.common.Chunk;
import io.millrace.schemas.common.FactMeta;
import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.fact.JobAltered;
import io.millrace.schemas.fact.ReservationAltered;
import io.millrace.schemas.fact.ReservationConfirmed;
import io.millrace.schemas.fact.ReservationReturned;
import io.millrace.schemas.fact.ReservationSettled;
import io.millrace.schemas.fact.ReservationStarted;
import io.millrace.schemas.fact.RunGranted;
import io.millrace.schemas.fact.RunShortened;
import io.millrace.schemas.fact.RunStarted;
import io.millrace.schemas.state.BookedNode;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.OthersAtStart;
import io.millrace.schemas.state.Placement;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.ReservationSpec;
import io.millrace.schemas.state.ReservationTransaction;
import io.millrace.schemas.state.StartAction;
import io.millrace.schemas.state.TransactionKind;
import io.millrace.schemas.state.UsualOccurrence;
import io.millrace.server.core.reservation.Appliers;
import io.millrace.server.core.state.BookingWrites;
import io.millrace.server.core.state.Tables;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.Test;

/** What histories hold against each fact finds a shard that gives too much. */
class BookedNodesSabotageTest {
  private static final int HOUR_MS = 3_600_000;

  private final TestShards shards = TestShards.threePartitions();
  private final Tables tables = shards.tables(0);

  /** Of n0, which has four processors, from the next hour until the one behind it. */
  private ReservationConfirmed reserved(long ncpus) {
    Chunk chunk = new Chunk(1, Map.of("ncpus", ncpus), Map.of());
    ReservationSpec spec =
        ReservationCalls.spec(
            "ann", "pbs-default", shards.nowMs + HOUR_MS, shards.nowMs + 2 * HOUR_MS, "", chunk);
    shards.ask(0, ReservationCalls.submit(shards.user("ann"), spec, 0));
    Reservation fresh = ReservationCalls.all(tables).get(0);
    int code =
        shards.code(
            0,
            ReservationCalls.confirm(
                shards.engine("default"),
                shards.epoch("default"),
                "default",
                fresh,
                List.of(Calls.share("n0", 1, ncpus))));
    assertEquals(0, code);
    return shards.facts(ReservationConfirmed.class).get(0);
  }

  /** A fact that no shard decides, applied all the same. */
  private ReservationConfirmed forged(ReservationConfirmed real, Reservation record) {
    ReservationConfirmed fact =
        new ReservationConfirmed(real.getMeta(), record, "default", real.getEpoch(), false);
    new Appliers().apply(tables, fact);
    return fact;
  }

  private static Reservation twin(Reservation of) {
    long number = of.getNumber() + 1;
    return Reservation.newBuilder(of)
        .setNumber(number)
        .setQueue("R" + number)
        .setId("R" + number + ".mill")
        .build();
  }

  @Test
  void aNodeThatIsBookedTwice() {
    ReservationConfirmed first = reserved(3);
    new BookedNodes().check(tables, first);
    ReservationConfirmed second = forged(first, twin(first.getReservation()));
    assertThrows(AssertionError.class, () -> new BookedNodes().check(tables, second));
  }

  @Test
  void aBookingOverARunThatDoesNotGiveWay() {
    ReservationConfirmed real = reserved(1);
    String job = shards.submit(Calls.job("cy", "workq", 3));
    assertEquals(0, shards.grant(job, "default", "n0", 3).getCode());
    Reservation more =
        Reservation.newBuilder(real.getReservation())
            .setBooked(List.of(new BookedNode("n0", Map.of("ncpus", 2L), false)))
            .build();
    ReservationConfirmed wrong = forged(real, more);
    assertThrows(AssertionError.class, () -> new BookedNodes().check(tables, wrong));
    more.getSpec().setOthers(new OthersAtStart(StartAction.REQUEUE, 0L));
    new BookedNodes().check(tables, wrong);
  }

  /** The present occurrence alone is short; the later one lies over what is booked. */
  @Test
  void aLaterOccurrenceThatIsLongerThanThePresentOne() {
    ReservationConfirmed first = reserved(3);
    Reservation other = twin(first.getReservation());
    ReservationSpec spec = ReservationSpec.newBuilder(other.getSpec()).build();
    spec.setStartMs(shards.nowMs + 1000);
    spec.setEndMs(shards.nowMs + 2000);
    spec.setRule("FREQ=HOURLY;COUNT=2");
    spec.setLaterMs(List.of(shards.nowMs + 3000));
    other.setSpec(spec);
    other.setUsual(new UsualOccurrence((long) HOUR_MS, spec.getRequest(), List.of()));
    other.setPlacements(List.of(new Placement(other.getShares(), other.getBooked(), "")));
    other.setLies(List.of(0));
    ReservationConfirmed second = forged(first, other);
    assertThrows(AssertionError.class, () -> new BookedNodes().check(tables, second));
  }

  @Test
  void aBookingThatIsForgotten() {
    ReservationConfirmed real = reserved(2);
    DerivedBookings.check(tables);
    String[] key = new String[1];
    tables
        .bookings()
        .scan(
            "",
            null,
            (found, booking) -> {
              key[0] = found;
              return false;
            });
    BookingWrites.remove(tables, key[0]);
    assertThrows(AssertionError.class, () -> DerivedBookings.check(tables));
    assertEquals(2, real.getReservation().getBooked().get(0).getAmounts().get("ncpus"));
  }

  /** Two of three processors at another time, which a fact then puts over what is booked. */
  private Reservation beside(ReservationConfirmed first, BookedNodes checked) {
    Reservation other = twin(first.getReservation());
    other.setRevision(other.getRevision() + 1);
    ReservationSpec spec = ReservationSpec.newBuilder(other.getSpec()).build();
    spec.setStartMs(shards.nowMs + 3 * HOUR_MS);
    spec.setEndMs(shards.nowMs + 4 * HOUR_MS);
    other.setSpec(spec);
    other.setBooked(List.of(new BookedNode("n0", Map.of("ncpus", 2L), false)));
    checked.check(tables, forged(first, other));
    return other;
  }

  private static Reservation over(Reservation before, Reservation of) {
    return Reservation.newBuilder(before)
        .setSpec(ReservationSpec.newBuilder(of.getSpec()).build())
        .setPending(null)
        .build();
  }

  private void found(BookedNodes checked, SpecificRecord fact, Consumer<Appliers> apply) {
    apply.accept(new Appliers());
    assertThrows(AssertionError.class, () -> checked.check(tables, fact));
  }

  @Test
  void anAlterationToWhatIsBooked() {
    ReservationConfirmed first = reserved(3);
    BookedNodes checked = new BookedNodes();
    Reservation after = over(beside(first, checked), first.getReservation());
    ReservationAltered fact = new ReservationAltered(first.getMeta(), after, "times", "ann");
    found(checked, fact, it -> it.apply(tables, fact));
  }

  @Test
  void anOccurrenceThatReturnsWhereItWasNotBooked() {
    ReservationConfirmed first = reserved(3);
    BookedNodes checked = new BookedNodes();
    Reservation after = over(beside(first, checked), first.getReservation());
    ReservationReturned fact = new ReservationReturned(first.getMeta(), after, 0L, 0L);
    found(checked, fact, it -> it.apply(tables, fact));
  }

  @Test
  void aBeginWithOtherTimes() {
    ReservationConfirmed first = reserved(3);
    BookedNodes checked = new BookedNodes();
    Reservation after = over(beside(first, checked), first.getReservation());
    ReservationStarted fact = new ReservationStarted(first.getMeta(), after);
    found(checked, fact, it -> it.apply(tables, fact));
  }

  /** What was held is there for a commit, and nothing else is. */
  @Test
  void aCommitOfMoreThanWasHeld() {
    ReservationConfirmed first = reserved(3);
    BookedNodes checked = new BookedNodes();
    Reservation before = beside(first, checked);
    BookedNode one = new BookedNode("n0", Map.of("ncpus", 1L), false);
    ReservationSpec then = ReservationSpec.newBuilder(first.getReservation().getSpec()).build();
    ReservationTransaction open =
        ReservationTransaction.newBuilder()
            .setKind(TransactionKind.MODIFY)
            .setBy("ann")
            .setOpenedMs(shards.nowMs)
            .setSpec(then)
            .setShares(List.of(Calls.share("n0", 1, 1)))
            .setBooked(List.of(one))
            .build();
    checked.check(tables, forged(first, Reservation.newBuilder(before).setPending(open).build()));
    Reservation as = over(before, first.getReservation());
    as.setBooked(List.of(one));
    ReservationSettled right = settled(first, as);
    new Appliers().apply(tables, right);
    checked.check(tables, right);
    ReservationSettled more = settled(first, over(before, first.getReservation()));
    found(checked, more, it -> it.apply(tables, more));
  }

  private static ReservationSettled settled(ReservationConfirmed first, Reservation after) {
    return new ReservationSettled(first.getMeta(), after, true, "", "ann", TransactionKind.MODIFY);
  }

  /** A run of half an hour, before a reservation that begins in one hour. */
  private String granted(BookedNodes checked) {
    NewJob wish = Calls.job("cy", "workq", 3);
    wish.getSpec().getRequest().setWalltimeS(1800L);
    String job = shards.submit(wish);
    assertEquals(0, shards.grant(job, "default", "n0", 3).getCode());
    checked.check(tables, shards.facts(RunGranted.class).get(0));
    return job;
  }

  private RunStarted begunAfter(String job, long ms) {
    Job before = shards.job(job);
    FactMeta meta = shards.facts(RunGranted.class).get(0).getMeta();
    RunStarted fact = new RunStarted(meta, job, before.getRun(), 4711L, before.getStartedMs() + ms);
    new io.millrace.server.core.run.started.Appliers().apply(tables, fact);
    return fact;
  }

  @Test
  void aRunThatBeganLateAndIsNotShortened() {
    reserved(3);
    BookedNodes checked = new BookedNodes();
    String job = granted(checked);
    RunStarted early = begunAfter(job, 60_000);
    checked.check(tables, early);
    RunStarted late = begunAfter(job, HOUR_MS - 600_000);
    assertThrows(AssertionError.class, () -> checked.check(tables, late));
  }

  @Test
  void aRunThatBeganLateAndIsShortenedTooLittle() {
    reserved(3);
    BookedNodes checked = new BookedNodes();
    String job = granted(checked);
    begunAfter(job, HOUR_MS - 600_000);
    RunShortened enough = shortened(job, 500);
    checked.check(tables, enough);
    RunShortened little = shortened(job, 700);
    assertThrows(AssertionError.class, () -> checked.check(tables, little));
  }

  private RunShortened shortened(String job, long leftS) {
    FactMeta meta = shards.facts(RunGranted.class).get(0).getMeta();
    long beganMs = shards.job(job).getStartedMs();
    RunShortened fact =
        new RunShortened(meta, job, shards.job(job).getRun(), beganMs, leftS, "R1.mill");
    new io.millrace.server.core.run.started.Appliers().apply(tables, fact);
    return fact;
  }

  @Test
  void aLongerWalltimeThatReachesIntoABooking() {
    reserved(3);
    BookedNodes checked = new BookedNodes();
    String job = granted(checked);
    checked.check(tables, altered(job, 3000));
    JobAltered longer = altered(job, 4000);
    assertThrows(AssertionError.class, () -> checked.check(tables, longer));
  }

  private JobAltered altered(String job, long walltimeS) {
    JobSpec spec = JobSpec.newBuilder(shards.job(job).getSpec()).build();
    spec.getRequest().setWalltimeS(walltimeS);
    FactMeta meta = shards.facts(RunGranted.class).get(0).getMeta();
    JobAltered fact = new JobAltered(meta, job, spec, "Resource_List", -1L);
    new io.millrace.server.core.job.alter.Appliers().apply(tables, fact);
    return fact;
  }
}
