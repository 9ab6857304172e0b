package io.millrace.schedulers.core.cycle;

import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.pbs.attributes.NodeSharing;
import io.millrace.schemas.pbs.jobs.TransactionTimes;
import io.millrace.schemas.pbs.resources.BookedTime;
import io.millrace.schemas.pbs.resources.NodeAmounts;
import io.millrace.schemas.state.BookedNode;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.LostNode;
import io.millrace.schemas.state.OthersAtStart;
import io.millrace.schemas.state.Placement;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.ReservationSpec;
import io.millrace.schemas.state.ReservationTransaction;
import io.millrace.schemas.state.StartAction;
import io.millrace.schemas.state.Suspension;
import io.millrace.schemas.state.TransactionKind;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Reservations that are more than one window, at random: standing ones, those as soon as possible,
 * maintenance, and transactions; runs that begin late before what is booked, and runs of others
 * that give way to it. It has a source of chance of its own.
 */
final class RandomKinds {

  /** What was done, for tests that want each of it to have been. */
  enum KindOfChange {
    STANDING,
    OCCURRENCE,
    SOONEST,
    MAINTENANCE,
    HELD,
    COMMITTED,
    ABORTED,
    BEGUN,
    SHORTENED,
    ASKED_ANEW,
    STOPPED,
    SUSPENDED
  }

  private static final String TAKEN = "under maintenance";

  private final SchedulerFixture world;
  private final Random random;
  private final Map<KindOfChange, Integer> done = new EnumMap<>(KindOfChange.class);

  RandomKinds(SchedulerFixture world, Random random) {
    this.world = world;
    this.random = random;
  }

  Map<KindOfChange, Integer> done() {
    return done;
  }

  private void did(KindOfChange what) {
    done.merge(what, 1, Integer::sum);
  }

  static boolean isMaintenance(Reservation it) {
    return !it.getSpec().getMaintained().isEmpty();
  }

  static boolean isStanding(Reservation it) {
    return !it.getSpec().getRule().isEmpty();
  }

  /** One more change, or none. */
  String change() {
    int kind = random.nextInt(12);
    if (kind == 0 || kind == 6) {
      return begin();
    }
    if (kind == 5) {
      return askAnew();
    }
    List<Reservation> all = List.copyOf(world.reservations.values());
    return kind < 5 && !all.isEmpty() ? transaction(all.get(random.nextInt(all.size()))) : "";
  }

  /** What a new reservation is besides a window: standing, or as soon as possible. */
  Reservation asked(long number, ReservationSpec spec) {
    int kind = random.nextInt(4);
    Reservation asked = SampleReservations.asked(number, spec);
    if (kind == 0) {
      long lengthMs = spec.getEndMs() - spec.getStartMs();
      List<Long> later = new ArrayList<>();
      long freeMs = spec.getEndMs();
      for (int i = 1 + random.nextInt(3); i > 0; i--) {
        long startMs = freeMs + 1000L * random.nextInt(300);
        later.add(startMs);
        freeMs = startMs + lengthMs;
      }
      spec.setLaterMs(later);
      spec.setRule("FREQ=HOURLY");
    } else if (kind == 1) {
      spec.setSoonest(true);
      asked.setInteractiveS(-10L);
    }
    return asked;
  }

  /** Nodes that nobody else is to have for a time. */
  String maintenance(long number) {
    if (random.nextInt(12) > 0 || world.nodes.isEmpty()) {
      return "";
    }
    List<String> names = List.copyOf(world.nodes.keySet());
    TreeSet<String> some = new TreeSet<>();
    for (int i = random.nextInt(2); i >= 0; i--) {
      some.add(names.get(random.nextInt(names.size())));
    }
    some.removeIf(it -> world.object(ObjectKind.NODE, it) == null);
    if (some.isEmpty()) {
      return "";
    }
    long fromMs = world.nowMs() + 1000L * random.nextInt(300);
    long toMs = fromMs + 1000L * (1 + random.nextInt(600));
    String[] nodes = some.toArray(String[]::new);
    world.reserve(SampleReservations.maintained(number, fromMs, toMs, nodes));
    did(KindOfChange.MAINTENANCE);
    maintained();
    return " maintenance " + number + " of " + some + " at " + fromMs + "-" + toMs;
  }

