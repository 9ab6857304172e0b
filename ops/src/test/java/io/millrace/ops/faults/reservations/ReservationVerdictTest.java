package io.millrace.ops.faults.reservations;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.ops.faults.evidence.LedgerEntry;
import io.millrace.ops.faults.reservations.TransactionAnswer.ClientKnows;
import io.millrace.ops.faults.reservations.TransactionPlan.TransactionWay;
import io.millrace.schemas.common.Allocation;
import io.millrace.schemas.common.CommandId;
import io.millrace.schemas.common.FactMeta;
import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.common.ResourceRequest;
import io.millrace.schemas.fact.JobQueued;
import io.millrace.schemas.fact.ReservationConfirmed;
import io.millrace.schemas.fact.ReservationEnded;
import io.millrace.schemas.fact.ReservationSettled;
import io.millrace.schemas.fact.RunGranted;
import io.millrace.schemas.fact.RunPreempted;
import io.millrace.schemas.fact.RunShortened;
import io.millrace.schemas.fact.RunStarted;
import io.millrace.schemas.fact.WholeDecided;
import io.millrace.schemas.fact.WholeEnded;
import io.millrace.schemas.state.BookedNode;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.PartOf;
import io.millrace.schemas.state.PartState;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.ReservationSpec;
import io.millrace.schemas.state.ReservationState;
import io.millrace.schemas.state.ReservationTransaction;
import io.millrace.schemas.state.ReservationWhole;
import io.millrace.schemas.state.SitePart;
import io.millrace.schemas.state.SiteWish;
import io.millrace.schemas.state.TransactionKind;
import io.millrace.schemas.state.WholePart;
import io.millrace.schemas.state.WholeState;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.Test;

/** What the harness finds in the ledgers of two installations, and what it leaves alone. */
class ReservationVerdictTest {
  private static final long HOUR_MS = 3_600_000;
  private static final FactMeta META = new FactMeta(1L, 0L, new CommandId(new byte[16]), "x");

  private final LedgerReservations here = new LedgerReservations();
  private final LedgerReservations far = new LedgerReservations();
  private final List<TransactionAnswer> answers = new ArrayList<>();
  private int submitted = 1;

  private static void tell(LedgerReservations book, SpecificRecord fact) {
    book.take(new LedgerEntry(0, 0, fact));
  }

  private static Reservation reservation(long number, String node, int hour) {
    ReservationSpec spec =
        ReservationSpec.newBuilder()
            .setOwner("ann")
            .setSubmitHost("vm")
            .setStartMs(hour * HOUR_MS)
            .setEndMs((hour + 1) * HOUR_MS)
            .setRequest(new ResourceRequest(List.of(), "", -1L, Map.of()))
            .setResourceList(List.of())
            .build();
    return Reservation.newBuilder()
        .setId("R" + number + ".vm")
        .setNumber(number)
        .setQueue("R" + number)
        .setSpec(spec)
        .setState(ReservationState.CONFIRMED)
        .setSubstate(ReservationState.CONFIRMED)
        .setBooked(List.of(new BookedNode(node, Map.of(), true)))
        .setCreatedMs(0L)
        .setModifiedMs(0L)
        .build();
  }

  private static void confirm(LedgerReservations book, Reservation reservation) {
    tell(book, new ReservationConfirmed(META, reservation, "default", 1L, false));
  }

  private void whole(WholeState state) {
    WholePart part =
        WholePart.newBuilder()
            .setPartition("p1")
            .setShard(0)
            .setReservationId("R2.vm")
            .setState(PartState.COMMITTED)
            .build();
    SiteWish wish = new SiteWish("far", "pbs-default", 1);
    WholePart there =
        WholePart.newBuilder()
            .setPartition("far:pbs-default")
            .setShard(-1)
            .setReservationId("R5")
            .setState(PartState.COMMITTED)
            .setThere(
                SitePart.newBuilder().setWish(wish).setHoldId(new CommandId(new byte[16])).build())
            .build();
    ReservationWhole whole =
        ReservationWhole.newBuilder()
            .setId("W1.vm")
            .setNumber(1L)
            .setOwner("ann")
            .setState(state)
            .setParts(List.of(part, there))
            .setCreatedMs(0L)
            .build();
    tell(here, new WholeDecided(META, whole, true));
  }

  private void parts() {
    Reservation part = reservation(2, "n1", 5);
    part.setWhole(new PartOf("W1.vm", 1L, 0, 0, List.of("p1", "far:pbs-default")));
    confirm(here, part);
    confirm(far, reservation(5, "f1", 5));
  }

  private void told(TransactionWay way, String name, ClientKnows told) {
    told(way, name, told, 0);
  }

