package io.millrace.server.core.shard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.Envelope;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.common.ResourceRequest;
import io.millrace.schemas.fact.ReservationConfirmed;
import io.millrace.schemas.fact.RunGranted;
import io.millrace.schemas.fact.RunResumed;
import io.millrace.schemas.pbs.resources.HeldPieces;
import io.millrace.schemas.pbs.resources.NodeAmounts;
import io.millrace.schemas.pbs.resources.ResourceTable;
import io.millrace.schemas.state.BookedNode;
import io.millrace.schemas.state.Holding;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.Node;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.ReservationSpec;
import io.millrace.schemas.state.ReservedJob;
import io.millrace.server.core.placement.BestEffortQueue;
import io.millrace.server.core.placement.PartitionTable;
import io.millrace.server.core.state.Keys;
import io.millrace.server.core.state.Tables;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificRecord;

/**
 * A plain count, from the records of reservations and jobs alone: whenever a node is booked or
 * given, it is at no time to come booked or used above what it has.
 *
 * <p>Only what the fact gives has to have room: an administrator may have shrunk the node under
 * what was given before. What a transaction is to make of a reservation is counted twice, beside
 * what the reservation is until then and in its place.
 */
final class BookedNodes {
  private static final long NEVER = Long.MAX_VALUE;

  /** Each reservation as the last fact told it. */
  private final Map<String, Reservation> told = new HashMap<>();

  void check(Tables tables, SpecificRecord fact) {
    Set<String> nodes = new TreeSet<>();
    Set<String> kept = Set.of();
    Reservation held = null;
    Predicate<Use> given = use -> false;
    if (fact instanceof ReservationConfirmed confirmed) {
      Reservation one = confirmed.getReservation();
      one.getBooked().forEach(it -> nodes.add(it.getNode()));
      one.getPlacements().stream()
          .flatMap(it -> it.getBooked().stream())
          .forEach(it -> nodes.add(it.getNode()));
      if (isHeld(one) && !isHeld(told.get(one.getId()))) {
        held = one;
        one.getPending().getBooked().forEach(it -> nodes.add(it.getNode()));
      }
      given = given(one, held != null);
      kept = kept(one);
    } else if (fact instanceof RunGranted granted) {
      granted.getAllocation().getShares().forEach(it -> nodes.add(it.getNode()));
      given = use -> use.who.equals(granted.getJobId());
    } else if (fact instanceof RunResumed resumed) {
      Job job = tables.jobs().get(Keys.number(Keys.jobNumber(resumed.getJobId())));
      job.getAllocation().getShares().stream().map(NodeShare::getNode).forEach(nodes::add);
      given = use -> use.who.equals(resumed.getJobId());
    }
    for (String name : nodes) {
      Node node = tables.nodes().get(name);
      if (node != null) {
        Predicate<Use> anew = kept.contains(name) ? given.and(use -> use.later) : given;
        everyTime(tables, node, fact, held, anew);
      }
    }
    Schema.Field field = fact.getSchema().getField("reservation");
    if (field != null && fact.get(field.pos()) instanceof Reservation one) {
      told.put(one.getId(), one);
    }
  }

  /** What a reservation is given: its window, its later occurrences at first, or what is held. */
  private Predicate<Use> given(Reservation one, boolean held) {
    if (!one.getSpec().getMaintained().isEmpty()) {
      return use -> false; // nobody is asked whether there is room
    }
    Reservation before = told.get(one.getId());
    boolean first = before == null || before.getLies().isEmpty();
    return use -> use.who.equals(one.getQueue()) && (use.held ? held : use.later ? first : !held);
  }

  /** The nodes of which it has no more and for no longer in its window than it had before. */
  private Set<String> kept(Reservation one) {
    Set<String> kept = new TreeSet<>();
    Reservation before = told.get(one.getId());
    boolean within =
        before != null
            && one.getSpec().getStartMs() >= before.getSpec().getStartMs()
            && one.getSpec().getEndMs() <= before.getSpec().getEndMs();
    for (BookedNode now : within ? one.getBooked() : List.<BookedNode>of()) {
      before.getBooked().stream()
          .filter(it -> it.getNode().equals(now.getNode()))
          .filter(it -> it.getExclusive() || !now.getExclusive())
          .filter(it -> NodeAmounts.fits(it.getAmounts(), now.getAmounts()))
          .forEach(it -> kept.add(it.getNode()));
    }
    return kept;
  }

