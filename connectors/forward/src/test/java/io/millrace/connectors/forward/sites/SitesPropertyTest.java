package io.millrace.connectors.forward.sites;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.SeedSource;
import io.millrace.schemas.command.AnswerPart;
import io.millrace.schemas.command.DeleteTogether;
import io.millrace.schemas.command.HoldPart;
import io.millrace.schemas.command.ReportSitePart;
import io.millrace.schemas.command.ReserveTogether;
import io.millrace.schemas.command.SettlePart;
import io.millrace.schemas.common.Chunk;
import io.millrace.schemas.common.Role;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.state.NodeBooking;
import io.millrace.schemas.state.PartState;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.ReservationSpec;
import io.millrace.schemas.state.ReservationWhole;
import io.millrace.schemas.state.SiteWish;
import io.millrace.schemas.state.WholePart;
import io.millrace.schemas.state.WholeState;
import io.millrace.server.core.shard.Calls;
import io.millrace.server.core.shard.ReservationCalls;
import io.millrace.server.core.shard.TestShards;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.params.ParameterizedTest;

/**
 * Two installations with real shards, and between them whoever speaks: killed at each step, with an
 * old picture, heard late, twice or never, and with answers that are lost, late, repeated or
 * nonsense. In the end all parts are there or none, nothing stays held, and what was answered is
 * true.
 */
class SitesPropertyTest {
  private static final int STEPS = 1_500;
  private static final long HOUR_MS = 3_600_000;
  private static final long HOLD_EXPIRES_MS = 11 * 60_000;
  private static final Map<String, String> SCHEDULERS = Map.of("peast", "es", "pwest", "ws");
  private static final Map<String, String> NODES = Map.of("peast", "e0", "pwest", "w0");

  private final TestShards home = TestShards.threePartitions();
  private final List<ReserveTogether> asked = new ArrayList<>();
  private final List<ReportSitePart> waiting = new ArrayList<>();
  private final List<ReservationWhole> oldPictures = new ArrayList<>();
  private final Set<String> touched = new HashSet<>();
  private final Set<String> sent = new HashSet<>();
  private final Map<String, PartRequest.PartNews> never = new HashMap<>();
  private Random random;
  private FarInstallation far;