  private void told(TransactionWay way, String name, ClientKnows told, int hour) {
    TransactionPlan plan = new TransactionPlan(0, way, "p1=1", 0, false, false);
    answers.add(new TransactionAnswer(plan, name, told, hour * HOUR_MS, List.of()));
  }

  private ReservationVerdict verdict() {
    return ReservationVerdict.of(here, far, answers, submitted);
  }

  @Test
  void allIsWell() {
    whole(WholeState.KEPT);
    parts();
    confirm(here, reservation(7, "n1", 6));
    told(TransactionWay.TOGETHER, "W1", ClientKnows.THERE);
    told(TransactionWay.COMMITTED, "R7", ClientKnows.THERE, 6);
    told(TransactionWay.ABORTED, "R8", ClientKnows.GONE);
    granted("n9");
    assertEquals(List.of(), verdict().findings());
    assertEquals(new CarriedOut(1, 0, 1, 0, 0, 0, 1, 1), verdict().carriedOut());
    assertTrue(verdict().clean());
  }

  @Test
  void whatIsStillHeld() {
    Reservation held = reservation(7, "n1", 6);
    held.setPending(
        new ReservationTransaction(
            TransactionKind.RESERVE, "a@b", 0L, null, List.of(), "", List.of()));
    tell(here, new ReservationSettled(META, held, true, "", "", TransactionKind.RESERVE));
    told(TransactionWay.COMMITTED, "R7", ClientKnows.THERE, 6);
    assertEquals(1, verdict().of(ReservationFinding.HELD).size());
    whole(WholeState.CONFIRMING);
    assertEquals(2, verdict().of(ReservationFinding.HELD).size());
  }

  @Test
  void aNodeThatIsBookedTwice() {
    confirm(here, reservation(7, "n1", 6));
    confirm(here, reservation(8, "n2", 6));
    confirm(here, reservation(9, "n1", 7));
    assertEquals(List.of(), verdict().of(ReservationFinding.DOUBLE_BOOKED));
    Reservation ended = reservation(8, "n2", 6);
    tell(here, new ReservationEnded(META, ended, ""));
    confirm(here, reservation(10, "n2", 6));
    assertEquals(List.of(), verdict().of(ReservationFinding.DOUBLE_BOOKED));
    confirm(here, reservation(11, "n1", 6));
    assertEquals(
        List.of("n1 is booked for R11 and R7"), verdict().of(ReservationFinding.DOUBLE_BOOKED));
  }

  @Test
  void halfAWhole() {
    whole(WholeState.KEPT);
    parts();
    told(TransactionWay.TOGETHER, "W1", ClientKnows.THERE);
    tell(far, new ReservationEnded(META, reservation(5, "f1", 5), ""));
    assertEquals(
        List.of("W1.vm has no part far:pbs-default"), verdict().of(ReservationFinding.HALF));
  }

  @Test
  void aPartThatIsHeldIsNoPartOfNothing() {
    Reservation part = reservation(2, "n1", 5);
    part.setWhole(new PartOf("W1.vm", 1L, 0, 0, List.of("p1")));
    part.setPending(
        new ReservationTransaction(
            TransactionKind.RESERVE, "a@b", 0L, null, List.of(), "", List.of()));
    confirm(here, part);
    assertEquals(1, verdict().of(ReservationFinding.HELD).size());
    assertEquals(List.of(), verdict().of(ReservationFinding.HALF));
    part.setPending(null);
    assertEquals(1, verdict().of(ReservationFinding.HALF).size());
  }

  @Test
  void partsOfNothing() {
    whole(WholeState.KEPT);
    parts();
    tell(here, new WholeEnded(META, here.wholes().iterator().next()));
    assertEquals(2, verdict().of(ReservationFinding.HALF).size(), verdict()::toString);
  }

  @Test
  void answersThatAreNotTrue() {
    confirm(here, reservation(7, "n1", 6));
    confirm(here, reservation(8, "n1", 8));
    told(TransactionWay.COMMITTED, "R6", ClientKnows.THERE);
    told(TransactionWay.ABORTED, "R7", ClientKnows.GONE);
    assertEquals(
        3,
        verdict().of(ReservationFinding.UNTRUE).size(),
        "one is missing, one is there, one is nobody's");
    told(TransactionWay.COMMITTED, "", ClientKnows.NOTHING);
    assertEquals(
        2,
        verdict().of(ReservationFinding.UNTRUE).size(),
        "that one may be his who was told nothing");
    confirm(here, reservation(9, "n1", 9));
    assertEquals(
        4, verdict().of(ReservationFinding.UNTRUE).size(), "one who was told nothing has not two");
  }

