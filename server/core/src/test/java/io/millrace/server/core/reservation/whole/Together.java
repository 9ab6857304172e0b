package io.millrace.server.core.reservation.whole;

import io.millrace.schemas.command.DeleteTogether;
import io.millrace.schemas.command.ReportSitePart;
import io.millrace.schemas.command.ReserveTogether;
import io.millrace.schemas.common.Chunk;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.common.Role;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.state.NodeBooking;
import io.millrace.schemas.state.PartState;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.ReservationSpec;
import io.millrace.schemas.state.ReservationWhole;
import io.millrace.schemas.state.SiteWish;
import io.millrace.server.core.shard.Calls;
import io.millrace.server.core.shard.ReservationCalls;
import io.millrace.server.core.shard.TestShards;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Three partitions in three shards, each with a node of 4 cpus, and what is reserved in them. */
final class Together {
  static final String HOME = "pbs-default";
  static final String EAST = "peast";
  static final String WEST = "pwest";
  static final long HOUR_MS = 3_600_000;

  private static final Map<String, String> SCHEDULERS =
      Map.of(HOME, "default", EAST, "es", WEST, "ws");
  private static final Map<String, String> NODES = Map.of(HOME, "n0", EAST, "e0", WEST, "w0");

  final TestShards shards = TestShards.threePartitions();
  final long beginMs = shards.nowMs;

  /** 3 cpus in each partition. */
  ReserveTogether wish(String owner, int hour, String... partitions) {
    List<ReservationSpec> parts = new ArrayList<>();
    for (String partition : partitions) {
      long startMs = beginMs + hour * HOUR_MS;
      Chunk chunk = new Chunk(1, Map.of("ncpus", 3L), Map.of());
      parts.add(ReservationCalls.spec(owner, partition, startMs, startMs + HOUR_MS, "", chunk));
    }
    return new ReserveTogether(shards.user(owner), parts, List.of(), List.of(), 0L, 0L);
  }

  /** The same, and two nodes of a partition of each of these sites. */
  ReserveTogether wish(String owner, int hour, List<String> sites, String... partitions) {
    ReserveTogether wish = wish(owner, hour, partitions);
    wish.setStartMs(beginMs + hour * HOUR_MS);
    wish.setEndMs(wish.getStartMs() + HOUR_MS);
    wish.setArguments(List.of("-U", owner));
    wish.setSites(sites.stream().map(it -> new SiteWish(it, "P1", 2)).toList());
    return wish;
  }

  /** What is heard of the last part of the only whole. */
  ReportSitePart report(PartState state, String id, boolean hopeless, String why) {
    ReservationWhole whole = wholes().get(0);
    return ReportSitePart.newBuilder()
        .setMeta(shards.calls.silent("sites", Role.SITE, shards.nowMs))
        .setWhole(whole.getNumber())
        .setPart(whole.getParts().size() - 1)
        .setReservationId(id)
        .setState(state)
        .setHopeless(hopeless)
        .setWhy(why)
        .build();
  }

  DeleteTogether deletion(CommandMeta meta, String id) {
    return new DeleteTogether(meta, id, false);
  }

  List<Reservation> parts() {
    List<Reservation> all = new ArrayList<>();
    for (int i = 0; i < TestShards.COUNT; i++) {
      all.addAll(ReservationCalls.all(shards.tables(i)));
    }
    return all;
  }

  List<ReservationWhole> wholes() {
    List<ReservationWhole> all = new ArrayList<>();
    for (int i = 0; i < TestShards.COUNT; i++) {
      shards.tables(i).table(ReservationWhole.class).each(all::add);
    }
    return all;
  }

  int bookings() {
    List<NodeBooking> all = new ArrayList<>();
    for (int i = 0; i < TestShards.COUNT; i++) {
      shards.tables(i).bookings().each(all::add);
    }
    return all.size();
  }

  int shard(Reservation part) {
    return shards.shardOfScheduler(SCHEDULERS.get(part.getSpec().getPartition()));
  }

  /** The engine of the partition has found room, or believes so. */
  void confirm(Reservation part) {
    String scheduler = SCHEDULERS.get(part.getSpec().getPartition());
    String node = NODES.get(part.getSpec().getPartition());
    shards.send(
        shard(part),
        ReservationCalls.confirm(
            shards.engine(scheduler),
            shards.epoch(scheduler),
            scheduler,
            part,
            List.of(Calls.share(node, 1, 3))));
  }

  void deny(Reservation part) {
    String scheduler = SCHEDULERS.get(part.getSpec().getPartition());
    shards.send(
        shard(part),
        ReservationCalls.deny(
            shards.engine(scheduler), shards.epoch(scheduler), scheduler, part, "full"));
  }

  /** Confirms what is unconfirmed in these partitions, and lets the shards run. */
  void confirmIn(String... partitions) {
    for (Reservation part : parts()) {
      boolean meant = List.of(partitions).contains(part.getSpec().getPartition());
      if (meant && part.getShares().isEmpty()) {
        confirm(part);
      }
    }
    shards.run();
  }

  Reservation in(String partition) {
    return parts().stream()
        .filter(it -> it.getSpec().getPartition().equals(partition))
        .findFirst()
        .orElse(null);
  }

  /** Reserves, has all parts confirmed, and returns the answer. */
  Reply reserved(int shard, ReserveTogether wish) {
    shards.send(shard, wish);
    shards.run();
    wish.getParts().forEach(it -> confirmIn(it.getPartition()));
    return shards.answer(wish.getMeta());
  }
}
