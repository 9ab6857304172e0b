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
 * @param cancelled whether it is cancelled when it was made; a change that is held is aborted, and
 *     one that is destroyed is so at once
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
    /** Made, its end without a trace held and then committed, or asked for at once. */
    DESTROYED,
    /** Made, another window held beside the one that it has, then committed or aborted. */
    MODIFIED,
    /** In several partitions, of this installation or of both. */
    TOGETHER
  }

  /** Partitions of the first installation in a usual run. */
  static final int PARTITIONS = 8;

  /** The fewest with which all ways can be gone. */
  static final int PARTITIONS_MIN = 3;

  private static final String FIRST = "pbs-default";
  private static final String FAR = "far:pbs-default=1";
  private static final List<String> SEVERAL =
      List.of(
          "p1=1,p2=1",
          "pbs-default=1,p1=1,p2=1",
          "p1=1," + FAR,
          "p2=1," + FAR,
          "pbs-default=1,p1=1," + FAR,
          FAR);

  private static final int WAYS = 10;
  private static final int QUARTERS = 4;
  private static final int SLOTS = 1500;
  private static final int SLOT_MINUTES = 10;
  private static final int AHEAD_HOURS = 6;

  /** Names of the partitions of the first installation. */
  static List<String> partitions(int count) {
    List<String> names = new ArrayList<>(List.of(FIRST));
    for (int i = 1; i < count; i++) {
      names.add("p" + i);
    }
    return names;
  }

  /** Where one with several parts may lie: with more partitions also in all of them. */
  private static List<String> several(List<String> one) {
    if (one.size() <= PARTITIONS_MIN) {
      return SEVERAL;
    }
    String all = String.join(",", one);
    List<String> several = new ArrayList<>(SEVERAL);
    several.addAll(List.of(all, all + "," + FAR));
    for (int i = PARTITIONS_MIN; i < one.size(); i++) {
      several.add(one.get(i - 1) + "," + one.get(i));
      several.add(one.get(i) + "," + FAR);
    }
    return several;
  }

  /**
   * @param partitions of the first installation
   */
  static TransactionPlan of(long seed, int number, int partitions) {
    SplittableRandom random = new SplittableRandom(seed * 7919 + number);
    // Each way has its turn, so that none is missing in a short run.
    int turn = new SplittableRandom(seed).nextInt(WAYS * QUARTERS) + number;
    TransactionWay way =
        switch (turn % WAYS) {
          case 0, 1 -> TransactionWay.COMMITTED;
          case 2 -> TransactionWay.ABORTED;
          case 3 -> TransactionWay.ENDED;
          case 4 -> TransactionWay.DESTROYED;
          case 5 -> TransactionWay.MODIFIED;
          default -> TransactionWay.TOGETHER;
        };
    List<String> one = partitions(partitions).stream().map(it -> it + "=1").toList();
    List<String> places = way == TransactionWay.TOGETHER ? several(one) : one;
    String at = places.get(random.nextInt(places.size()));
    boolean soon = way == TransactionWay.COMMITTED && random.nextInt(3) == 0;
    boolean cancelled = (turn / WAYS + turn) % QUARTERS == 0;
    return new TransactionPlan(number, way, at, random.nextInt(SLOTS), soon, cancelled);
  }

  /** Whether a part of it is in the other installation. */
  boolean across() {
    return at.contains("far:");
  }

  /** When it begins that is asked for now. */
  Instant start(Instant now) {
    return soon
        ? now.plusSeconds(45).truncatedTo(ChronoUnit.SECONDS)
        : now.truncatedTo(ChronoUnit.HOURS)
            .plus(AHEAD_HOURS, ChronoUnit.HOURS)
            .plus((long) slot * SLOT_MINUTES, ChronoUnit.MINUTES);
  }

  /** When it is to begin instead: within the window that it has, beside which this is held. */
  static Instant moved(Instant start) {
    return start.plus(SLOT_MINUTES / 2, ChronoUnit.MINUTES);
  }

  /** The arguments of plus_modify by which it is moved there. */
  static List<String> change(String name, Instant start) {
    Instant end = moved(start).plus(SLOT_MINUTES, ChronoUnit.MINUTES);
    return List.of("-T", "-r", name, "-s", moved(start).toString(), "-e", end.toString());
  }

  /** A change is held of what is no part of anything: that is asked for by a queue's partition. */
  private List<String> place() {
    boolean alone =
        way == TransactionWay.ENDED
            || way == TransactionWay.DESTROYED
            || way == TransactionWay.MODIFIED;
    if (!alone) {
      return List.of("--at", at);
    }
    String partition = at.substring(0, at.indexOf('='));
    return partition.equals(FIRST)
        ? List.of("-n", "1")
        : List.of("-n", "1", "-sgeq", partition.replace('p', 'q'));
  }

  /** The arguments of plus_reserve. */
  List<String> arguments(Instant start) {
    List<String> arguments = new ArrayList<>();
    boolean held = way == TransactionWay.COMMITTED || way == TransactionWay.ABORTED;
    if (held) {
      arguments.add("-T");
    }
    arguments.addAll(place());
    arguments.addAll(List.of("-s", start.toString(), "-ncpu", "1"));
    arguments.addAll(List.of("-D", soon ? "20" : Integer.toString(SLOT_MINUTES * 60)));
    return arguments;
  }
}