  /** R7 at the hour 6, which is to begin at the hour 8 instead. */
  private static Reservation moving() {
    Reservation moving = reservation(7, "n1", 6);
    ReservationSpec later = ReservationSpec.newBuilder(moving.getSpec()).build();
    later.setStartMs(8 * HOUR_MS);
    later.setEndMs(9 * HOUR_MS);
    moving.setPending(
        new ReservationTransaction(
            TransactionKind.MODIFY, "a@b", 0L, later, List.of(), "", List.of()));
    return moving;
  }

  @Test
  void whatItIsAndWhatItIsToBeAreBothBooked() {
    confirm(here, moving());
    confirm(here, reservation(8, "n1", 7));
    granted("n2");
    assertEquals(List.of(), verdict().of(ReservationFinding.DOUBLE_BOOKED));
    assertEquals(1, verdict().carriedOut().modified());
    confirm(here, reservation(9, "n1", 8));
    assertEquals(
        List.of("n1 is booked for R7 and R9"), verdict().of(ReservationFinding.DOUBLE_BOOKED));
    confirm(here, reservation(10, "n1", 6));
    assertEquals(
        List.of("n1 is booked for R10 and R7", "n1 is booked for R7 and R9"),
        verdict().of(ReservationFinding.DOUBLE_BOOKED));
    Reservation other = moving();
    other.getPending().setBooked(List.of(new BookedNode("n3", Map.of(), true)));
    confirm(here, other);
    granted("n3");
    assertEquals(List.of("3.vm runs on n3 into R7"), verdict().of(ReservationFinding.RAN_OVER));
  }

  @Test
  void aWindowThatNobodyWasTold() {
    confirm(here, reservation(7, "n1", 6));
    told(TransactionWay.MODIFIED, "R7", ClientKnows.THERE, 6);
    assertEquals(List.of(), verdict().of(ReservationFinding.UNTRUE));
    answers.clear();
    told(TransactionWay.MODIFIED, "R7", ClientKnows.THERE, 8);
    assertEquals(1, verdict().of(ReservationFinding.UNTRUE).size());
  }

  @Test
  void whatCameAboutIsNoFinding() {
    whole(WholeState.KEPT);
    parts();
    told(TransactionWay.TOGETHER, "W1", ClientKnows.THERE);
    granted("n9");
    assertEquals(
        "{\"transactions\":1,\"kills\":2,\"held\":0,\"double_booked\":0,\"half\":0,"
            + "\"untrue_answers\":0,\"ran_over\":0,\"untold\":0,\"too_few\":0,"
            + "\"came_about\":{\"kept\":1,\"cancelled\":0,\"across\":1,\"ended\":0,\"modified\":0,"
            + "\"destroyed\":0,\"submitted\":1,\"granted\":1}}",
        new ReservationFaults.ReservationFaultReport(1, 2, verdict(), "", 1).json());
  }

  @Test
  void whoWasToldNothingIsAFinding() {
    told(TransactionWay.COMMITTED, "R7", ClientKnows.NOTHING);
    confirm(here, reservation(7, "n1", 6));
    granted("n9");
    assertEquals(1, verdict().of(ReservationFinding.UNTOLD).size());
    assertEquals(1, verdict().findings().size());
    confirm(here, reservation(8, "n1", 7));
    assertEquals(
        List.of("R8 is there, and nobody was told so"),
        verdict().of(ReservationFinding.UNTRUE),
        "whose answer was lost has another one");
  }

  private void granted(String node) {
    Allocation on =
        new Allocation(List.of(new NodeShare(node, node, 1, Map.of())), node, node, null);
    tell(here, new RunGranted(META, "3.vm", 1, "default", 1L, on));
  }

  private void planned(String at, boolean cancelled, int times) {
    for (int i = 0; i < times; i++) {
      TransactionPlan plan =
          new TransactionPlan(i, TransactionWay.TOGETHER, at, 0, false, cancelled);
      answers.add(new TransactionAnswer(plan, "", ClientKnows.GONE, 0, List.of()));
    }
  }

  /** As when the other installation denies all. */
  @Test
  void whereNothingIsCarriedOutNothingIsProved() {
    planned("p1=1,far:pbs-default=1", false, 4);
    planned("p1=1,p2=1", true, 8);
    for (int i = 0; i < 4; i++) {
      told(TransactionWay.ENDED, "", ClientKnows.GONE);
    }
    for (int i = 0; i < 12; i++) {
      told(i < 8 ? TransactionWay.DESTROYED : TransactionWay.MODIFIED, "", ClientKnows.GONE);
    }
    assertEquals(
        List.of(
            "0 stay, and 1 at least have to",
            "0 are cancelled, and 2 at least have to",
            "0 are in both, and 1 at least have to",
            "0 are ended, and 1 at least have to",
            "0 are modified, and 1 at least have to",
            "0 are destroyed, and 2 at least have to",
            "0 are jobs that run, and 1 at least have to"),
        verdict().of(ReservationFinding.TOO_FEW));
    granted("n9");
    submitted = 9;
    assertEquals(
        "0 are in both, and 1 at least have to", verdict().of(ReservationFinding.TOO_FEW).get(2));
    assertEquals(
        "1 are jobs that run, and 2 at least have to",
        verdict().of(ReservationFinding.TOO_FEW).get(6));
  }

