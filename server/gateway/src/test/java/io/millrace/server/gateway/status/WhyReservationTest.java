package io.millrace.server.gateway.status;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.common.EngineCondition;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.state.LostNode;
import io.millrace.schemas.state.PastReservation;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.ReservationState;
import io.millrace.schemas.state.ReservationTransaction;
import io.millrace.schemas.state.Scheduler;
import io.millrace.schemas.state.TransactionKind;
import io.millrace.schemas.state.UsualOccurrence;
import io.millrace.server.gateway.command.FakeInvocation;
import io.millrace.server.gateway.command.FakeSite;
import io.millrace.server.gateway.command.RecordedReservations;
import java.util.List;
import org.junit.jupiter.api.Test;

/** why R7 says how a reservation stands, and how it has ended. */
class WhyReservationTest {

  private final FakeSite site = new FakeSite();
  private final Reservation r73 = RecordedReservations.r73();

  WhyReservationTest() {
    site.reservations.put(73L, r73);
  }

  private String why() throws Exception {
    FakeInvocation told = site.run("pbsu2", "why", "R73");
    assertEquals("", told.errors());
    assertTrue(told.output().startsWith("R73.vm: "), told.output());
    return told.output().substring("R73.vm: ".length()).strip();
  }

  @Test
  void aConfirmedOneTellsWhereAndWhen() throws Exception {
    String words =
        "confirmed by scheduler default on (vm[0]:ncpus=4); its window begins at"
            + " Fri Nov 20 16:10:00 2026 and lasts until Fri Nov 20 16:20:00 2026.";
    assertEquals(words, why());
    r73.setStartedMs(r73.getSpec().getStartMs());
    r73.setState(ReservationState.RUNNING);
    String runs =
        "its window has begun and lasts until Fri Nov 20 16:20:00 2026, on (vm[0]:ncpus=4).";
    assertEquals(runs, why());
    r73.setJob("91.vm");
    assertEquals(runs + " It was made of the run of job 91.vm.", why());
    r73.setJob("");
    r73.setIdleDueMs(r73.getSpec().getStartMs() + 60_000);
    String idle = " It has no job; if it gets none it is deleted at Fri Nov 20 16:11:00 2026.";
    assertEquals(runs + idle, why());
    r73.setIdleDueMs(0L);
    r73.setLost(
        List.of(
            new LostNode("vm[0]", "down", r73.getCreatedMs(), ""),
            new LostNode("vm[1]", "under maintenance", r73.getCreatedMs(), "M9.vm")));
    r73.setRetryMs(r73.getCreatedMs() + 600_000);
    r73.setPending(
        ReservationTransaction.newBuilder()
            .setKind(TransactionKind.CANCEL)
            .setBy("pbsu1@vm")
            .setOpenedMs(r73.getCreatedMs())
            .build());
    assertEquals(
        runs
            + " Lost: vm[0] (down since Fri Nov 20 15:40:53 2026), vm[1] (under maintenance with"
            + " M9.vm since Fri Nov 20 15:40:53 2026); others are looked for"
            + " whenever there may be room, and at Fri Nov 20 15:50:53 2026."
            + " A change of it by pbsu1@vm has been held since Fri Nov 20 15:40:53 2026"
            + " and is neither committed nor aborted.",
        why());
  }

  @Test
  void oneThatWaitsNamesWhatKeepsItsScheduler() throws Exception {
    r73.setState(ReservationState.UNCONFIRMED);
    r73.setShares(List.of());
    String since = "not confirmed since Fri Nov 20 15:40:53 2026. ";
    String denied = " At Fri Nov 20 16:10:00 2026 it is denied.";
    assertEquals(since + "No scheduler serves partition P1." + denied, why());
    site.put(ObjectKind.PARTITION, "P1", "scheduler", "s1");
    site.put(ObjectKind.SCHEDULER, "s1", "scheduling", "False");
    assertEquals(since + "Scheduler s1 has scheduling switched off." + denied, why());
    site.put(ObjectKind.SCHEDULER, "s1", "scheduling", "True");
    assertEquals(since + "The engine of scheduler s1 is down." + denied, why());
    Scheduler run = new Scheduler();
    run.setName("s1");
    run.setEpoch(3L);
    run.setCondition(EngineCondition.WORKS);
    site.schedulers.add(run);
    assertEquals(since + "Scheduler s1 has not decided yet." + denied, why());
  }

