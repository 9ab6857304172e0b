package io.millrace.ops.faults.reservations;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * What a client does with one reservation; depends on the seed and its number only.
 *
 * @param slot which ten minutes of the days to come
 * @param soon whether it begins within a minute instead, so that jobs are in its way
 * @param cancelled whether it is cancelled when it was made
 */
record TransactionPlan(
    int number, TransactionWay way, String at, int slot, boolean soon, boolean cancelled) {

  /** How it is made. */
  enum TransactionWay {
    /** Held, then committed. */
    COMMITTED,
    /** Held, then aborted. */
    ABORTED,
    /** Made, its end held, then committed. */
    ENDED,
    /** In several partitions, of this installation or of both. */
    TOGETHER
  }

  private static final List<String> ONE = List.of("pbs-default=1", "p1=1", "p2=1");
  private static final List<String> SEVERAL =
      List.of(
          "p1=1,p2=1",
          "pbs-default=1,p1=1,p2=1",
          "p1=1,far:pbs-default=1",
          "p2=1,far:pbs-default=1",
          "pbs-default=1,p1=1,far:pbs-default=1",
          "far:pbs-default=1");

  private static final int SLOTS = 1500;
  private static final int SLOT_MINUTES = 10;
  private static final int AHEAD_HOURS = 6;

  static TransactionPlan of(long seed, int number) {
    SplittableRandom random = new SplittableRandom(seed * 7919 + number);
    TransactionWay way =
        switch (random.nextInt(10)) {
          case 0, 1 -> TransactionWay.COMMITTED;
          case 2 -> TransactionWay.ABORTED;
          case 3 -> TransactionWay.ENDED;
          default -> TransactionWay.TOGETHER;
        };
    List<String> places = way == TransactionWay.TOGETHER ? SEVERAL : ONE;
    String at = places.get(random.nextInt(places.size()));
    boolean soon = way == TransactionWay.COMMITTED && random.nextInt(3) == 0;
    return new TransactionPlan(
        number, way, at, random.nextInt(SLOTS), soon, random.nextInt(4) == 0);
  }

  /** Whether a part of it is in the other installation. */
  boolean across() {
    return at.contains("far:");
  }

  /** The arguments of plus_reserve. */
  List<String> arguments(Instant now) {
    Instant start =
        soon
            ? now.plusSeconds(45).truncatedTo(ChronoUnit.SECONDS)
            : now.truncatedTo(ChronoUnit.HOURS)
                .plus(AHEAD_HOURS, ChronoUnit.HOURS)
                .plus((long) slot * SLOT_MINUTES, ChronoUnit.MINUTES);
    List<String> arguments = new ArrayList<>();
    boolean held = way == TransactionWay.COMMITTED || way == TransactionWay.ABORTED;
    if (held) {
      arguments.add("-T");
    }
    arguments.addAll(List.of("--at", at, "-s", start.toString(), "-ncpu", "1"));
    arguments.addAll(List.of("-D", soon ? "20" : Integer.toString(SLOT_MINUTES * 60)));
    return arguments;
  }
}
