package io.millrace.server.core.shard;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.Envelope;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.fact.JobAltered;
import io.millrace.schemas.fact.ReservationAltered;
import io.millrace.schemas.fact.ReservationConfirmed;
import io.millrace.schemas.fact.ReservationReturned;
import io.millrace.schemas.fact.ReservationSettled;
import io.millrace.schemas.fact.ReservationStarted;
import io.millrace.schemas.fact.RunGranted;
import io.millrace.schemas.fact.RunResumed;
import io.millrace.schemas.fact.RunShortened;
import io.millrace.schemas.fact.RunStarted;
import io.millrace.schemas.pbs.resources.NodeAmounts;
import io.millrace.schemas.pbs.resources.ResourceTable;
import io.millrace.schemas.state.BookedNode;
import io.millrace.schemas.state.Holding;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.KillPurpose;
import io.millrace.schemas.state.Node;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.ReservationSpec;
import io.millrace.schemas.state.Suspension;
import io.millrace.server.core.placement.BestEffortQueue;
import io.millrace.server.core.placement.PartitionTable;
import io.millrace.server.core.state.Keys;
import io.millrace.server.core.state.Tables;
import java.util.ArrayList;
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
 * <p>The same for each time that a run lasts longer, a reservation changes or a transaction is
 * settled. Only what the fact gives has to have room: an administrator may have shrunk the node
 * under what was given before. What a transaction is to make of a reservation is counted twice,
 * beside what the reservation is until then and in its place.
 */
final class BookedNodes {
  private static final long NEVER = Long.MAX_VALUE;
  private static final long SECOND_MS = 1000;

  /** Each reservation as the last fact told it. */
  private final Map<String, Reservation> told = new HashMap<>();

  /** When the run of each job ends, as the last fact told it. */
  private final Map<String, Long> ends = new HashMap<>();

  /**
   * What a fact gives.
   *
   * @param held the reservation for which the fact holds what it is to be; null for none
   * @param uses those of a node that are given
   * @param fromMs only from then on
   * @param toMs until then
   */
  private record Given(
      SpecificRecord fact, Reservation held, Predicate<Use> uses, long fromMs, long toMs) {

    Given but(boolean laterAlone) {
      return laterAlone ? new Given(fact, held, uses.and(Use::later), fromMs, toMs) : this;
    }
  }

  void check(Tables tables, SpecificRecord fact) {
    Set<String> nodes = new TreeSet<>();
    Set<String> kept = Set.of();
    Given given = null;
    long nowMs = Envelope.ofFact(fact).getAtMs();
    Reservation one = booking(fact);
    if (one != null) {
      one.getBooked().forEach(it -> nodes.add(it.getNode()));
      one.getPlacements().stream()
          .flatMap(it -> it.getBooked().stream())
          .forEach(it -> nodes.add(it.getNode()));
      boolean holds = isHeld(one) && !isHeld(told.get(one.getId()));
      if (holds) {
        one.getPending().getBooked().forEach(it -> nodes.add(it.getNode()));
      }
      given = new Given(fact, holds ? one : null, given(one, holds), nowMs, NEVER);
      kept = kept(one);
    }
    Job job = ofRun(tables, fact);
    if (job != null) {
      given = ofRun(tables, fact, job, nowMs);
      job.getAllocation().getShares().stream().map(NodeShare::getNode).forEach(nodes::add);
      ends.put(job.getId(), end(job));
    }
    for (String name : given == null ? Set.<String>of() : nodes) {
      Node node = tables.nodes().get(name);
      if (node != null) {
        everyTime(tables, node, given.but(kept.contains(name)));
      }
    }
    Schema.Field field = fact.getSchema().getField("reservation");
    if (field != null && fact.get(field.pos()) instanceof Reservation last) {
      told.put(last.getId(), last);
    }
  }

