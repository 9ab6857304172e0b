package io.millrace.ops.faults.reservations;

import io.millrace.ops.faults.reservations.TransactionAnswer.ClientKnows;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.ReservationWhole;
import io.millrace.schemas.state.WholePart;
import io.millrace.schemas.state.WholeState;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What is wrong in the end, and what has come about.
 *
 * @param all a line for each finding
 */
record ReservationVerdict(Map<ReservationFinding, List<String>> all, CarriedOut carriedOut) {

  /**
   * @param here where all was asked for
   * @param far the other installation, in which nobody else reserves
   * @param submitted how many jobs were submitted meanwhile
   */
  static ReservationVerdict of(
      LedgerReservations here,
      LedgerReservations far,
      List<TransactionAnswer> answers,
      int submitted) {
    List<String> held = new ArrayList<>(here.held());
    far.held().forEach(it -> held.add("far " + it));
    List<String> twice = new ArrayList<>(here.doubleBooked());
    twice.addAll(far.doubleBooked());
    List<String> over = new ArrayList<>(here.ranOver());
    over.addAll(far.ranOver());
    CarriedOut carriedOut = CarriedOut.of(here, submitted);
    Map<ReservationFinding, List<String>> all = new EnumMap<>(ReservationFinding.class);
    all.put(ReservationFinding.HELD, held);
    all.put(ReservationFinding.DOUBLE_BOOKED, twice);
    all.put(ReservationFinding.HALF, half(here, far));
    all.put(ReservationFinding.UNTRUE, untrue(here, answers));
    all.put(ReservationFinding.UNTOLD, untold(answers));
    all.put(ReservationFinding.RAN_OVER, over);
    all.put(ReservationFinding.TOO_FEW, carriedOut.tooFew(answers));
    return new ReservationVerdict(all, carriedOut);
  }

  List<String> of(ReservationFinding kind) {
    return all.get(kind);
  }

  boolean clean() {
    return all.values().stream().allMatch(List::isEmpty);
  }

  List<String> findings() {
    List<String> lines = new ArrayList<>();
    all.forEach((kind, each) -> each.forEach(it -> lines.add(kind.says(it))));
    return lines;
  }

  private static List<String> untold(List<TransactionAnswer> answers) {
    return answers.stream()
        .filter(it -> it.told() == ClientKnows.NOTHING)
        .map(TransactionAnswer::toString)
        .toList();
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
      boolean held = each.getPending() != null; // which is told as that
      if (each.getWhole() != null && !held && !inHere.contains(each.getQueue())) {
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
    Map<String, Long> begins = new HashMap<>();
    here.present().stream()
        .filter(it -> it.getWhole() == null)
        .forEach(it -> begins.put(it.getQueue(), it.getSpec().getStartMs()));
    there.addAll(begins.keySet());
    here.wholes().forEach(it -> there.add(it.getId().replaceFirst("\\..*", "")));
    List<String> untrue = new ArrayList<>();
    Set<String> named = new HashSet<>();
    int nameless = 0;
    for (TransactionAnswer answer : answers) {
      named.add(answer.name());
      nameless += answer.told() == ClientKnows.NOTHING && answer.name().isEmpty() ? 1 : 0;
      boolean is = there.contains(answer.name());
      boolean wrong =
          answer.told() == ClientKnows.THERE && !is && !answer.plan().soon()
              || answer.told() == ClientKnows.GONE && is;
      if (wrong) {
        untrue.add((is ? "it is there: " : "it is not there: ") + answer);
      } else if (answer.told() == ClientKnows.THERE
          && begins.getOrDefault(answer.name(), answer.startMs()) != answer.startMs()) {
        untrue.add("it has another window: " + answer);
      }
    }
    there.removeAll(named);
    if (there.size() > nameless) { // each of those who were told no name may have one
      there.forEach(each -> untrue.add(each + " is there, and nobody was told so"));
    }
    return untrue;
  }
}
