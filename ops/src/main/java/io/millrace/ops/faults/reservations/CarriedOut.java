package io.millrace.ops.faults.reservations;

import io.millrace.ops.faults.reservations.TransactionPlan.TransactionWay;
import io.millrace.schemas.state.TransactionKind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * What has come about, without which nothing could have gone wrong.
 *
 * @param kept reservations in several partitions that stayed
 * @param cancelled those that were kept and then cancelled
 * @param across kept ones with a part in the other installation, whether they stayed or not
 * @param ended those whose end was held
 * @param modified those of which another window was held beside the one that they had
 * @param destroyed those whose end without a trace was held
 * @param submitted jobs of which the client got a number
 * @param granted runs of jobs
 */
record CarriedOut(
    int kept,
    int cancelled,
    int across,
    int ended,
    int modified,
    int destroyed,
    int submitted,
    int granted) {

  /** Kills have some refused, and chance others; far more than this share is carried out. */
  private static final int SHARE = 4;

  static CarriedOut of(LedgerReservations here, int submitted) {
    return new CarriedOut(
        here.wholesKept(),
        here.wholesCancelled(),
        here.wholesAcross(),
        here.heldTo(TransactionKind.CANCEL),
        here.heldTo(TransactionKind.MODIFY),
        here.heldTo(TransactionKind.DESTROY),
        submitted,
        here.granted());
  }

  /** By the names in the line of JSON. */
  Map<String, Integer> numbers() {
    Map<String, Integer> numbers = new LinkedHashMap<>();
    numbers.put("kept", kept);
    numbers.put("cancelled", cancelled);
    numbers.put("across", across);
    numbers.put("ended", ended);
    numbers.put("modified", modified);
    numbers.put("destroyed", destroyed);
    numbers.put("submitted", submitted);
    numbers.put("granted", granted);
    return numbers;
  }

  /** Of what there is too little, a line for each. */
  List<String> tooFew(List<TransactionAnswer> answers) {
    List<String> few = new ArrayList<>();
    TransactionWay whole = TransactionWay.TOGETHER;
    check(few, "stay", kept, planned(answers, whole, it -> !it.cancelled()));
    check(few, "are cancelled", cancelled, planned(answers, whole, TransactionPlan::cancelled));
    check(few, "are in both", across, planned(answers, whole, TransactionPlan::across));
    check(few, "are ended", ended, planned(answers, TransactionWay.ENDED, it -> true));
    check(few, "are modified", modified, planned(answers, TransactionWay.MODIFIED, it -> true));
    check(
        few,
        "are destroyed",
        destroyed,
        planned(answers, TransactionWay.DESTROYED, it -> !it.cancelled()));
    check(few, "are jobs that run", granted, Math.max(1, submitted / SHARE));
    return few;
  }

  /** So many of what was planned have to come about. */
  private static int planned(
      List<TransactionAnswer> answers, TransactionWay way, Predicate<TransactionPlan> condition) {
    return (int)
            answers.stream()
                .map(TransactionAnswer::plan)
                .filter(it -> it.way() == way && condition.test(it))
                .count()
        / SHARE;
  }

  private static void check(List<String> few, String what, int number, int least) {
    if (number < least) {
      few.add(number + " " + what + ", and " + least + " at least have to");
    }
  }
}