  /**
   * The reservation whose nodes or times a fact may change to more than it had; null for none. One
   * that is only told of what is lost, or of its end, has no more of any node.
   */
  private static Reservation booking(SpecificRecord fact) {
    if (fact instanceof ReservationConfirmed confirmed) {
      return confirmed.getReservation();
    } else if (fact instanceof ReservationAltered altered) {
      return altered.getReservation();
    } else if (fact instanceof ReservationSettled settled) {
      return settled.getReservation();
    } else if (fact instanceof ReservationReturned returned) {
      return returned.getReservation();
    } else if (fact instanceof ReservationStarted started) {
      return started.getReservation();
    }
    return null;
  }

  /** The job whose run a fact begins, or whose end it may change; null when none runs on. */
  private static Job ofRun(Tables tables, SpecificRecord fact) {
    String id = "";
    if (fact instanceof RunGranted granted) {
      id = granted.getJobId();
    } else if (fact instanceof RunResumed resumed) {
      id = resumed.getJobId();
    } else if (fact instanceof RunStarted started) {
      id = started.getJobId();
    } else if (fact instanceof RunShortened shortened) {
      id = shortened.getJobId();
    } else if (fact instanceof JobAltered altered) {
      id = altered.getJobId();
    }
    Job job = id.isEmpty() ? null : tables.jobs().get(Keys.number(Keys.jobNumber(id)));
    boolean runs =
        job != null
            && job.getStatus() == JobStatus.RUNNING
            && job.getSuspension() == Suspension.NONE
            && job.getAllocation() != null;
    return runs ? job : null;
  }

  /** A run is given its nodes to its end, and one that is to last longer the time behind it. */
  private Given ofRun(Tables tables, SpecificRecord fact, Job job, long nowMs) {
    Predicate<Use> its = use -> use.who.equals(job.getId());
    if (fact instanceof RunGranted || fact instanceof RunResumed) {
      return new Given(fact, null, its, nowMs, NEVER);
    }
    long beforeMs = ends.getOrDefault(job.getId(), NEVER);
    long endMs = end(job);
    boolean longer = beforeMs < endMs && job.getKilling() == KillPurpose.NONE;
    // One that lies over a booking already gives way when that begins.
    if (!longer || overlies(tables, job, beforeMs - 1, its)) {
      return null;
    }
    // Walltimes are whole seconds: one that begins late by less is not ended earlier for it.
    boolean late = fact instanceof RunStarted && endMs != NEVER;
    return new Given(fact, null, its, beforeMs, late ? endMs - SECOND_MS + 1 : endMs);
  }

  private static boolean overlies(Tables tables, Job job, long atMs, Predicate<Use> its) {
    for (NodeShare share : job.getAllocation().getShares()) {
      Node node = tables.nodes().get(share.getNode());
      if (node != null) {
        List<Use> uses = booked(tables, node);
        for (Holding holding : node.getHoldings()) {
          if (holding.getNumber() == job.getNumber()) {
            boolean alone = holding.getExclusive();
            Map<String, Long> has = holding.getAmounts();
            uses.add(new Use(0, NEVER, has, alone, job.getId(), false, false));
          }
        }
        if (!fits(at(uses, atMs), capacity(tables, node), its)) {
          return true;
        }
      }
    }
    return false;
  }

