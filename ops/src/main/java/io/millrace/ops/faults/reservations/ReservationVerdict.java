package io.millrace.ops.faults.reservations;

import io.millrace.ops.faults.reservations.TransactionAnswer.ClientKnows;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.ReservationWhole;
import io.millrace.schemas.state.WholePart;
import io.millrace.schemas.state.WholeState;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What is wrong in the end, a line for each finding. */
record ReservationVerdict(
    List<String> held,
    List<String> doubleBooked,
    List<String> half,
    List<String> untrue,
    List<String> ranOver) {

  /**
   * @param here where all was asked for
   * @param far the other installation, in which nobody else reserves
   */
  static ReservationVerdict of(
      LedgerReservations here, LedgerReservations far, List<TransactionAnswer> answers) {
    List<String> held = new ArrayList<>(here.held());
    far.held().forEach(it -> held.add("far " + it));
    List<String> twice = new ArrayList<>(here.doubleBooked());
    twice.addAll(far.doubleBooked());
    List<String> over = new ArrayList<>(here.ranOver());
    over.addAll(far.ranOver());
    return new ReservationVerdict(held, twice, half(here, far), untrue(here, answers), over);
  }

  boolean clean() {
    return held.isEmpty()
        && doubleBooked.isEmpty()
        && half.isEmpty()
        && untrue.isEmpty()
        && ranOver.isEmpty();
  }

  List<String> findings() {
    List<String> all = new ArrayList<>();
    held.forEach(it -> all.add("held: " + it));
    doubleBooked.forEach(it -> all.add("double booked: " + it));
    half.forEach(it -> all.add("half: " + it));
    untrue.forEach(it -> all.add("untrue: " + it));
    ranOver.forEach(it -> all.add("ran over: " + it));
    return all;
  }

  private static List<String> half(LedgerReservations here, LedgerReservations far) {
    List<String> half = new ArrayList<>();
    Set<String> inHere = new HashSet<>();
    Set<String> inFar = new HashSet<>();
    for (ReservationWhole whole : here.wholes()) {
      if (whole.getState() != WholeState.KEPT) {
        continue;
      }
      for (WholePart part : whole.getParts()) {
        String queue = part.getReservationId().replaceFirst("\\..*", "");
        boolean elsewhere = part.getThere() != null;
        (elsewhere ? inFar : inHere).add(queue);
        if (!(elsewhere ? far : here).has(queue)) {
          half.add(whole.getId() + " has no part " + part.getPartition());
        }
      }
    }
    for (Reservation each : here.present()) {
      if (each.getWhole() != null && !inHere.contains(each.getQueue())) {
        half.add(each.getId() + " is a part of nothing");
      }
    }
    for (Reservation each : far.present()) {
      if (!inFar.contains(each.getQueue())) {
        half.add("far " + each.getId() + " is a part of nothing");
      }
    }
    return half;
  }

  /** One whose window is over by now has ended, as it should. */
  private static List<String> untrue(LedgerReservations here, List<TransactionAnswer> answers) {
    Set<String> there = new HashSet<>();
    here.present().stream()
        .filter(it -> it.getWhole() == null)
        .forEach(it -> there.add(it.getQueue()));
    here.wholes().forEach(it -> there.add(it.getId().replaceFirst("\\..*", "")));
    List<String> untrue = new ArrayList<>();
    Set<String> named = new HashSet<>();
    boolean open = false;
    for (TransactionAnswer answer : answers) {
      named.add(answer.name());
      open |= answer.told() == ClientKnows.NOTHING;
      boolean is = there.contains(answer.name());
      boolean wrong =
          answer.told() == ClientKnows.THERE && !is && !answer.plan().soon()
              || answer.told() == ClientKnows.GONE && is;
      if (wrong) {
        untrue.add((is ? "it is there: " : "it is not there: ") + answer);
      }
    }
    for (String each : there) {
      if (!named.contains(each) && !open) {
        untrue.add(each + " is there, and nobody was told so");
      }
    }
    return untrue;
  }
}