  /** Whether a scheduler has found room for what an open transaction is to make of it. */
  private static boolean isHeld(Reservation one) {
    return one != null && one.getPending() != null && one.getPending().getSpec() != null;
  }

  /** later: behind the window, or held by a transaction; maintenance may come over it. */
  private record Use(
      long from,
      long to,
      Map<String, Long> amounts,
      boolean alone,
      String who,
      boolean later,
      boolean held) {

    static Use of(long from, long to, BookedNode booked, Reservation whose, boolean later) {
      return new Use(
          from, to, booked.getAmounts(), booked.getExclusive(), whose.getQueue(), later, false);
    }

    Use ofTransaction() {
      return new Use(from, to, amounts, alone, who, true, true);
    }
  }

  /**
   * @param held the reservation for which the fact holds what it is to be; null for none
   */
  private static void everyTime(
      Tables tables, Node node, SpecificRecord fact, Reservation held, Predicate<Use> given) {
    long nowMs = Envelope.ofFact(fact).getAtMs();
    List<Use> uses = booked(tables, node);
    List<Use> runs = runs(tables, node, uses, fact);
    uses.addAll(runs);
    ClusterObject object = PartitionTable.node(tables, node.getName());
    Map<String, Long> has = NodeAmounts.capacity(node, object, resources(tables));
    Predicate<Use> its = it -> held != null && it.who.equals(held.getQueue());
    for (long at : times(uses, nowMs)) {
      List<Use> then = at(uses, at);
      List<Use> before = new ArrayList<>(then);
      before.removeIf(its.and(Use::held));
      boolean shrunk = held != null && !fits(before, has, its);
      assertTrue(
          shrunk || fits(then, has, given),
          () -> node.getName() + " has " + has + " at " + at + ": " + then + fact);
    }
    if (held == null || isTaken(held, node.getName())) {
      return;
    }
    uses.removeIf(its);
    for (BookedNode wanted : held.getPending().getBooked()) {
      if (wanted.getNode().equals(node.getName())) {
        ReservationSpec spec = held.getPending().getSpec();
        uses.add(Use.of(spec.getStartMs(), spec.getEndMs(), wanted, held, false));
      }
    }
    for (long at : times(uses, nowMs)) {
      List<Use> then = at(uses, at);
      assertTrue(
          fits(then, has, its),
          () -> node.getName() + " has " + has + " at " + at + " once committed: " + then + fact);
    }
  }

  private static Set<Long> times(List<Use> uses, long nowMs) {
    Set<Long> times = new TreeSet<>(Set.of(nowMs));
    uses.stream().map(Use::from).filter(it -> it > nowMs).forEach(times::add);
    return times;
  }

  /** What reservations have of a node, whenever. */
  private static List<Use> booked(Tables tables, Node node) {
    List<Use> uses = new ArrayList<>();
    for (Reservation one : ReservationCalls.all(tables)) {
      for (BookedNode booked : one.getBooked()) {
        if (booked.getNode().equals(node.getName()) && !isTaken(one, node.getName())) {
          long from = one.getSpec().getStartMs();
          uses.add(Use.of(from, one.getSpec().getEndMs(), booked, one, false));
        }
      }
    }
    for (Reservation one : ReservationCalls.all(tables)) {
      if (isHeld(one)) {
        ReservationSpec then = one.getPending().getSpec();
        for (BookedNode held : one.getPending().getBooked()) {
          if (held.getNode().equals(node.getName())) {
            Use use = Use.of(then.getStartMs(), then.getEndMs(), held, one, true);
            uses.add(use.ofTransaction());
          }
        }
      }
      long lengthMs = one.getUsual() == null ? length(one) : one.getUsual().getLengthMs();
      for (int i = 0; i < one.getLies().size(); i++) {
        long from = one.getSpec().getLaterMs().get(i);
        for (BookedNode booked : one.getPlacements().get(one.getLies().get(i)).getBooked()) {
          if (booked.getNode().equals(node.getName())) {
            uses.add(Use.of(from, from + lengthMs, booked, one, true));
          }
        }
      }
    }
    return uses;
  }