  /** Maintenance has come or gone: who has lost nodes to it, and who has them again. */
  void maintained() {
    for (Reservation it : List.copyOf(world.reservations.values())) {
      if (isMaintenance(it) || it.getBooked().isEmpty()) {
        continue;
      }
      List<LostNode> lost = new ArrayList<>();
      for (BookedNode booked : it.getBooked()) {
        String by = takenBy(booked.getNode(), it);
        if (!by.isEmpty()) {
          lost.add(new LostNode(booked.getNode(), TAKEN, 0L, by));
        } else {
          it.getLost().stream()
              .filter(one -> one.getNode().equals(booked.getNode()) && one.getTakenBy().isEmpty())
              .forEach(lost::add);
        }
      }
      if (!lost.equals(it.getLost())) {
        world.reserve(next(it).setLost(lost).build());
      }
    }
  }

  private String takenBy(String node, Reservation of) {
    long fromMs = Math.max(world.nowMs(), of.getSpec().getStartMs());
    for (Reservation it : world.reservations.values()) {
      boolean meets =
          it.getSpec().getStartMs() < of.getSpec().getEndMs() && it.getSpec().getEndMs() > fromMs;
      boolean has = it.getBooked().stream().anyMatch(one -> one.getNode().equals(node));
      if (isMaintenance(it) && meets && has) {
        return it.getId();
      }
    }
    return "";
  }

  private static Reservation.Builder next(Reservation before) {
    return Reservation.newBuilder(before).setRevision(before.getRevision() + 1);
  }

  /** Opens a transaction of a reservation, or settles it. */
  private String transaction(Reservation it) {
    ReservationTransaction open = it.getPending();
    boolean undecided = it.getShares().isEmpty() || it.getAsked() != null;
    if (undecided || isMaintenance(it) || isStanding(it)) {
      return "";
    }
    if (open == null) {
      long fromMs = Math.max(world.nowMs(), it.getSpec().getStartMs() - 1000L * random.nextInt(99));
      long startMs = it.getStartedMs() >= 0 ? it.getSpec().getStartMs() : fromMs;
      long endMs = Math.max(startMs, world.nowMs()) + 1000L * (1 + random.nextInt(900));
      ReservationSpec asked =
          ReservationSpec.newBuilder(it.getSpec()).setStartMs(startMs).setEndMs(endMs).build();
      world.reserve(next(it).setAsked(asked).setPending(opened()).build());
      return " transaction of " + it.getQueue() + " " + startMs + "-" + endMs;
    }
    boolean commit = random.nextBoolean() && !leavesNodes(it, open);
    world.reserve(commit ? committed(it, open) : next(it).setPending(null).build());
    did(commit ? KindOfChange.COMMITTED : KindOfChange.ABORTED);
    maintained();
    return (commit ? " commit of " : " abort of ") + it.getQueue();
  }

  /** Runs of others that would last into a reservation over them give way before it begins. */
  String giveWay() {
    StringBuilder said = new StringBuilder();
    for (Reservation it : List.copyOf(world.reservations.values())) {
      OthersAtStart others = it.getSpec().getOthers();
      boolean due =
          others != null
              && others.getAction() != StartAction.WAIT
              && it.getSpec().getStartMs() - others.getLeadMs() <= world.nowMs()
              && it.getSpec().getEndMs() > world.nowMs();
      for (BookedNode booked : due ? it.getBooked() : List.<BookedNode>of()) {
        boolean lost = it.getLost().stream().anyMatch(o -> o.getNode().equals(booked.getNode()));
        for (long run : List.copyOf(world.running.keySet())) {
          if (!lost && inTheWay(it, booked, run)) {
            said.append(" run ").append(run).append(" gives way to ").append(it.getQueue());
            stop(run, others.getAction());
          }
        }
      }
    }
    return said.toString();
  }

