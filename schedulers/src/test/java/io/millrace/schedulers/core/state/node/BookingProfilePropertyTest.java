package io.millrace.schedulers.core.state.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A profile is the sum of its bookings at each moment, in whichever order they came and went. */
class BookingProfilePropertyTest {

  private static final int TIMES = 40;
  private static final int RESOURCES = 4;

  private record One(long fromMs, long toMs, long[] amounts, boolean exclusive) {}

  @Test
  void isTheSumOfItsBookings() {
    for (int seed = 0; seed < 200; seed++) {
      Random random = new Random(seed);
      BookingProfile profile = new BookingProfile();
      List<One> all = new ArrayList<>();
      for (int step = 0; step < 60; step++) {
        if (all.isEmpty() || random.nextInt(5) < 3) {
          One one = any(random);
          all.add(one);
          profile.book(one.fromMs, one.toMs, one.amounts, one.exclusive, 1);
        } else {
          One one = all.remove(random.nextInt(all.size()));
          profile.book(one.fromMs, one.toMs, one.amounts, one.exclusive, -1);
        }
        check(profile, all, random, "seed " + seed + " step " + step);
      }
      all.forEach(it -> profile.book(it.fromMs, it.toMs, it.amounts, it.exclusive, -1));
      assertTrue(profile.isEmpty());
      assertEquals(0, profile.steps());
      assertEquals(0, profile.width());
    }
  }

  private static One any(Random random) {
    long fromMs = random.nextInt(TIMES);
    long[] amounts = new long[1 + random.nextInt(RESOURCES)];
    for (int i = 0; i < amounts.length; i++) {
      amounts[i] = random.nextInt(3);
    }
    return new One(fromMs, fromMs + 1 + random.nextInt(10), amounts, random.nextInt(4) == 0);
  }

  private static void check(BookingProfile profile, List<One> all, Random random, String where) {
    assertEquals(all.size(), profile.bookings(), where);
    for (int at = 0; at < TIMES + 12; at++) {
      int step = profile.stepAt(at);
      for (int resource = 0; resource < RESOURCES; resource++) {
        long sum = 0;
        for (One one : all) {
          boolean now = one.fromMs <= at && at < one.toMs && resource < one.amounts.length;
          sum += now ? one.amounts[resource] : 0;
        }
        assertEquals(sum, booked(profile, step, resource), where + " at " + at);
      }
    }
    long fromMs = random.nextInt(TIMES);
    long toMs = fromMs + 1 + random.nextInt(8);
    assertEquals(
        all.stream().noneMatch(it -> it.fromMs < toMs && it.toMs > fromMs),
        profile.freeIn(fromMs, toMs),
        where);
    assertEquals(
        all.stream().anyMatch(it -> it.exclusive && it.fromMs < toMs && it.toMs > fromMs),
        profile.aloneIn(fromMs, toMs),
        where);
    long first = all.stream().mapToLong(One::fromMs).min().orElse(Long.MAX_VALUE);
    assertEquals(first, profile.firstMs(), where);
  }

  private static long booked(BookingProfile profile, int step, int resource) {
    for (int k = 0; k < profile.width() && step >= 0; k++) {
      if (profile.resource(k) == resource) {
        return profile.booked(step, k);
      }
    }
    return 0;
  }
}
