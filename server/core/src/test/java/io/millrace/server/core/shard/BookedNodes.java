package io.millrace.server.core.shard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.NodeShare;
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
import io.millrace.schemas.state.ReservedJob;
import io.millrace.server.core.placement.BestEffortQueue;
import io.millrace.server.core.placement.PartitionTable;
import io.millrace.server.core.state.Keys;
import io.millrace.server.core.state.Tables;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.avro.specific.SpecificRecord;

/**
 * A plain count, from the records of reservations and jobs alone: whenever a node is booked or
 * given, it is at no time to come booked or used above what it has.
 */
final class BookedNodes {
  private static final long NEVER = Long.MAX_VALUE;

  private BookedNodes() {}

  static void check(Tables tables, SpecificRecord fact) {
    Set<String> nodes = new TreeSet<>();
    if (fact instanceof ReservationConfirmed confirmed) {
      Reservation one = confirmed.getReservation();
      one.getBooked().forEach(it -> nodes.add(it.getNode()));
      one.getPlacements().stream()
          .flatMap(it -> it.getBooked().stream())
          .forEach(it -> nodes.add(it.getNode()));
    } else if (fact instanceof RunGranted granted) {
      granted.getAllocation().getShares().forEach(it -> nodes.add(it.getNode()));
    } else if (fact instanceof RunResumed resumed) {
      Job job = tables.jobs().get(Keys.number(Keys.jobNumber(resumed.getJobId())));
      job.getAllocation().getShares().stream().map(NodeShare::getNode).forEach(nodes::add);
    }
    for (String name : nodes) {
      Node node = tables.nodes().get(name);
      if (node != null) {
        everyTime(tables, node, fact);
      }
    }
  }

  /** later: behind the window, or held by a transaction; maintenance may come over it. */
  private record Use(
      long from, long to, Map<String, Long> amounts, boolean alone, String who, boolean later) {}

  private static void everyTime(Tables tables, Node node, SpecificRecord fact) {
    long nowMs = io.millrace.schemas.Envelope.ofFact(fact).getAtMs();
    List<Use> uses = new ArrayList<>();
    for (Reservation one : ReservationCalls.all(tables)) {
      for (BookedNode booked : one.getBooked()) {
        boolean has =
            booked.getNode().equals(node.getName())
                && one.getLost().stream()
                    .noneMatch(
                        it -> !it.getTakenBy().isEmpty() && it.getNode().equals(booked.getNode()));
        if (has) {
          long from = one.getSpec().getStartMs();
          long to = one.getSpec().getEndMs();
          boolean alone = booked.getExclusive();
          uses.add(new Use(from, to, booked.getAmounts(), alone, one.getQueue(), false));
        }
      }
    }
    for (Reservation one : ReservationCalls.all(tables)) {
      for (HeldPieces piece : HeldPieces.of(one)) {
        for (BookedNode booked : piece.booked()) {
          if (booked.getNode().equals(node.getName())) {
            uses.add(
                new Use(
                    piece.startMs(),
                    piece.endMs(),
                    booked.getAmounts(),
                    booked.getExclusive(),
                    one.getQueue(),
                    true));
          }
        }
      }
      long lengthMs = one.getSpec().getEndMs() - one.getSpec().getStartMs();
      for (int i = 0; i < one.getLies().size(); i++) {
        long from = one.getSpec().getLaterMs().get(i);
        for (BookedNode booked : one.getPlacements().get(one.getLies().get(i)).getBooked()) {
          if (booked.getNode().equals(node.getName())) {
            boolean alone = booked.getExclusive();
            Map<String, Long> amounts = booked.getAmounts();
            uses.add(new Use(from, from + lengthMs, amounts, alone, one.getQueue(), true));
          }
        }
      }
    }
    for (Holding holding : node.getHoldings()) {
      Job job = tables.jobs().get(Keys.number(holding.getNumber()));
      String queue = job.getSpec().getQueue();
      boolean inside =
          uses.stream().anyMatch(it -> it.who.equals(queue) && it.from <= nowMs && it.to > nowMs);
      // A reservation may be made over best-effort runs: they end for those who use it.
      boolean givesWay =
          fact instanceof ReservationConfirmed
              && BestEffortQueue.is(PartitionTable.queue(tables, queue));
      if (!inside && !givesWay) {
        long to = Math.max(nowMs + 1, end(job));
        boolean alone = holding.getExclusive();
        uses.add(new Use(nowMs, to, holding.getAmounts(), alone, job.getId(), false));
      }
    }
    Set<Long> times = new TreeSet<>(Set.of(nowMs));
    uses.stream().map(Use::from).filter(it -> it > nowMs).forEach(times::add);
    ResourceTable resources = resources(tables);
    ClusterObject object = PartitionTable.node(tables, node.getName());
    Map<String, Long> has = NodeAmounts.capacity(node, object, resources);
    Set<String> touched = touched(fact);
    for (long at : times) {
      Map<String, Long> sum = new TreeMap<>();
      List<Use> then = at(uses, at);
      then.forEach(it -> NodeAmounts.add(sum, it.amounts));
      sum.forEach(
          (name, amount) ->
              assertTrue(
                  amount <= has.getOrDefault(name, 0L)
                      || then.stream()
                          .filter(it -> it.amounts.getOrDefault(name, 0L) > 0)
                          .noneMatch(it -> touched.contains(it.who)),
                  () -> node.getName() + " has " + has + " at " + at + ": " + then + fact));
      boolean alone = then.stream().anyMatch(Use::alone);
      assertTrue(
          !alone
              || then.stream().map(Use::who).distinct().count() == 1
              || then.stream().noneMatch(it -> touched.contains(it.who)),
          () -> node.getName() + " is not shared at " + at + ": " + then + fact);
    }
  }

  private static List<Use> at(List<Use> uses, long atMs) {
    List<Use> then = new ArrayList<>(uses);
    then.removeIf(it -> it.from > atMs || it.to <= atMs);
    if (then.stream().anyMatch(it -> it.who.startsWith("M"))) {
      then.removeIf(Use::later);
    }
    return then;
  }

  /** An administrator may have shrunk the node under what was there before, of anything. */
  private static Set<String> touched(SpecificRecord fact) {
    if (fact instanceof ReservationConfirmed confirmed) {
      if (!confirmed.getReservation().getSpec().getMaintained().isEmpty()) {
        return Set.of(); // nobody is asked whether there is room
      }
      return Set.of(confirmed.getReservation().getQueue());
    }
    return fact instanceof RunGranted granted
        ? Set.of(granted.getJobId())
        : Set.of(((RunResumed) fact).getJobId());
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
    Map<String, Long> counts = new TreeMap<>();
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
      counts.merge("u:" + one.getSpec().getOwner(), 1L, Long::sum);
    }
    Map<String, Object> kept = new TreeMap<>();
    tables
        .table(io.millrace.schemas.state.NodeBooking.class)
        .scan("", null, (key, it) -> kept.put(key, it.getAmounts()) == null);
    assertEquals(bookings, kept);
    Map<String, Long> counted = new TreeMap<>();
    tables
        .table(io.millrace.schemas.state.ReservationCount.class)
        .scan("u", "v", (key, it) -> counted.put(key, it.getCount()) == null);
    assertEquals(counts, counted);
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
}
