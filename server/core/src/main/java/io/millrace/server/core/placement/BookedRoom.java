package io.millrace.server.core.placement;

import io.millrace.schemas.NodeLoads;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.pbs.resources.BookingTimes;
import io.millrace.schemas.pbs.resources.NodeAmounts;
import io.millrace.schemas.pbs.resources.PlaceRequest.Sharing;
import io.millrace.schemas.pbs.resources.ResourceTable;
import io.millrace.schemas.state.BookedNode;
import io.millrace.schemas.state.Holding;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.Node;
import io.millrace.schemas.state.NodeBooking;
import io.millrace.schemas.state.Reservation;
import io.millrace.server.core.state.JobRecords;
import io.millrace.server.core.state.Keys;
import io.millrace.server.core.state.ShardNumbers;
import io.millrace.server.core.state.View;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * What is free of a node over a time to come, beside the runs that are on it and what is booked of
 * it. A run counts until its end; a job in a reservation does not count beside the booking while
 * the reservation's window lasts.
 *
 * <p>The least of each resource over the time is what matters, so that one comparison answers for
 * all of it. The cost follows what is on the node and is booked of it until the end of the time.
 */
public final class BookedRoom {
  private static final int NOBODY = -1;

  private final View view;
  private final ResourceTable resources;
  private final long nowMs;

  /** Objects of the nodes of each host; null while nobody has asked. */
  private Map<String, List<ClusterObject>> byHost;

  /** Runs that have their host for themselves, of the hosts that were asked about. */
  private final Map<String, List<HostRun>> aloneOnHost = new HashMap<>();

  public BookedRoom(View view, ResourceTable resources, long nowMs) {
    this.view = view;
    this.resources = resources;
    this.nowMs = nowMs;
  }

  /**
   * For whom room is looked for; what he has himself does not count.
   *
   * @param reservation its number, or -1
   * @param job its number, or -1
   * @param over whether it may lie over runs of others, which give way when it begins
   */
  public record Asker(long reservation, long job, boolean over) {
    public static Asker nobody() {
      return new Asker(NOBODY, NOBODY, false);
    }

    public static Asker reservation(long number) {
      return new Asker(number, NOBODY, false);
    }

    public static Asker job(long number) {
      return new Asker(NOBODY, number, false);
    }
  }

  /** A time; the end is not part of it. */
  public record BookingPeriod(long fromMs, long toMs) {
    boolean meets(long startMs, long endMs) {
      return startMs < toMs && endMs > fromMs;
    }
  }

  private record HostRun(Job job, Holding holding) {}

  /** The objects of the nodes of a host; all are gone through once, however often it is asked. */
  public List<ClusterObject> onHost(String host) {
    if (byHost == null) {
      byHost = new HashMap<>();
      Nodes.each(
          view,
          ObjectKind.NODE,
          node -> byHost.computeIfAbsent(Nodes.host(node), it -> new ArrayList<>(1)).add(node));
    }
    return byHost.getOrDefault(host, List.of());
  }

  private List<NodeBooking> others(String node, BookingPeriod span, Asker asker) {
    List<NodeBooking> found = new ArrayList<>();
    view.bookings()
        .within(
            node,
            span.fromMs(),
            span.toMs(),
            booking -> {
              if (booking.getNumber() != asker.reservation()) {
                found.add(booking);
              }
            });
    return found;
  }

  /**
   * The least of each resource that those leave who have reserved before, at any time of the span.
   * Runs do not count, nor who has the node for himself: nobody else comes then.
   *
   * @param number of a reservation; numbers count up
   */
  public Map<String, Long> beforeOthers(
      Node node, ClusterObject object, BookingPeriod span, long number) {
    List<UseTimeline.TimedUse> uses = new ArrayList<>();
    for (NodeBooking booking : others(node.getName(), span, Asker.reservation(number))) {
      if (booking.getNumber() < number && !booking.getExclusive()) {
        BookingTimes.within(
            booking,
            span.fromMs(),
            span.toMs(),
            (startMs, endMs) ->
                uses.add(new UseTimeline.TimedUse(startMs, endMs, booking.getAmounts(), false)));
      }
    }
    Map<String, Long> left = new TreeMap<>(NodeAmounts.capacity(node, object, resources));
    NodeAmounts.subtract(left, UseTimeline.of(uses).most(span.fromMs(), span.toMs()));
    return left;
  }

