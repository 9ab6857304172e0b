package io.millrace.server.core.shard;

import io.millrace.schemas.command.AlterReservation;
import io.millrace.schemas.command.DeleteReservation;
import io.millrace.schemas.command.DeleteTogether;
import io.millrace.schemas.command.ForgetReservation;
import io.millrace.schemas.command.ReportSitePart;
import io.millrace.schemas.command.ReserveForJob;
import io.millrace.schemas.command.ReserveRun;
import io.millrace.schemas.command.ReserveTogether;
import io.millrace.schemas.command.SettleReservation;
import io.millrace.schemas.command.SubmitReservation;
import io.millrace.schemas.common.Chunk;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.common.ResourceRequest;
import io.millrace.schemas.pbs.resources.NodeAmounts;
import io.millrace.schemas.state.Node;
import io.millrace.schemas.state.OthersAtStart;
import io.millrace.schemas.state.PartOf;
import io.millrace.schemas.state.PartState;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.ReservationSpec;
import io.millrace.schemas.state.ReservationWhole;
import io.millrace.schemas.state.Scheduler;
import io.millrace.schemas.state.SiteWish;
import io.millrace.schemas.state.StartAction;
import io.millrace.server.core.placement.BookedRoom;
import io.millrace.server.core.placement.CustomResources;
import io.millrace.server.core.placement.PartitionTable;
import io.millrace.server.core.state.Tables;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.BiConsumer;
import org.apache.avro.specific.SpecificRecord;

/** What users and engines do with reservations; the engines guess, and are wrong often. */
final class ReservationActs {
  private static final List<String> PARTITIONS = List.of("pbs-default", "peast", "pwest");
  private static final int HOUR_MS = 3_600_000;
  private static final int MINUTE_MS = 60_000;

  private final Random random;
  private final TestShards shards;
  private final BiConsumer<Integer, SpecificRecord> user;

  ReservationActs(Random random, TestShards shards, BiConsumer<Integer, SpecificRecord> user) {
    this.random = random;
    this.shards = shards;
    this.user = user;
  }

  /** Hosts under maintenance, some of them of other shards or of nobody. */
  SubmitReservation maintenance(CommandMeta meta, List<String> hosts, long nowMs) {
    long startMs = nowMs + random.nextInt(HOUR_MS);
    long endMs = startMs + 1000 + random.nextInt(2 * HOUR_MS);
    String owner = meta.getPrincipal();
    ReservationSpec spec = ReservationCalls.spec(owner, pick(PARTITIONS), startMs, endMs, "");
    spec.setMaintained(hosts);
    return ReservationCalls.submit(meta, spec, 0);
  }

  /** A reservation, at times one in several partitions. */
  SpecificRecord wish(CommandMeta meta, String owner, ResourceRequest request, long nowMs) {
    SubmitReservation one = alone(meta, owner, request, nowMs);
    if (!chance(15)) {
      return one;
    }
    List<ReservationSpec> parts = new ArrayList<>();
    for (String partition : PARTITIONS) {
      if (chance(60)) {
        ReservationSpec part = ReservationSpec.newBuilder(one.getSpec()).build();
        part.setPartition(partition);
        parts.add(part);
      }
    }
    List<SiteWish> sites = new ArrayList<>();
    if (chance(40)) {
      sites.add(new SiteWish("far", "P1", 2));
    }
    ReservationSpec spec = one.getSpec();
    return new ReserveTogether(
        meta, parts, sites, List.of("-U", "ann"), spec.getStartMs(), spec.getEndMs());
  }

  /** What somebody says of a part in another installation; at times nonsense. */
  void report(CommandMeta speaker) {
    for (int shard = 0; shard < TestShards.COUNT; shard++) {
      List<ReservationWhole> all = new ArrayList<>();
      shards.tables(shard).table(ReservationWhole.class).each(all::add);
      all.removeIf(it -> it.getParts().stream().allMatch(part -> part.getThere() == null));
      if (!all.isEmpty() && chance(70)) {
        ReservationWhole one = all.get(random.nextInt(all.size()));
        PartState state = pick(List.of(PartState.values()));
        ReportSitePart report =
            ReportSitePart.newBuilder()
                .setMeta(speaker)
                .setWhole(one.getNumber())
                .setPart(chance(90) ? one.getParts().size() - 1 : random.nextInt(5) - 1)
                .setReservationId(
                    state == PartState.ASKED || chance(5) ? "" : "R" + one.getNumber())
                .setState(state)
                .setHopeless(chance(10))
                .setWhy(chance(30) ? "it does not answer" : "")
                .setShown(chance(50) ? "CONFIRMED" : "")
                .setLost(chance(20) ? List.of("n1 (down)") : List.of())
                .build();
        shards.send(shard, report);
        return;
      }
    }
  }