  @ParameterizedTest
  @SeedSource(
      value = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12},
      night = 300)
  void allOrNone(long seed) throws Exception {
    random = new Random(seed);
    far = new FarInstallation(random);
    for (int i = 0; i < STEPS; i++) {
      act();
      pictures();
    }
    settle();
    check();
  }

  private void act() throws InterruptedException {
    int shard = random.nextInt(TestShards.COUNT);
    switch (random.nextInt(24)) {
      case 0 -> reserve(shard);
      case 1, 2, 3 -> decide();
      case 4 -> home.silence(shard, random.nextInt(4) == 0);
      case 5 -> time();
      case 6 -> end();
      case 7, 8 -> home.disorder(shard, random, SitesPropertyTest::ofParts);
      case 9, 10, 11, 12 -> request();
      case 13 -> hear();
      case 14 -> far.deliver();
      default -> {
        for (int i = 0; i < TestShards.COUNT; i++) {
          home.step(i);
        }
      }
    }
  }

  private static boolean ofParts(SpecificRecord command) {
    return command instanceof HoldPart
        || command instanceof AnswerPart
        || command instanceof SettlePart
        || command instanceof ReportSitePart;
  }

  private void reserve(int shard) {
    long startMs = home.nowMs + (40 + random.nextInt(12)) * HOUR_MS;
    List<ReservationSpec> parts = new ArrayList<>();
    for (String partition : SCHEDULERS.keySet().stream().sorted().toList()) {
      if (random.nextInt(2) == 0) {
        Chunk chunk = new Chunk(1, Map.of("ncpus", 3L), Map.of());
        parts.add(ReservationCalls.spec("ann", partition, startMs, startMs + HOUR_MS, "", chunk));
      }
    }
    String start = Long.toString(startMs);
    String end = Long.toString(startMs + HOUR_MS);
    List<SiteWish> sites = new ArrayList<>();
    for (int i = random.nextInt(5) == 0 ? 2 : 1; i > 0; i--) {
      // The second one finds what the first has taken: it is denied.
      sites.add(new SiteWish("far", "P" + i, 1));
    }
    ReserveTogether wish =
        new ReserveTogether(
            home.user("ann"),
            parts,
            sites,
            List.of("-s", start, "-e", end),
            startMs,
            startMs + HOUR_MS);
    asked.add(wish);
    home.send(shard, wish);
  }

  private List<Reservation> parts() {
    List<Reservation> all = new ArrayList<>();
    for (int i = 0; i < TestShards.COUNT; i++) {
      all.addAll(ReservationCalls.all(home.tables(i)));
    }
    return all;
  }

  private void decide() {
    for (Reservation part : parts()) {
      if (part.getShares().isEmpty() && random.nextInt(2) == 0) {
        String partition = part.getSpec().getPartition();
        String scheduler = SCHEDULERS.get(partition);
        SpecificRecord proposal =
            random.nextInt(12) == 0
                ? ReservationCalls.deny(
                    home.engine(scheduler), home.epoch(scheduler), scheduler, part, "full")
                : ReservationCalls.confirm(
                    home.engine(scheduler),
                    home.epoch(scheduler),
                    scheduler,
                    part,
                    List.of(Calls.share(NODES.get(partition), 1, 3)));
        home.send(home.shardOfScheduler(scheduler), proposal);
      }
    }
  }

  private void time() {
    boolean expired = random.nextInt(8) == 0;
    long ms = expired ? HOLD_EXPIRES_MS : random.nextInt(4_000);
    home.pass(expired ? 0 : ms);
    far.shards.pass(ms);
    home.nowMs = Math.max(home.nowMs, far.shards.nowMs - 2 * HOLD_EXPIRES_MS);
    far.shards.nowMs = Math.max(home.nowMs, far.shards.nowMs);
  }

  private void end() {
    List<ReservationWhole> all = wholes();
    if (!all.isEmpty() && random.nextInt(4) == 0) {
      ReservationWhole one = all.get(random.nextInt(all.size()));
      touched.add(one.getId());
      home.send(shardOf(one), new DeleteTogether(home.user("ann"), one.getId(), false));
    }
  }

  private List<ReservationWhole> wholes() {
    List<ReservationWhole> all = new ArrayList<>();
    for (int i = 0; i < TestShards.COUNT; i++) {
      home.tables(i).table(ReservationWhole.class).each(all::add);
    }
    return all;
  }

  private int shardOf(ReservationWhole whole) {
    for (int i = 0; i < TestShards.COUNT; i++) {
      List<ReservationWhole> all = new ArrayList<>();
      home.tables(i).table(ReservationWhole.class).each(all::add);
      if (all.stream().anyMatch(it -> it.getNumber() == whole.getNumber())) {
        return i;
      }
    }
    return -1;
  }

  private void pictures() {
    if (random.nextInt(5) == 0) {
      wholes().forEach(it -> oldPictures.add(ReservationWhole.newBuilder(it).build()));
      while (oldPictures.size() > 60) {
        oldPictures.remove(random.nextInt(oldPictures.size()));
      }
    }
  }

  /** One request, at times of who has an old picture, and perhaps killed before it is reported. */
  private void request() throws InterruptedException {
    if (random.nextInt(12) == 0) {
      restart();
    }
    List<ReservationWhole> seen = random.nextInt(6) == 0 ? oldPictures : wholes();
    if (!seen.isEmpty()) {
      requests(ReservationWhole.newBuilder(seen.get(random.nextInt(seen.size()))).build());
    }
  }

  private boolean requests(ReservationWhole whole) throws InterruptedException {
    boolean any = false;
    for (int i = 0; i < whole.getParts().size(); i++) {
      PartRequest.Need need = PartRequest.need(whole, whole.getParts().get(i));
      if (need == PartRequest.Need.NOTHING || need == PartRequest.Need.LOOK && !far.faulty) {
        continue;
      }
      any = true;
      PartRequest.PartNews news = news(whole, i);
      ReportSitePart report = report(whole, i, news);
      int fate = far.faulty ? random.nextInt(8) : 7;
      if (fate != 0) {
        waiting.add(report);
      }
      if (fate == 1) {
        waiting.add(report);
      }
      if (fate > 2) {
        hear();
      }
    }
    return any;
  }

  /** Another one speaks: what is there may have been asked for by the one before. */
  private void restart() {
    for (ReservationWhole whole : wholes()) {
      for (int i = 0; i < whole.getParts().size(); i++) {
        sent.add(whole.getId() + " " + i);
      }
    }
  }

  /** As who speaks does: what was never asked for stays so. */
  private PartRequest.PartNews news(ReservationWhole whole, int part) throws InterruptedException {
    String place = whole.getId() + " " + part;
    if (never.containsKey(place)) {
      return never.get(place);
    }
    boolean first = !sent.contains(place);
    PartRequest request = new PartRequest(whole, part, far, home.nowMs, first);
    PartRequest.PartNews news = request.run();
    if (first && news.state() == PartState.GONE) {
      never.put(place, news);
    } else if (request.wasSent()) {
      sent.add(place);
    }
    return news;
  }

  private ReportSitePart report(ReservationWhole whole, int part, PartRequest.PartNews news) {
    return ReportSitePart.newBuilder()
        .setMeta(home.calls.silent("sites", Role.SITE, home.nowMs))
        .setWhole(whole.getNumber())
        .setPart(part)
        .setReservationId(news.id())
        .setState(news.state())
        .setHopeless(news.hopeless())
        .setWhy(news.why())
        .setShown(news.shown())
        .setLost(news.lost())
        .build();
  }

  private void hear() {
    while (!waiting.isEmpty()) {
      ReportSitePart report = waiting.remove(random.nextInt(waiting.size()));
      for (int i = 0; i < TestShards.COUNT; i++) {
        home.send(i, report);
      }
    }
  }

  /** Everybody works again. */
  private void settle() throws InterruptedException {
    far.faulty = false;
    for (int shard = 0; shard < TestShards.COUNT; shard++) {
      home.silence(shard, false);
    }
    boolean open = true;
    for (int round = 0; open && round < 200; round++) {
      far.deliver();
      hear();
      home.run();
      open = false;
      for (ReservationWhole whole : wholes()) {
        open |= requests(ReservationWhole.newBuilder(whole).build());
      }
      hear();
      home.run();
      // What was refused without proof is over when its id is too old.
      home.pass(round < 100 ? 5_000 : 60_000);
      far.shards.nowMs = Math.max(far.shards.nowMs, home.nowMs);
      open |= wholes().stream().anyMatch(it -> it.getState() != WholeState.KEPT);
    }
    assertFalse(open, () -> "it does not come to rest: " + wholes());
    far.deliver();
    far.shards.pass(1);
    for (Reservation each : far.reservations()) {
      assertNull(each.getPending(), () -> "it was not given back: " + each);
    }
  }

  private void check() {
    Set<String> there = new HashSet<>();
    for (ReservationWhole whole : wholes()) {
      assertEquals(WholeState.KEPT, whole.getState(), whole::toString);
      assertNull(whole.getWaiting(), whole::toString);
      boolean free = !touched.contains(whole.getId());
      for (WholePart part : whole.getParts()) {
        if (part.getThere() != null) {
          if (free) {
            assertEquals(PartState.COMMITTED, part.getState(), () -> "half: " + whole);
          }
          there.add(part.getReservationId());
        }
      }
      long here =
          parts().stream().filter(it -> it.getWhole().getNumber() == whole.getNumber()).count();
      long due = whole.getParts().stream().filter(it -> it.getThere() == null).count();
      assertEquals(due, here, () -> "half: " + whole);
    }
    for (Reservation each : parts()) {
      assertNull(each.getPending(), () -> "held for ever: " + each);
    }
    for (Reservation each : far.reservations()) {
      assertNull(each.getPending(), () -> "held for ever: " + each);
      assertTrue(there.remove(each.getQueue()), () -> "left alone there: " + each);
    }
    assertEquals(Set.of(), there, "said to be there and are not");
    assertEquals(far.reservations().size(), bookings(far.shards));
    assertEquals(parts().size(), bookings(home));
    answersAreTrue();
  }

  private static int bookings(TestShards shards) {
    List<NodeBooking> all = new ArrayList<>();
    for (int i = 0; i < TestShards.COUNT; i++) {
      shards.tables(i).bookings().each(all::add);
    }
    return all.size();
  }

  private void answersAreTrue() {
    for (ReserveTogether wish : asked) {
      Reply reply = home.answer(wish.getMeta());
      assertTrue(reply != null, () -> "no answer: " + wish.getMeta());
      if (reply.getCode() == 0) {
        String[] words = reply.getLines().get(0).split(" ");
        boolean kept = words[1].equals("CONFIRMED");
        if (!touched.contains(words[0])) {
          boolean there = wholes().stream().anyMatch(it -> it.getId().equals(words[0]));
          assertEquals(kept, there, reply::toString);
        }
      }
    }
    assertTrue(asked.size() > 15, () -> asked.size() + " were asked for");
  }
}