  /** The least that is free of each resource at any time of the span. */
  public Map<String, Long> free(Node node, ClusterObject object, BookingPeriod span, Asker asker) {
    return free(node, object, span, asker, Set.of());
  }

  private Map<String, Long> free(
      Node node, ClusterObject object, BookingPeriod span, Asker asker, Set<Long> without) {
    Map<String, Long> free = new TreeMap<>(NodeAmounts.capacity(node, object, resources));
    NodeAmounts.subtract(free, uses(node, span, asker, without).most(span.fromMs(), span.toMs()));
    return free;
  }

  /**
   * What others have of a node in a span.
   *
   * @param without numbers of jobs whose runs do not count
   */
  private UseTimeline uses(Node node, BookingPeriod span, Asker asker, Set<Long> without) {
    List<UseTimeline.TimedUse> uses = new ArrayList<>();
    for (NodeBooking booking : others(node.getName(), span, asker)) {
      BookingTimes.within(
          booking,
          span.fromMs(),
          span.toMs(),
          (startMs, endMs) ->
              uses.add(
                  new UseTimeline.TimedUse(
                      startMs, endMs, booking.getAmounts(), booking.getExclusive())));
    }
    for (Holding holding : node.getHoldings()) {
      Job job = view.jobs().get(Keys.number(holding.getNumber()));
      if (!without.contains(holding.getNumber()) && counts(job, holding, asker)) {
        uses.add(
            new UseTimeline.TimedUse(
                Long.MIN_VALUE, ownEnd(job), holding.getAmounts(), holding.getExclusive()));
      }
    }
    Map<String, Long> outside = NodeLoads.held(node.getMeasured());
    if (!outside.isEmpty() && asker.reservation() == NOBODY) {
      // Nobody knows until when.
      uses.add(new UseTimeline.TimedUse(Long.MIN_VALUE, nowMs + 1, outside, false));
    }
    return UseTimeline.of(uses);
  }

  /**
   * Whether amounts are free of a node in each of these spans, as {@link #free} and {@link #open}
   * say of one. What is there is gone through once.
   *
   * @param spans at least one, in the order of time
   */
  public boolean freeInEach(
      Node node,
      Map<String, Long> amounts,
      Sharing sharing,
      List<BookingPeriod> spans,
      Asker asker) {
    BookingPeriod all =
        new BookingPeriod(spans.get(0).fromMs(), spans.get(spans.size() - 1).toMs());
    ClusterObject object = PartitionTable.node(view, node.getName());
    Map<String, Long> has = NodeAmounts.capacity(node, object, resources);
    if (!NodeAmounts.fits(has, amounts)) {
      return false;
    }
    UseTimeline uses = uses(node, all, asker, Set.of());
    for (BookingPeriod span : spans) {
      boolean free = uses.isFree(span.fromMs(), span.toMs());
      if (!free && (sharing != Sharing.SHARED || !fits(has, amounts, uses, span))) {
        return false;
      }
    }
    if (sharing == Sharing.EXCLHOST) {
      for (ClusterObject other : onHost(node.getHost())) {
        Node beside = view.nodes().get(other.getName());
        boolean itself = beside == null || beside.getName().equals(node.getName());
        UseTimeline there = itself ? null : uses(beside, all, asker, Set.of());
        if (!itself && spans.stream().anyMatch(it -> !there.isFree(it.fromMs(), it.toMs()))) {
          return false;
        }
      }
    }
    return true;
  }

  /** Whether there is room beside others, of whom none is alone. */
  private static boolean fits(
      Map<String, Long> has, Map<String, Long> amounts, UseTimeline uses, BookingPeriod span) {
    if (uses.anyAlone(span.fromMs(), span.toMs())) {
      return false;
    }
    Map<String, Long> free = new HashMap<>(has);
    NodeAmounts.subtract(free, uses.most(span.fromMs(), span.toMs()));
    return NodeAmounts.fits(free, amounts);
  }

  /** Whether a job is in no reservation. */
  private boolean isOutside(Job job) {
    return Reservations.ofQueue(view, job.getSpec().getQueue()) == null;
  }