  private SubmitReservation alone(
      CommandMeta meta, String owner, ResourceRequest request, long nowMs) {
    // Of those that are soon and short more begin and come again while the history lasts.
    boolean soon = chance(50);
    long aheadMs = random.nextInt(soon ? 5 * MINUTE_MS : 2 * HOUR_MS);
    long startMs = nowMs + aheadMs - (chance(3) ? HOUR_MS : -100);
    long endMs = startMs + 1000 + random.nextInt(soon ? 10 * MINUTE_MS : 3 * HOUR_MS);
    ReservationSpec spec =
        ReservationCalls.spec(
            owner,
            pick(PARTITIONS),
            startMs,
            chance(2) ? startMs - 1 : endMs,
            request.getPlace(),
            request.getChunks().toArray(Chunk[]::new));
    for (int i = chance(20) ? random.nextInt(4) : 0; i > 0; i--) {
      List<Long> later = new ArrayList<>(spec.getLaterMs());
      long last = later.isEmpty() ? startMs : later.get(later.size() - 1);
      later.add(last + endMs - startMs + random.nextInt(soon ? MINUTE_MS : HOUR_MS));
      spec.setLaterMs(later);
      spec.setRule("FREQ=HOURLY");
    }
    // Over runs of others; what becomes of these the scheduler object says.
    spec.setOthers(chance(50) ? new OthersAtStart(StartAction.WAIT, 0L) : null);
    long interactive = chance(60) ? 0 : random.nextInt(100) - 50;
    return new SubmitReservation(meta, spec, interactive, false, chance(25), false);
  }

  /** Of a run, or of what is none; of what it says besides most does not count. */
  ReserveRun ofRun(CommandMeta meta, String job, long nowMs) {
    String owner = meta.getPrincipal();
    ReservationSpec spec =
        ReservationCalls.spec(owner, pick(PARTITIONS), nowMs, nowMs + HOUR_MS, "");
    spec.setMaintained(chance(10) ? List.of("n0") : List.of());
    spec.setLaterMs(chance(10) ? List.of(nowMs + 2 * HOUR_MS) : List.of());
    return new ReserveRun(meta, job, spec);
  }

  /** For a job that waits, or for one that does not. */
  ReserveForJob forJob(CommandMeta meta, String job, long nowMs) {
    return new ReserveForJob(
        meta, job, ofRun(meta, job, nowMs).getSpec(), random.nextInt(60) - 50L);
  }

  Optional<Reservation> any() {
    List<Reservation> all = new ArrayList<>();
    for (int i = 0; i < TestShards.COUNT; i++) {
      all.addAll(ReservationCalls.all(shards.tables(i)));
    }
    return all.isEmpty() ? Optional.empty() : Optional.of(all.get(random.nextInt(all.size())));
  }

  /** Deletes or alters one. */
  void change(CommandMeta caller, long nowMs) {
    Reservation one = any().orElse(null);
    if (one == null) {
      return;
    }
    int shard = home(one);
    if (one.getWhole() != null && chance(60)) {
      PartOf whole = one.getWhole();
      user.accept(whole.getShard(), new DeleteTogether(caller, whole.getWhole(), chance(30)));
      return;
    }
    if (chance(one.getPending() == null ? 3 : 70)) {
      user.accept(shard, new SettleReservation(caller, one.getId(), chance(60), false));
      return;
    }
    if (chance(30)) {
      String id = chance(90) ? one.getId() : "R9999";
      user.accept(
          shard,
          chance(20)
              ? new ForgetReservation(caller, id)
              : new DeleteReservation(caller, id, chance(30), chance(40)));
      return;
    }
    AlterReservation.Builder wish = ReservationCalls.alter(caller, one.getId());
    if (chance(30)) {
      wish.setName("name" + random.nextInt(9));
    }
    if (chance(40)) {
      wish.setEndMs(one.getSpec().getEndMs() + random.nextInt(2 * HOUR_MS) - HOUR_MS / 2);
    }
    if (chance(25)) {
      wish.setStartMs(nowMs + random.nextInt(HOUR_MS));
    }
    if (chance(20)) {
      Chunk has = one.getSpec().getRequest().getChunks().get(0);
      Chunk fewer = new Chunk(1, has.getAmounts(), has.getMatches());
      wish.setRequest(new ResourceRequest(List.of(fewer), "", -1L, Map.of()));
    }
    wish.setForce(chance(20));
    wish.setMore(chance(30));
    wish.setTransaction(chance(40));
    wish.setInteractiveS(chance(70) ? 0 : random.nextInt(100) - 50);
    user.accept(shard, wish.build());
  }