  private static Map<String, Long> capacity(Tables tables, Node node) {
    ClusterObject object = PartitionTable.node(tables, node.getName());
    return NodeAmounts.capacity(node, object, resources(tables));
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

  /**
   * The nodes of which it has no more and for no longer in its window than it had before: in that
   * window, in what a transaction held, or in a later occurrence.
   */
  private Set<String> kept(Reservation one) {
    Set<String> kept = new TreeSet<>();
    Reservation before = told.get(one.getId());
    if (before == null) {
      return kept;
    }
    long fromMs = one.getSpec().getStartMs();
    long toMs = one.getSpec().getEndMs();
    for (BookedNode now : one.getBooked()) {
      List<Use> had = new ArrayList<>();
      add(before, now.getNode(), had, true);
      had.removeIf(it -> it.from > fromMs || it.to < toMs);
      had.stream()
          .filter(it -> it.alone || !now.getExclusive())
          .filter(it -> NodeAmounts.fits(it.amounts, now.getAmounts()))
          .forEach(it -> kept.add(now.getNode()));
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

  private static void everyTime(Tables tables, Node node, Given given) {
    SpecificRecord fact = given.fact;
    Reservation held = given.held;
    long nowMs = Envelope.ofFact(fact).getAtMs();
    List<Use> uses = booked(tables, node);
    List<Use> runs = runs(tables, node, uses, fact);
    uses.addAll(runs);
    Map<String, Long> has = capacity(tables, node);
    Predicate<Use> its = it -> held != null && it.who.equals(held.getQueue());
    Set<Long> times = times(uses, Math.max(nowMs, given.fromMs));
    times.removeIf(it -> it >= given.toMs);
    for (long at : times) {
      List<Use> then = at(uses, at);
      List<Use> before = new ArrayList<>(then);
      before.removeIf(its.and(Use::held));
      boolean shrunk = held != null && !fits(before, has, its);
      assertTrue(
          shrunk || fits(then, has, given.uses),
          () -> node.getName() + " has " + has + " at " + at + ": " + then + fact);
    }
    if (held == null || isTaken(held, node.getName()) || keepsHeld(held, node.getName())) {
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

  /** Whether what is held of a node is no more, and for no longer, than it has of it anyway. */
  private static boolean keepsHeld(Reservation held, String node) {
    ReservationSpec then = held.getPending().getSpec();
    List<Use> has = new ArrayList<>();
    add(Reservation.newBuilder(held).setPending(null).build(), node, has, true);
    has.removeIf(it -> it.later || it.from > then.getStartMs() || it.to < then.getEndMs());
    return held.getPending().getBooked().stream()
        .filter(it -> it.getNode().equals(node))
        .allMatch(
            it ->
                has.stream()
                    .anyMatch(
                        one ->
                            NodeAmounts.fits(one.amounts, it.getAmounts())
                                && (one.alone || !it.getExclusive())));
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
      add(one, node.getName(), uses, false);
    }
    return uses;
  }

  /** What one has of a node, whenever: what maintenance has taken only where it is asked for. */
  private static void add(Reservation one, String node, List<Use> uses, boolean taken) {
    for (BookedNode booked : one.getBooked()) {
      if (booked.getNode().equals(node) && (taken || !isTaken(one, node))) {
        long from = one.getSpec().getStartMs();
        uses.add(Use.of(from, one.getSpec().getEndMs(), booked, one, false));
      }
    }
    if (isHeld(one)) {
      ReservationSpec then = one.getPending().getSpec();
      for (BookedNode held : one.getPending().getBooked()) {
        if (held.getNode().equals(node)) {
          Use use = Use.of(then.getStartMs(), then.getEndMs(), held, one, true);
          uses.add(use.ofTransaction());
        }
      }
    }
    long lengthMs = one.getUsual() == null ? length(one) : one.getUsual().getLengthMs();
    for (int i = 0; i < one.getLies().size(); i++) {
      long from = one.getSpec().getLaterMs().get(i);
      for (BookedNode booked : one.getPlacements().get(one.getLies().get(i)).getBooked()) {
        if (booked.getNode().equals(node)) {
          uses.add(Use.of(from, from + lengthMs, booked, one, true));
        }
      }
    }
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
    long limit = job.getBookedLimitS();
    seconds = limit > 0 && (seconds <= 0 || limit < seconds) ? limit : seconds;
    if (seconds <= 0) {
      return NEVER;
    }
    boolean resumed = job.getResumedMs() >= 0;
    long fromMs = resumed ? job.getResumedMs() - job.getRanMs() : job.getStartedMs();
    return fromMs + seconds * SECOND_MS;
  }

  private static ResourceTable resources(Tables tables) {
    List<ClusterObject> custom = new ArrayList<>();
    tables.objects().scan("RESOURCE/", "RESOURCE0", (key, object) -> custom.add(object));
    return ResourceTable.of(custom);
  }
}