  /**
   * Runs that have to give way to what a reservation has booked of a node in a span: all that last
   * into it where it has the node for itself, else so many of those that began last that there is
   * room. Best-effort runs are not among them: they end when somebody needs their room.
   *
   * @param ending numbers of jobs whose runs are about to end anyway
   * @param most of them that are looked for: each costs a look at all runs of the node
   */
  public List<Job> inTheWay(
      Node node,
      BookedNode booked,
      BookingPeriod span,
      long reservation,
      Set<Long> ending,
      int most) {
    ClusterObject object = PartitionTable.node(view, node.getName());
    if (object == null) {
      return List.of();
    }
    Asker asker = Asker.reservation(reservation);
    Map<String, Long> wanted =
        ComparedAmounts.in(view, resources, PartitionTable.partitionOf(object))
            .of(booked.getAmounts(), node, object);
    List<Job> found = new ArrayList<>();
    Set<Long> without = new HashSet<>(ending);
    for (Holding holding : node.getHoldings()) {
      Job job = view.jobs().get(Keys.number(holding.getNumber()));
      if (job != null && RunTimes.end(job) <= span.fromMs()) {
        without.add(holding.getNumber()); // its host ends it
      }
    }
    boolean all = booked.getExclusive();
    Map<String, Long> free = all ? Map.of() : free(node, object, span, asker, without);
    for (Job job : youngestFirst(node, span, asker)) {
      if (found.size() == most) {
        return found;
      }
      boolean stays = without.contains(job.getNumber());
      if (!stays && (all || helps(node, job, wanted, free))) {
        found.add(job);
        without.add(job.getNumber());
        free = all ? free : free(node, object, span, asker, without);
      }
    }
    for (ClusterObject other : onHost(node.getHost())) {
      Node beside = view.nodes().get(other.getName());
      if (beside != null && !beside.getName().equals(node.getName())) {
        for (Job job : youngestFirst(beside, span, asker)) {
          boolean alone = JobRecords.sharing(job, job.getAllocation(), other) == Sharing.EXCLHOST;
          if (alone && found.size() < most && without.add(job.getNumber())) {
            found.add(job);
          }
        }
      }
    }
    return found;
  }

  private List<Job> youngestFirst(Node node, BookingPeriod span, Asker asker) {
    List<Job> found = new ArrayList<>();
    for (Holding holding : node.getHoldings()) {
      Job job = view.jobs().get(Keys.number(holding.getNumber()));
      boolean outside = job != null && isOutside(job) && job.getAllocation() != null;
      if (outside && counts(job, holding, asker) && RunTimes.end(job) > span.fromMs()) {
        found.add(job);
      }
    }
    // A run whose host has not told of its start yet is the youngest.
    Comparator<Job> byStart =
        Comparator.comparingLong(it -> it.getStartedMs() < 0 ? Long.MAX_VALUE : it.getStartedMs());
    found.sort(byStart.thenComparingLong(Job::getNumber).reversed());
    return found;
  }

  /** Whether a run has of a node what a reservation lacks there, or has it for itself. */
  private static boolean helps(
      Node node, Job job, Map<String, Long> wanted, Map<String, Long> free) {
    for (Holding holding : node.getHoldings()) {
      if (holding.getNumber() == job.getNumber()) {
        if (holding.getExclusive()) {
          return true;
        }
        for (Map.Entry<String, Long> want : wanted.entrySet()) {
          boolean lacks =
              want.getValue() > free.getOrDefault(want.getKey(), 0L)
                  && !NodeAmounts.withoutLimit(want.getKey());
          if (lacks && holding.getAmounts().getOrDefault(want.getKey(), 0L) > 0) {
            return true;
          }
        }
      }
    }
    return false;
  }

  /** When a run ends; one that should have ended still has now what it has. */
  private long end(Job job) {
    return job == null ? nowMs + 1 : Math.max(nowMs + 1, RunTimes.end(job));
  }

  private static boolean isOf(Job job, Holding holding, Asker asker) {
    if (holding.getNumber() == asker.job()) {
      return true;
    }
    return job != null
        && asker.reservation() >= 0
        && Reservations.numberOf(job) == asker.reservation();
  }

  /**
   * Whether a run takes room from him who asks: not one of his own, and none from a reservation
   * that ends for those who use it.
   */
  private boolean counts(Job job, Holding holding, Asker asker) {
    boolean givesWay =
        job != null
            && asker.reservation() >= 0
            && (asker.over() && isOutside(job)
                || BestEffortQueue.is(PartitionTable.queue(view, job.getSpec().getQueue())));
    return !givesWay && !isOf(job, holding, asker);
  }