  /** The start is far; it is denied when whoever asked has waited enough. */
  @Test
  void oneThatWaitsSaysHowLongItIsWaitedFor() throws Exception {
    r73.setState(ReservationState.UNCONFIRMED);
    r73.setShares(List.of());
    r73.setInteractiveS(60L);
    r73.setAnswerDueMs(r73.getCreatedMs() + 60_000);
    assertTrue(why().endsWith(" At Fri Nov 20 16:10:00 2026 it is denied."), why());
    r73.setInteractiveS(-60L);
    assertTrue(why().endsWith(" At Fri Nov 20 15:41:53 2026 it is denied."), why());
    r73.setInteractiveS(0L);
    r73.setAnswerDueMs(0L);
    r73.setPending(
        ReservationTransaction.newBuilder()
            .setKind(TransactionKind.RESERVE)
            .setBy("pbsu1@vm")
            .setOpenedMs(r73.getCreatedMs())
            .build());
    assertTrue(why().endsWith(" At Fri Nov 20 15:50:53 2026 it is denied."), why());
  }

  @Test
  void anOccurrenceIsOneOfMany() throws Exception {
    r73.getSpec().setRule("FREQ=DAILY;COUNT=3");
    r73.getSpec().setLaterMs(List.of(r73.getSpec().getStartMs() + 86_400_000));
    r73.setOccurrence(2);
    r73.setOccurrences(3);
    String next = " The next one begins at Sat Nov 21 16:10:00 2026.";
    assertTrue(why().endsWith(" That is occurrence 2 of 3." + next), why());
    r73.setUsual(new UsualOccurrence(60_000L, r73.getSpec().getRequest(), List.of()));
    String alone = " That is occurrence 2 of 3, which alone was altered." + next;
    assertTrue(why().endsWith(alone), why());
    r73.setState(ReservationState.DELETING_JOBS);
    String over = "occurrence 2 of 3 is over; it waits for the end of its runs.";
    assertEquals(over + next, why());
    r73.setState(ReservationState.BEING_DELETED);
    r73.setEndedBy("root@vm");
    assertEquals("deleted by root@vm; it waits for the end of its jobs.", why());
  }

  @Test
  void whatIsOverIsRememberedWithItsReason() throws Exception {
    site.reservations.clear();
    r73.setState(ReservationState.DELETED);
    r73.setShares(List.of());
    long endedMs = r73.getCreatedMs();
    site.past.add(new PastReservation(r73, endedMs, endedMs, "it needs 16 of ncpus, 8 are there"));
    assertEquals(
        "deleted without having been confirmed at Fri Nov 20 15:40:53 2026:"
            + " it needs 16 of ncpus, 8 are there.",
        why());
    String told = site.run("pbsu2", "tracejob", "R73").output();
    assertTrue(told.startsWith("\nJob: R73.vm\n\n"), told);
    assertTrue(told.contains(" S    New reservation requested by pbsu1@vm\n"), told);
    assertTrue(told.contains(" S    reservation deleted: it needs 16 of ncpus"), told);
    r73.setState(ReservationState.FINISHED);
    assertEquals("its time is over; ended at Fri Nov 20 15:40:53 2026.", why());
  }

  @Test
  void anUnknownOneIsRefusedAsPbsDoes() throws Exception {
    FakeInvocation none = site.run("pbsu1", "why", "R99", "S73", "R73@vm");
    assertEquals(
        "why: Unknown Reservation Id R99.vm\nwhy: Unknown Reservation Id S73.vm\n", none.errors());
    assertEquals(15084 % 256, site.status);
    assertTrue(none.output().startsWith("R73.vm: confirmed"), none.output());
    assertEquals(
        "\ntracejob: Couldn't find Job Id R99.vm in logs of past 1 day\n\n",
        site.run("pbsu1", "tracejob", "R99").errors());
  }
}
