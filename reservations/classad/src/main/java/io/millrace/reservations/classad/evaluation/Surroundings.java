package io.millrace.reservations.classad.evaluation;

import io.millrace.reservations.classad.tree.Value;
import java.time.Instant;
import java.time.ZoneId;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/**
 * What an evaluation knows besides its records.
 *
 * @param now the time
 * @param place whose local time counts
 * @param random for {@code random()}; seeded by the caller
 * @param names the value of a name that no record defines; null when it is not known. Names come in
 *     lower case.
 */
public record Surroundings(
    Instant now,
    ZoneId place,
    RandomGenerator random,
    Function<String, Value> names,
    WorkBounds bounds) {

  /** Without names, with the usual bounds. */
  public static Surroundings at(Instant now, ZoneId place, RandomGenerator random) {
    return new Surroundings(now, place, random, name -> null, WorkBounds.USUAL);
  }
}