  private boolean inTheWay(Reservation it, BookedNode booked, long run) {
    long fromMs = Math.max(it.getSpec().getStartMs(), world.nowMs());
    boolean there =
        world.running.get(run).stream().anyMatch(o -> o.getNode().equals(booked.getNode()));
    boolean other = there && !world.inside(run) && !world.killed(run);
    return other
        && world.state.books().holdings().endMs(run) > fromMs
        && (booked.getExclusive() || tooMuch(booked, fromMs));
  }

  /** Whether what is booked has no room beside the runs that last into it. */
  private boolean tooMuch(BookedNode booked, long fromMs) {
    Map<String, Long> all = new TreeMap<>(booked.getAmounts());
    world.running.forEach(
        (run, shares) -> {
          boolean lasts = world.state.books().holdings().endMs(run) > fromMs;
          if (lasts && !world.inside(run) && !world.killed(run)) {
            shares.stream()
                .filter(o -> o.getNode().equals(booked.getNode()))
                .forEach(o -> NodeAmounts.add(all, o.getAmounts()));
          }
        });
    return all.entrySet().stream()
        .anyMatch(
            o ->
                !NodeAmounts.withoutLimit(o.getKey())
                    && o.getValue() > world.capacity(booked.getNode(), o.getKey()));
  }

  private void stop(long run, StartAction action) {
    Job job = world.jobs.get(run);
    if (action == StartAction.SUSPEND && job.getSpec().getRerunnable()) {
      world.suspend(run, true);
      did(KindOfChange.SUSPENDED);
    } else {
      world.kill(run);
      did(KindOfChange.STOPPED);
    }
  }

  /** A shard ends what nobody has settled in time. */
  String lapse() {
    StringBuilder said = new StringBuilder();
    for (Reservation it : List.copyOf(world.reservations.values())) {
      if (it.getPending() != null && TransactionTimes.dueMs(it) <= world.nowMs()) {
        world.reserve(next(it).setPending(null).setAsked(null).build());
        maintained();
        said.append(" transaction of ").append(it.getQueue()).append(" ends by itself");
      }
    }
    return said.toString();
  }

  /** A shard commits nothing by which a node would go on which jobs may run already. */
  private static boolean leavesNodes(Reservation it, ReservationTransaction open) {
    List<String> kept = open.getBooked().stream().map(BookedNode::getNode).toList();
    return it.getStartedMs() >= 0
        && it.getBooked().stream().anyMatch(has -> !kept.contains(has.getNode()));
  }

  private ReservationTransaction opened() {
    return ReservationTransaction.newBuilder()
        .setKind(TransactionKind.MODIFY)
        .setBy("u@h")
        .setOpenedMs(world.nowMs())
        .build();
  }

  private static Reservation committed(Reservation it, ReservationTransaction open) {
    List<LostNode> lost = new ArrayList<>(it.getLost());
    lost.removeIf(
        one -> open.getBooked().stream().noneMatch(its -> its.getNode().equals(one.getNode())));
    return next(it)
        .setSpec(open.getSpec())
        .setShares(open.getShares())
        .setBooked(open.getBooked())
        .setLost(lost)
        .setPending(null)
        .build();
  }

  /** The window begins: what is open then is not to be. */
  static Reservation begun(Reservation it, long nowMs) {
    Reservation begun = SampleReservations.begun(it, nowMs);
    if (it.getPending() != null) {
      begun.setPending(null);
      begun.setAsked(null);
    }
    return begun;
  }

  /** The window is over; null when nothing comes after it. Its runs are over, and no other job. */
  Reservation returned(Reservation it) {
    if (it.getLies().isEmpty() || it.getShares().isEmpty()) {
      return null;
    }
    for (Job job : List.copyOf(world.jobs.values())) {
      boolean began = world.runs(job.getNumber()) || world.standsStill(job.getNumber());
      if (began && job.getSpec().getQueue().equals(it.getQueue())) {
        world.gone(job.getNumber());
      }
    }
    did(KindOfChange.OCCURRENCE);
    Reservation after = SampleReservations.returned(it);
    after.setLost(List.of());
    after.setAsked(null);
    return after;
  }