  private static long length(Reservation one) {
    return one.getSpec().getEndMs() - one.getSpec().getStartMs();
  }

  private static boolean isTaken(Reservation one, String node) {
    return one.getLost().stream()
        .anyMatch(it -> !it.getTakenBy().isEmpty() && it.getNode().equals(node));
  }

  /** Runs on a node for which no reservation holds the room. */
  private static List<Use> runs(Tables tables, Node node, List<Use> booked, SpecificRecord fact) {
    long nowMs = Envelope.ofFact(fact).getAtMs();
    List<Use> runs = new ArrayList<>();
    for (Holding holding : node.getHoldings()) {
      Job job = tables.jobs().get(Keys.number(holding.getNumber()));
      String queue = job.getSpec().getQueue();
      // After the clock was set back a window may begin anew.
      Optional<Use> own =
          booked.stream()
              .filter(it -> it.who.equals(queue) && !it.later && it.to > nowMs)
              .findFirst();
      boolean inside = own.isPresent() && own.get().from <= nowMs;
      // A reservation may be made over best-effort runs: they end for those who use it; and over
      // runs of all others, if it was asked for so.
      boolean givesWay =
          fact instanceof ReservationConfirmed confirmed
              && (BestEffortQueue.is(PartitionTable.queue(tables, queue))
                  || confirmed.getReservation().getSpec().getOthers() != null
                      && !queue.matches("[RSM]\\d+"));
      if (!inside && !givesWay) {
        long to = own.isPresent() ? own.get().from : Math.max(nowMs + 1, end(job));
        boolean alone = holding.getExclusive();
        runs.add(new Use(nowMs, to, holding.getAmounts(), alone, job.getId(), false, false));
      }
    }
    return runs;
  }

  /** Whether what is given has room beside the rest. */
  private static boolean fits(List<Use> then, Map<String, Long> has, Predicate<Use> given) {
    Map<String, Map<String, Long>> most = new TreeMap<>();
    for (Use use : then) {
      // What a reservation is and what it is to be are never both.
      Map<String, Long> its = most.computeIfAbsent(use.who, who -> new TreeMap<>());
      use.amounts.forEach((name, amount) -> its.merge(name, amount, Math::max));
    }
    Map<String, Long> sum = new TreeMap<>();
    most.values().forEach(it -> NodeAmounts.add(sum, it));
    boolean room =
        sum.entrySet().stream()
            .allMatch(
                one ->
                    one.getValue() <= has.getOrDefault(one.getKey(), 0L)
                        || then.stream()
                            .filter(it -> it.amounts.getOrDefault(one.getKey(), 0L) > 0)
                            .noneMatch(given));
    boolean alone = then.stream().anyMatch(Use::alone);
    return room
        && (!alone
            || then.stream().map(Use::who).distinct().count() == 1
            || then.stream().noneMatch(given));
  }

  private static List<Use> at(List<Use> uses, long atMs) {
    List<Use> then = new ArrayList<>(uses);
    then.removeIf(it -> it.from > atMs || it.to <= atMs);
    if (then.stream().anyMatch(it -> it.who.startsWith("M"))) {
      then.removeIf(Use::later);
    }
    return then;
  }

  private static long end(Job job) {
    long seconds = job.getSpec().getRequest().getWalltimeS();
    if (seconds <= 0) {
      return NEVER;
    }
    boolean resumed = job.getResumedMs() >= 0;
    return (resumed ? job.getResumedMs() - job.getRanMs() : job.getStartedMs()) + seconds * 1000;
  }

  private static ResourceTable resources(Tables tables) {
    List<ClusterObject> custom = new ArrayList<>();
    tables.objects().scan("RESOURCE/", "RESOURCE0", (key, object) -> custom.add(object));
    return ResourceTable.of(custom);
  }