  /** The engine of a shard's scheduler looks at its reservations that want something. */
  void look(int shard) {
    Tables tables = shards.tables(shard);
    List<Reservation> all = ReservationCalls.all(tables);
    List<Reservation> wanting = new ArrayList<>(all);
    wanting.removeIf(
        one -> !one.getShares().isEmpty() && one.getAsked() == null && one.getLost().isEmpty());
    List<Reservation> from = wanting.isEmpty() || chance(3) ? all : wanting;
    if (from.isEmpty()) {
      return;
    }
    propose(shard, pick(from));
  }

  private void propose(int shard, Reservation one) {
    Tables tables = shards.tables(shard);
    String scheduler = PartitionTable.schedulerOf(tables, one.getSpec().getPartition());
    Scheduler known = tables.schedulers().get(scheduler);
    long epoch = known == null ? 1 : known.getEpoch();
    CommandMeta meta = shards.engine(scheduler);
    SpecificRecord proposal =
        chance(15)
            ? ReservationCalls.deny(meta, epoch, scheduler, one, "no room")
            : ReservationCalls.confirm(meta, epoch, scheduler, one, shares(tables, one));
    shards.send(chance(95) ? shard : random.nextInt(TestShards.COUNT), proposal);
  }

  /** Each chunk on some node of the shard, or where it is. */
  private List<NodeShare> shares(Tables tables, Reservation one) {
    ReservationSpec spec = one.getAsked() == null ? one.getSpec() : one.getAsked();
    if (one.getAsked() != null
        && chance(50)
        && spec.getRequest().getChunks().equals(one.getSpec().getRequest().getChunks())) {
      return one.getShares();
    }
    // Those of which all is free, and of these those with runs, are liked best.
    List<String> there = new ArrayList<>();
    List<String> free = new ArrayList<>();
    List<String> over = new ArrayList<>();
    BookedRoom room = new BookedRoom(tables, CustomResources.with(tables), shards.nowMs);
    long fromMs = Math.max(shards.nowMs, spec.getStartMs());
    BookedRoom.BookingPeriod span = new BookedRoom.BookingPeriod(fromMs, spec.getEndMs());
    boolean asked = spec.getOthers() != null;
    BookedRoom.Asker asker = new BookedRoom.Asker(one.getNumber(), -1, asked);
    Map<String, Long> first = spec.getRequest().getChunks().get(0).getAmounts();
    for (Object record : WatchedTable.of(tables, "nodes").records().values()) {
      Node node = (Node) record;
      ClusterObject object = PartitionTable.node(tables, node.getName());
      boolean its =
          object != null && PartitionTable.partitionOf(object).equals(spec.getPartition());
      boolean fits = its && NodeAmounts.fits(room.free(node, object, span, asker), first);
      (its || chance(10) ? there : new ArrayList<String>()).add(node.getName());
      (fits && node.getUp() ? free : new ArrayList<String>()).add(node.getName());
      boolean runs = fits && node.getUp() && !node.getHoldings().isEmpty();
      (runs ? over : new ArrayList<String>()).add(node.getName());
    }
    List<String> names = !free.isEmpty() && chance(80) ? free : there;
    names = asked && !over.isEmpty() && chance(80) ? over : names;
    List<NodeShare> shares = new ArrayList<>();
    for (Chunk chunk : spec.getRequest().getChunks()) {
      for (int i = 0; i < chunk.getCount() && !names.isEmpty(); i++) {
        shares.add(new NodeShare(pick(names), "", 1, chunk.getAmounts()));
      }
    }
    return shares;
  }

  private int home(Reservation one) {
    for (int i = 0; i < TestShards.COUNT; i++) {
      if (ReservationCalls.all(shards.tables(i)).contains(one)) {
        return i;
      }
    }
    return 0;
  }

  private boolean chance(int percent) {
    return random.nextInt(100) < percent;
  }

  private <T> T pick(List<T> of) {
    return of.get(random.nextInt(of.size()));
  }
}