  @Test
  void whatIsCarriedOutIsCounted() {
    whole(WholeState.COMMITTING);
    assertEquals(new CarriedOut(0, 0, 0, 0, 0, 0, 1, 0), verdict().carriedOut());
    whole(WholeState.KEPT);
    assertEquals(new CarriedOut(1, 0, 1, 0, 0, 0, 1, 0), verdict().carriedOut());
    whole(WholeState.ENDING);
    tell(here, new WholeEnded(META, here.wholes().iterator().next()));
    assertEquals(new CarriedOut(0, 1, 1, 0, 0, 0, 1, 0), verdict().carriedOut());
  }

  @Test
  void aRunIntoWhatOthersHaveBooked() {
    confirm(here, reservation(7, "n1", 0));
    granted("n2");
    granted("n1");
    assertEquals(List.of("3.vm runs on n1 into R7"), verdict().of(ReservationFinding.RAN_OVER));
  }

  /** Granted for an hour at the hour 0, before what is booked from the hour 1 on. */
  @Test
  void aRunThatBeginsLateIntoWhatOthersHaveBooked() {
    confirm(here, reservation(7, "n1", 1));
    tell(here, new JobQueued(META, job(3600), List.of()));
    granted("n1");
    tell(here, new RunStarted(META, "3.vm", 1, 77L, 500L));
    assertEquals(List.of(), verdict().of(ReservationFinding.RAN_OVER), "half a second late");
    tell(here, new RunStarted(META, "3.vm", 1, 77L, 1_200_000L));
    assertEquals(List.of("3.vm lasts on n1 into R7"), verdict().of(ReservationFinding.RAN_OVER));
    tell(here, new RunShortened(META, "3.vm", 1, 0L, 2_400L, "R7.vm"));
    assertEquals(List.of(), verdict().of(ReservationFinding.RAN_OVER));
    tell(here, new RunShortened(META, "3.vm", 1, 0L, 2_401L, "R7.vm"));
    assertEquals(1, verdict().of(ReservationFinding.RAN_OVER).size());
    tell(here, new RunPreempted(META, "3.vm", 1, "R7.vm", true, "server@vm"));
    assertEquals(List.of(), verdict().of(ReservationFinding.RAN_OVER));
  }

  private static Job job(long walltimeS) {
    JobSpec spec = new JobSpec();
    spec.setQueue("workq");
    spec.setRequest(new ResourceRequest(List.of(), "", walltimeS, Map.of()));
    Job job = new Job();
    job.setId("3.vm");
    job.setSpec(spec);
    return job;
  }

  /** Whatever the seed, a short run has each way, and each that may be cancelled both ways. */
  @Test
  void plansDifferBySeed() {
    assertEquals(TransactionPlan.of(1, 5, 3), TransactionPlan.of(1, 5, 3));
    Set<List<TransactionWay>> first = new HashSet<>();
    for (int seed = 1; seed <= 40; seed++) {
      Set<TransactionWay> kept = new HashSet<>();
      Set<Boolean> whole = new HashSet<>();
      List<TransactionWay> begin = new ArrayList<>();
      for (int i = 0; i < 24; i++) {
        TransactionPlan plan = TransactionPlan.of(seed, i, 3);
        if (!plan.cancelled()) {
          kept.add(plan.way());
        }
        if (plan.way() == TransactionWay.TOGETHER) {
          whole.add(plan.cancelled());
        }
        if (i < 10) {
          begin.add(plan.way());
        }
      }
      assertEquals(Set.of(TransactionWay.values()), kept, "seed " + seed);
      assertEquals(Set.of(true, false), whole, "seed " + seed);
      first.add(begin);
    }
    assertTrue(first.size() > 1);
  }

  /** Each partition has parts, and some reservations have one in each of them. */
  @Test
  void plansUseAllPartitions() {
    Set<String> used = new HashSet<>();
    boolean everywhere = false;
    for (int i = 0; i < 400; i++) {
      String at = TransactionPlan.of(7, i, 8).at();
      List.of(at.split(",")).forEach(used::add);
      everywhere |= at.split(",").length == 9;
    }
    assertTrue(everywhere, used::toString);
    Set<String> all = new HashSet<>(Set.of("far:pbs-default=1"));
    TransactionPlan.partitions(8).forEach(it -> all.add(it + "=1"));
    assertEquals(all, used);
  }
}