  /** What follows from the records of reservations and jobs is as they say. */
  static void derived(Tables tables) {
    Map<String, Object> bookings = new TreeMap<>();
    for (Reservation one : ReservationCalls.all(tables)) {
      for (BookedNode booked : one.getBooked()) {
        bookings.put(
            Keys.booking(booked.getNode(), one.getSpec().getStartMs(), one.getNumber()),
            booked.getAmounts());
      }
      for (HeldPieces piece : HeldPieces.of(one)) {
        for (BookedNode booked : piece.booked()) {
          bookings.put(
              Keys.booking(booked.getNode(), piece.startMs(), one.getNumber()) + "+",
              booked.getAmounts());
        }
      }
      for (int i = 0; i < one.getLies().size(); i++) {
        for (BookedNode booked : one.getPlacements().get(one.getLies().get(i)).getBooked()) {
          long startMs = one.getSpec().getLaterMs().get(i);
          bookings.put(
              Keys.booking(booked.getNode(), startMs, one.getNumber()), booked.getAmounts());
        }
      }
    }
    Map<String, Object> kept = new TreeMap<>();
    tables
        .bookings()
        .scan(
            "",
            null,
            (key, it) -> {
              kept.put(key, it.getAmounts());
              for (long startMs : it.getLaterMs()) {
                String later = Keys.booking(it.getNode(), startMs, it.getNumber());
                assertNull(kept.put(later, it.getAmounts()), later);
              }
              return true;
            });
    assertEquals(bookings, kept);
    WalkedBookings.check(tables);
    counted(tables);
    Set<String> inside = new TreeSet<>();
    for (Object record : WatchedTable.of(tables, "jobs").records().values()) {
      Job job = (Job) record;
      String queue = job.getSpec().getQueue();
      if (job.getStatus() != JobStatus.FINISHED && queue.matches("[RSM]\\d+")) {
        inside.add(Keys.reserved(Long.parseLong(queue.substring(1)), job.getNumber()));
      }
    }
    Set<String> found = new TreeSet<>();
    tables.table(ReservedJob.class).scan("", null, (key, it) -> found.add(key));
    assertEquals(inside, found);
  }

  /** The most processors of what it is, is to be, or is again in its next occurrence. */
  private static long cpus(Reservation one) {
    if (!one.getSpec().getMaintained().isEmpty()) {
      return 0;
    }
    ReservationSpec held = one.getPending() == null ? null : one.getPending().getSpec();
    long most = one.getUsual() == null ? 0 : cpus(one.getUsual().getRequest());
    for (ReservationSpec spec : Arrays.asList(one.getSpec(), one.getAsked(), held)) {
      most = spec == null ? most : Math.max(most, cpus(spec.getRequest()));
    }
    return most;
  }

  private static long cpus(ResourceRequest request) {
    return request.getChunks().stream()
        .mapToLong(it -> it.getCount() * it.getAmounts().getOrDefault("ncpus", 0L))
        .sum();
  }

  /** So many reservations each user has, and asks for so much with them. */
  private static void counted(Tables tables) {
    Map<String, Long> counts = new TreeMap<>();
    Map<String, Long> amounts = new TreeMap<>();
    for (Reservation one : ReservationCalls.all(tables)) {
      String owner = "u:" + one.getSpec().getOwner();
      counts.merge(owner, 1L, Long::sum);
      amounts.merge(owner, cpus(one), Long::sum);
    }
    amounts.values().removeIf(it -> it == 0);
    Map<String, Long> counted = new TreeMap<>();
    Map<String, Long> reserved = new TreeMap<>();
    tables
        .table(io.millrace.schemas.state.ReservationCount.class)
        .scan(
            "u",
            "v",
            (key, it) -> {
              reserved.put(key, it.getAmounts().getOrDefault("ncpus", 0L));
              return counted.put(key, it.getCount()) == null;
            });
    reserved.values().removeIf(it -> it == 0);
    assertEquals(counts, counted);
    assertEquals(amounts, reserved);
  }
}
