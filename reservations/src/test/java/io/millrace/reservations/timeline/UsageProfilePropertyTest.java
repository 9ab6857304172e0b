package io.millrace.reservations.timeline;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.SeedSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;

/** Compares the step function with a plain array that has one cell per time. */
class UsageProfilePropertyTest {

  private static final int END = 60;

  private record Debit(int from, int to, int amount) {}

  @ParameterizedTest
  @SeedSource({1, 2})
  void equalsAPlainArray(long seed) {
    Random random = new Random(seed);
    for (int round = 0; round < 200; round++) {
      UsageProfile profile = new UsageProfile();
      long[] cells = new long[END + 1];
      List<Debit> open = new ArrayList<>();
      for (int step = 0; step < 30; step++) {
        if (!open.isEmpty() && random.nextInt(3) == 0) {
          Debit back = open.remove(random.nextInt(open.size()));
          profile.release(back.from, end(back.to), back.amount);
          add(cells, back, -1);
        } else {
          int from = random.nextInt(END);
          Debit debit = new Debit(from, from + random.nextInt(END - from + 1), random.nextInt(5));
          open.add(debit);
          profile.debit(debit.from, end(debit.to), debit.amount);
          add(cells, debit, 1);
        }
        compare(profile, cells, random);
      }
      open.forEach(it -> profile.release(it.from, end(it.to), it.amount));
      assertEquals("0", profile.toString());
    }
  }

  /** The last cell stands for all later time. */
  private static long end(int to) {
    return to == END ? UsageProfile.FOREVER : to;
  }

  private static void add(long[] cells, Debit debit, int sign) {
    for (int i = debit.from; i < debit.to || debit.to == END && i <= END && i >= debit.from; i++) {
      if (debit.to > debit.from) {
        cells[i] += (long) sign * debit.amount;
      }
    }
  }

  private static void compare(UsageProfile profile, long[] cells, Random random) {
    for (int t = 0; t <= END; t++) {
      assertEquals(cells[t], profile.at(t));
    }
    for (int i = 1; i < profile.steps(); i++) {
      assertTrue(profile.used(i) != profile.used(i - 1) && profile.time(i) > profile.time(i - 1));
    }
    int from = random.nextInt(END);
    int to = from + random.nextInt(END - from + 1);
    long most = 0;
    for (int t = from; t < to; t++) {
      most = Math.max(most, cells[t]);
    }
    assertEquals(most, profile.max(from, to));
    int duration = random.nextInt(2 * END);
    long limit = random.nextInt(12);
    assertEquals(earliest(cells, from, duration, limit), profile.earliest(from, duration, limit));
    UsageProfile trimmed = profile.copy();
    trimmed.trim(from);
    assertEquals(profile.max(from, END), trimmed.max(from, END));
    assertEquals(profile.at(from), trimmed.at(Long.MIN_VALUE));
  }

  private static long earliest(long[] cells, int from, int duration, long limit) {
    for (int start = from; start <= END; start++) {
      boolean free = true;
      for (int t = start; t < start + Math.max(1, duration); t++) {
        free &= cells[Math.min(t, END)] <= limit;
      }
      if (free) {
        return start;
      }
    }
    return UsageProfile.NEVER;
  }

  @Test
  void durationsWithoutEndDoNotOverflow() {
    UsageProfile profile = new UsageProfile();
    profile.debit(10, 20, 3);
    assertEquals(0, profile.earliest(0, 10, 0));
    assertEquals(20, profile.earliest(0, UsageProfile.FOREVER, 2));
    assertEquals(20, profile.earliest(1, 10, 2));
    profile.debit(30, UsageProfile.FOREVER, 1);
    assertEquals(UsageProfile.NEVER, profile.earliest(0, UsageProfile.FOREVER, 0));
    assertEquals(20, profile.earliest(5, 10, 0));
    assertEquals("0 10:3 20:0 30:1", profile.toString());
  }
}