  /** What a decision makes of a reservation. */
  Reservation confirmed(Reservation before, ReservationDecision it) {
    Reservation after = SampleReservations.confirmed(before, it.shares(), this::sharing);
    if (before.getPending() != null && before.getAsked() != null) {
      did(KindOfChange.HELD);
      return held(before, after);
    }
    if (it.startMs() > 0) {
      did(KindOfChange.SOONEST);
      ReservationSpec spec = ReservationSpec.newBuilder(after.getSpec()).build();
      long lengthMs = spec.getEndMs() - spec.getStartMs();
      spec.setStartMs(it.startMs());
      spec.setEndMs(it.startMs() + lengthMs);
      after.setSpec(spec);
    }
    if (before.getShares().isEmpty() && !it.later().lies().isEmpty()) {
      did(KindOfChange.STANDING);
      List<Placement> places = new ArrayList<>();
      for (List<NodeShare> each : it.later().placements()) {
        List<BookedNode> booked =
            SampleReservations.confirmed(before, each, this::sharing).getBooked();
        places.add(new Placement(each, booked, ""));
      }
      after.setPlacements(places);
      after.setLies(it.later().lies());
    }
    return after;
  }

  /** What it is stays; what it is to be is held besides. */
  private Reservation held(Reservation before, Reservation placed) {
    ReservationTransaction open =
        ReservationTransaction.newBuilder(before.getPending())
            .setSpec(placed.getSpec())
            .setShares(placed.getShares())
            .setBooked(placed.getBooked())
            .build();
    return next(before).setAsked(null).setPending(open).build();
  }

  private NodeSharing sharing(String node) {
    return NodeAmounts.sharing(world.object(ObjectKind.NODE, node));
  }

  /** The walltime that a job has already is asked for again: its run is not limited any more. */
  private String askAnew() {
    for (Job job : world.jobs.values()) {
      if (job.getBookedLimitS() > 0 && !world.killed(job.getNumber())) {
        world.alter(job, job.getSpec(), true);
        did(KindOfChange.ASKED_ANEW);
        return " walltime of " + job.getNumber() + " asked for again";
      }
    }
    return "";
  }

  /**
   * A run is told late that it has begun. It lasts until something of its nodes is booked; one that
   * would have nothing left is not begun here.
   */
  private String begin() {
    for (Map.Entry<Long, List<NodeShare>> run : world.running.entrySet()) {
      Job job = world.jobs.get(run.getKey());
      boolean fresh = job.getResumedMs() < 0 && job.getSuspension() == Suspension.NONE;
      // What is told to end is left alone.
      fresh &= !world.killed(run.getKey());
      fresh &= !world.state.books().preemption().stopped(run.getKey());
      if (!fresh || job.getSessionId() != 0 || random.nextInt(3) == 0) {
        continue;
      }
      long lateMs = world.nowMs() - job.getStartedMs();
      long beganMs = job.getStartedMs() + (lateMs == 0 ? 0 : random.nextLong(lateMs + 1));
      long walltimeS = job.getSpec().getRequest().getWalltimeS();
      long firstMs = world.inside(run.getKey()) ? 0 : firstBooked(run.getValue());
      boolean reaches = walltimeS > 0 && firstMs > 0 && beganMs + 1000 * walltimeS > firstMs;
      if (!reaches) {
        world.begin(job, beganMs);
        did(KindOfChange.BEGUN);
        return " run of " + job.getNumber() + " begun at " + beganMs;
      }
      long leftS = (firstMs - beganMs) / 1000;
      if (leftS > 0) {
        world.begin(job, beganMs);
        world.shorten(job, leftS);
        did(KindOfChange.SHORTENED);
        return " run of " + job.getNumber() + " begun at " + beganMs + ", shortened to " + leftS;
      }
    }
    return "";
  }

  private long firstBooked(List<NodeShare> shares) {
    long firstMs = 0;
    for (Reservation it : world.reservations.values()) {
      for (BookedTime time : BookedTime.of(it)) {
        boolean here =
            time.booked().stream()
                .anyMatch(
                    one -> shares.stream().anyMatch(its -> its.getNode().equals(one.getNode())));
        if (here && time.startMs() > world.nowMs() && (firstMs == 0 || time.startMs() < firstMs)) {
          firstMs = time.startMs();
        }
      }
    }
    return firstMs;
  }
}