  /**
   * Until when the room of a run is its own: from then on its reservation holds it. That is at once
   * for one in its window, which begins anew when the clock was set back before it.
   */
  private long ownEnd(Job job) {
    Reservation reservation =
        job == null ? null : Reservations.ofQueue(view, job.getSpec().getQueue());
    boolean booked = reservation != null && reservation.getSpec().getEndMs() > nowMs;
    return booked ? reservation.getSpec().getStartMs() : end(job);
  }

  /**
   * Whether somebody may be on the node over the span as far as sharing goes: one who wants it for
   * himself meets nobody, and nobody meets one who has it for himself.
   */
  public boolean open(
      Node node, ClusterObject object, BookingPeriod span, Asker asker, Sharing sharing) {
    boolean alone = sharing != Sharing.SHARED;
    if (others(node.getName(), span, asker).stream().anyMatch(it -> alone || it.getExclusive())) {
      return false;
    }
    for (Holding holding : node.getHoldings()) {
      Job job = view.jobs().get(Keys.number(holding.getNumber()));
      boolean meets = counts(job, holding, asker) && ownEnd(job) > span.fromMs();
      if (meets && (alone || holding.getExclusive())) {
        return false;
      }
    }
    return sharing != Sharing.EXCLHOST || hostIsOpen(node, span, asker);
  }

  /** Whether nothing of others is on the other nodes of the host over the span. */
  private boolean hostIsOpen(Node node, BookingPeriod span, Asker asker) {
    for (ClusterObject other : onHost(node.getHost())) {
      Node beside = view.nodes().get(other.getName());
      if (beside == null || beside.getName().equals(node.getName())) {
        continue;
      }
      if (!open(beside, other, span, asker, Sharing.EXCL)) {
        return false;
      }
    }
    return true;
  }

  /** Whether no run that has its host for itself lasts on a node of the host into a span. */
  public boolean hostIsFree(Node node, BookingPeriod span, Asker asker) {
    if (ShardNumbers.of(view).getExclusiveHosts() == 0) {
      return true;
    }
    for (HostRun run : aloneOnHost.computeIfAbsent(node.getHost(), this::findAlone)) {
      if (end(run.job()) > span.fromMs() && counts(run.job(), run.holding(), asker)) {
        return false;
      }
    }
    return true;
  }

  private List<HostRun> findAlone(String host) {
    List<HostRun> found = new ArrayList<>();
    for (ClusterObject other : onHost(host)) {
      Node beside = view.nodes().get(other.getName());
      for (Holding holding : beside == null ? List.<Holding>of() : beside.getHoldings()) {
        Job job = view.jobs().get(Keys.number(holding.getNumber()));
        boolean alone =
            job != null
                && holding.getExclusive()
                && JobRecords.sharing(job, job.getAllocation(), other) == Sharing.EXCLHOST;
        if (alone) {
          found.add(new HostRun(job, holding));
        }
      }
    }
    return found;
  }

  /**
   * What is free for a run in a reservation: its booking less what its other jobs hold, and no more
   * than is there. Nothing outside its window.
   */
  public Map<String, Long> inside(Reservation reservation, Node node, ClusterObject object) {
    BookedNode booked = Reservations.bookedOf(reservation, node.getName());
    boolean taken = Reservations.isTaken(reservation, node.getName());
    boolean lasts =
        reservation.getSpec().getStartMs() <= nowMs && reservation.getSpec().getEndMs() > nowMs;
    if (booked == null || taken || !lasts || !Reservations.runs(reservation)) {
      return Map.of();
    }
    Map<String, Long> free = new TreeMap<>(booked.getAmounts());
    for (Holding holding : node.getHoldings()) {
      Job job = view.jobs().get(Keys.number(holding.getNumber()));
      if (isOf(job, holding, Asker.reservation(reservation.getNumber()))) {
        NodeAmounts.subtract(free, holding.getAmounts());
      }
    }
    Map<String, Long> there = NodeAmounts.freeOfOurs(node, object, resources);
    free.replaceAll((name, amount) -> Math.min(amount, there.getOrDefault(name, 0L)));
    return free;
  }

  /** Whether a run in a reservation that wants the node for itself leaves out no other one. */
  public boolean openInside(Reservation reservation, Node node, Sharing sharing) {
    BookedNode booked = Reservations.bookedOf(reservation, node.getName());
    BookingPeriod span = new BookingPeriod(nowMs, reservation.getSpec().getEndMs());
    return booked != null
        && (sharing == Sharing.SHARED
            || booked.getExclusive()
            || others(node.getName(), span, Asker.reservation(reservation.getNumber())).isEmpty());
  }
}
