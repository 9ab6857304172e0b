package io.millrace.server.core.reservation.whole;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.command.AnswerPart;
import io.millrace.schemas.command.HoldPart;
import io.millrace.schemas.command.ReserveTogether;
import io.millrace.schemas.command.SettlePart;
import io.millrace.schemas.command.Tick;
import io.millrace.schemas.common.Role;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.ReservationWhole;
import io.millrace.schemas.state.WholeState;
import io.millrace.server.core.shard.ReservationCalls;
import io.millrace.server.core.shard.TestShards;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Whatever is lost in time, overtakes another or comes twice: in the end all parts are there or
 * none, nothing is held, and what was answered is true.
 */
class WholePropertyTest {
  private static final int STEPS = 1_500;
  private static final String[] PARTITIONS = {Together.HOME, Together.EAST, Together.WEST};

  private final Together all = new Together();
  private final List<ReserveTogether> asked = new ArrayList<>();

  /** Wholes that somebody ended, or of which an operator took a part. */
  private final Set<String> touched = new HashSet<>();

  private Random random;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
  void allOrNone(long seed) {
    random = new Random(seed);
    for (int i = 0; i < STEPS; i++) {
      act();
    }
    for (int shard = 0; shard < TestShards.COUNT; shard++) {
      all.shards.silence(shard, false);
    }
    all.shards.run();
    all.shards.pass(WholeRequest.HOLD_MS + WholeProgress.ENDING_MS + 1);
    check();
  }

  private void act() {
    int shard = random.nextInt(TestShards.COUNT);
    switch (random.nextInt(16)) {
      case 0 -> reserve(shard);
      case 1, 2 -> proposal();
      case 3 -> all.shards.silence(shard, random.nextInt(3) == 0);
      case 4 -> time();
      case 5 -> ending();
      case 6, 7, 8 -> all.shards.disorder(shard, random, WholePropertyTest::ofParts);
      default -> all.shards.step(shard);
    }
  }

  private static boolean ofParts(SpecificRecord command) {
    return command instanceof HoldPart
        || command instanceof AnswerPart
        || command instanceof SettlePart;
  }

  private void reserve(int shard) {
    List<String> partitions = new ArrayList<>();
    for (String each : PARTITIONS) {
      if (random.nextInt(3) > 0) {
        partitions.add(each);
      }
    }
    if (!partitions.isEmpty()) {
      ReserveTogether wish =
          all.wish("ann", 2 + random.nextInt(12), partitions.toArray(String[]::new));
      asked.add(wish);
      all.shards.send(shard, wish);
    }
  }

  private void proposal() {
    List<Reservation> open = all.parts().stream().filter(it -> it.getShares().isEmpty()).toList();
    if (!open.isEmpty()) {
      Reservation one = open.get(random.nextInt(open.size()));
      if (random.nextInt(8) == 0) {
        all.deny(one);
      } else {
        all.confirm(one);
      }
    }
  }

  private void time() {
    all.shards.nowMs += random.nextInt(6_000);
    for (int i = 0; i < TestShards.COUNT; i++) {
      all.shards.send(
          i, new Tick(all.shards.calls.silent("shard-" + i, Role.SHARD, all.shards.nowMs)));
    }
  }

  private void ending() {
    List<Reservation> parts = all.parts();
    if (parts.isEmpty()) {
      return;
    }
    Reservation part = parts.get(random.nextInt(parts.size()));
    String id = part.getWhole().getWhole();
    touched.add(id);
    if (random.nextInt(3) == 0) {
      all.shards.send(
          all.shard(part), ReservationCalls.delete(all.shards.operator(), part.getId()));
    } else {
      all.shards.send(part.getWhole().getShard(), all.deletion(all.shards.user("ann"), id));
    }
  }

  private void check() {
    List<Reservation> parts = all.parts();
    for (Reservation part : parts) {
      assertNull(part.getPending(), () -> "held for ever: " + part);
      ReservationWhole whole =
          all.wholes().stream()
              .filter(it -> it.getNumber() == part.getWhole().getNumber())
              .findFirst()
              .orElseThrow(() -> new AssertionError("left alone: " + part));
      assertEquals(WholeState.KEPT, whole.getState(), whole::toString);
      assertEquals(
          part.getId(),
          whole.getParts().get(part.getWhole().getPart()).getReservationId(),
          "made twice");
    }
    for (ReservationWhole whole : all.wholes()) {
      long there =
          parts.stream().filter(it -> it.getWhole().getNumber() == whole.getNumber()).count();
      if (!touched.contains(whole.getId())) {
        assertEquals(whole.getParts().size(), there, () -> "half: " + whole);
      }
      assertNull(whole.getWaiting(), whole::toString);
    }
    assertEquals(parts.size(), all.bookings(), "a booking for each part, and no other");
    answersAreTrue();
  }

  private void answersAreTrue() {
    int kept = 0;
    for (ReserveTogether wish : asked) {
      Reply reply = all.shards.answer(wish.getMeta());
      assertTrue(reply != null, () -> "no answer: " + wish.getMeta());
      String[] words = reply.getLines().get(0).split(" ");
      boolean there = all.wholes().stream().anyMatch(it -> it.getId().equals(words[0]));
      if (!touched.contains(words[0])) {
        assertEquals(words[1].equals("CONFIRMED"), there, reply::toString);
      }
      kept += there ? 1 : 0;
    }
    assertEquals(all.wholes().size(), kept);
    assertTrue(asked.size() > 20, () -> asked.size() + " were asked for");
  }
}
