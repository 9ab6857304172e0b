package io.millrace.schedulers.core.cycle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.reservations.timeline.UsageProfile;
import io.millrace.schedulers.core.model.ObjectAttributes;
import io.millrace.schedulers.core.state.node.AllocationBook;
import io.millrace.schemas.common.Chunk;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.pbs.resources.NodeAmounts;
import io.millrace.schemas.pbs.resources.PlaceRequest;
import io.millrace.schemas.pbs.resources.PlaceRequest.Sharing;
import io.millrace.schemas.state.BookedNode;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.LostNode;
import io.millrace.schemas.state.Node;
import io.millrace.schemas.state.OthersAtStart;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.ReservationSpec;
import io.millrace.schemas.state.StartAction;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/** Reservations that come, change, begin, lose nodes and end at random, with jobs in them. */
final class RandomReservations {

  private static final int MOST = 8;
  private static final String[] REQUESTS = {
    "select=1:ncpus=1:mpiprocs=1",
    "select=1:ncpus=8",
    "select=2:ncpus=3:mpiprocs=3",
    "select=2:ncpus=6,place=scatter",
    "select=3:ncpus=2:mem=1gb:mpiprocs=2,place=pack",
    "select=1:ncpus=2+2:ncpus=1:mem=2gb",
    "select=1:ncpus=1,place=excl",
    "select=1:ncpus=1,place=scatter:exclhost",
    "select=2:ncpus=2,place=group=rack",
    "select=1:ncpus=9"
  };
  private static final String[] JOBS = {
    "ncpus=1", "ncpus=2,walltime=60", "ncpus=6,walltime=6000", "select=2:ncpus=1,walltime=100"
  };

  private final SchedulerFixture world;
  private final Random random;
  private long next = 500_000;
  private int confirmed;
  private int refused;

  RandomReservations(SchedulerFixture world, Random random) {
    this.world = world;
    this.random = random;
  }

  /** How many proposals were taken. */
  int confirmed() {
    return confirmed;
  }

  /** How many starts a shard would have refused. */
  int refused() {
    return refused;
  }

  /** What the time brings, and perhaps one more change. */
  String change() {
    StringBuilder said = new StringBuilder();
    for (Reservation it : List.copyOf(world.reservations.values())) {
      if (it.getSpec().getEndMs() <= world.nowMs()) {
        said.append(" end of ").append(it.getQueue());
        end(it);
      } else if (it.getStartedMs() < 0
          && !it.getShares().isEmpty()
          && it.getSpec().getStartMs() <= world.nowMs()) {
        said.append(" begin of ").append(it.getQueue());
        world.reserve(SampleReservations.begun(it, world.nowMs()));
      }
    }
    int kind = random.nextInt(10);
    if (kind < 2 && world.reservations.size() < MOST) {
      long number = next++;
      world.reserve(SampleReservations.asked(number, spec("pbs-default")));
      said.append(" new ").append(world.reservations.get(number).getSpec());
    } else if (kind < 6 && !world.reservations.isEmpty()) {
      List<Reservation> all = List.copyOf(world.reservations.values());
      said.append(change(all.get(random.nextInt(all.size())), kind));
    }
    return said.toString();
  }

  private ReservationSpec spec(String partition) {
    long fromMs = world.nowMs() + 1000L * random.nextInt(600);
    long toMs = fromMs + 1000L * (1 + random.nextInt(900));
    String request = REQUESTS[random.nextInt(REQUESTS.length)];
    ReservationSpec spec =
        SampleReservations.spec(random.nextInt(6) == 0 ? "p1" : partition, fromMs, toMs, request);
    // Of the time itself, so that histories go on as they would without it.
    spec.setOthers(fromMs / 1000 % 4 == 0 ? new OthersAtStart(StartAction.WAIT, 0L) : null);
    return spec;
  }

  private String change(Reservation it, int kind) {
    String name = " " + it.getQueue();
    if (it.getShares().isEmpty()) {
      return name + " undecided";
    }
    if (kind == 2) {
      Job job = Records.job(next++, it.getQueue(), 0, JOBS[random.nextInt(JOBS.length)]);
      world.submit(job);
      return name + " job " + job.getNumber();
    }
    if (kind == 3) {
      List<NodeShare> shares = it.getShares();
      String node = shares.get(random.nextInt(shares.size())).getNode();
      world.reserve(SampleReservations.lost(it, node));
      return name + " lost " + node;
    }
    if (kind == 4) {
      ReservationSpec other = spec(it.getSpec().getPartition());
      boolean runs = it.getStartedMs() >= 0;
      ReservationSpec asked =
          ReservationSpec.newBuilder(it.getSpec())
              .setStartMs(runs ? it.getSpec().getStartMs() : other.getStartMs())
              .setEndMs(Math.max(other.getEndMs(), world.nowMs() + 1))
              .setRequest(random.nextBoolean() ? it.getSpec().getRequest() : other.getRequest())
              .build();
      world.reserve(SampleReservations.altered(it, asked));
      return name + " altered";
    }
    end(it);
    return name + " deleted";
  }

  private void end(Reservation it) {
    for (Job job : List.copyOf(world.jobs.values())) {
      if (job.getSpec().getQueue().equals(it.getQueue())) {
        world.gone(job.getNumber());
      }
    }
    world.reserve(SampleReservations.ended(it));
  }

  /** Decides until nothing is left, and compares with a state that is built anew. */
  void decide(String where) {
    int rounds = 0;
    while (world.state.reservationsDue()) {
      assertTrue(rounds++ < 50, where + ": no end of decisions");
      List<ReservationDecision> anew =
          ReservationCycle.run(world.rebuilt(), world.now, Long.MAX_VALUE);
      boolean cut = random.nextInt(4) == 0;
      List<ReservationDecision> followed =
          ReservationCycle.run(world.state, world.now, cut ? 1 : Long.MAX_VALUE);
      if (!cut) {
        assertEquals(anew.toString(), followed.toString(), where);
      }
      boolean apart = true;
      for (ReservationDecision it : followed) {
        Reservation before = world.reservations.get(it.number());
        assertEquals(before.getRevision(), it.revision(), where);
        apart &= answer(before, it, apart, where);
      }
    }
  }

  /**
   * @param apart false when an earlier proposal was refused, after which one that takes what that
   *     one would have left is refused, too
   * @return false when it is refused
   */
  private boolean answer(Reservation before, ReservationDecision it, boolean apart, String where) {
    if (random.nextInt(10) == 0) {
      return refuse(it);
    } else if (it.confirms()) {
      Reservation after =
          SampleReservations.confirmed(
              before,
              it.shares(),
              name -> NodeAmounts.sharing(world.object(ObjectKind.NODE, name)));
      whole(after, where);
      String full = noRoom(before, after, where);
      if (!full.isEmpty() && !apart) {
        return refuse(it);
      }
      assertEquals("", full, where);
      confirmed++;
      world.reserve(after);
    } else if (before.getShares().isEmpty()) {
      world.reserve(SampleReservations.ended(before));
    } else {
      world.reserve(SampleReservations.asBefore(before));
    }
    return true;
  }

  private boolean refuse(ReservationDecision it) {
    world.state.answers().refused(it.number());
    world.state.answers().resumes(it.number());
    return false;
  }

  /** The shares are what is asked for, chunk by chunk, on nodes that may be had. */
  private void whole(Reservation after, String where) {
    List<String> asked = new ArrayList<>();
    for (Chunk chunk : after.getSpec().getRequest().getChunks()) {
      for (int i = 0; i < chunk.getCount(); i++) {
        asked.add(new TreeMap<>(chunk.getAmounts()).toString());
      }
    }
    List<String> given = new ArrayList<>();
    for (NodeShare share : after.getShares()) {
      Map<String, Long> each = new TreeMap<>();
      share.getAmounts().forEach((name, all) -> each.put(name, all / share.getChunks()));
      for (int i = 0; i < share.getChunks(); i++) {
        given.add(each.toString());
      }
    }
    asked.sort(null);
    given.sort(null);
    assertEquals(asked, given, where);
  }

  /** Where on the nodes that are new there is no room beside runs and other reservations. */
  private String noRoom(Reservation before, Reservation after, String where) {
    StringBuilder full = new StringBuilder();
    boolean moved = before.getAsked() != null;
    List<String> had = new ArrayList<>();
    before.getBooked().forEach(it -> had.add(it.getNode()));
    Map<String, UsageProfile> used = new TreeMap<>();
    if (after.getSpec().getOthers() == null) {
      runs(used, after.getNumber()); // under others they give way
    }
    for (Reservation other : world.reservations.values()) {
      if (other.getNumber() != after.getNumber()) {
        debit(used, other);
      }
    }
    debit(used, after);
    long fromMs = Math.max(world.nowMs(), after.getSpec().getStartMs());
    for (BookedNode node : after.getBooked()) {
      if (!moved && had.contains(node.getNode())) {
        continue;
      }
      ClusterObject object = world.object(ObjectKind.NODE, node.getNode());
      Node record = world.nodes.get(node.getNode());
      assertTrue(object != null && record != null, where + ": " + node);
      node.getAmounts().keySet().forEach(it -> full.append(beyond(used, node, it, fromMs, after)));
      if (!moved) {
        assertTrue(record.getUp() && record.getOfferedTo() < 0, where + ": " + node);
        assertEquals("free", ObjectAttributes.text(object, "state", "free"), where + node);
      }
    }
    return full.toString();
  }

  private String beyond(
      Map<String, UsageProfile> used,
      BookedNode node,
      String resource,
      long fromMs,
      Reservation after) {
    long has = world.capacity(node.getNode(), resource);
    UsageProfile profile = used.get(node.getNode() + " " + resource);
    long most = profile == null ? 0 : profile.max(fromMs, after.getSpec().getEndMs());
    return most <= has ? "" : node + " " + profile + " of " + has;
  }

  /** What runs outside of a reservation use by their estimates. */
  private void runs(Map<String, UsageProfile> used, long besides) {
    world.running.forEach(
        (number, shares) -> {
          if (!world.inside(number)) {
            long endMs = world.state.books().holdings().endMs(number);
            UsedAmounts.debit(used, shares, Long.MIN_VALUE, endMs);
          }
        });
  }

  /**
   * True for a start in a reservation that the shard refuses, since a node has no more than is
   * there: to its jobs a reservation is a cluster of its own, and only runs of others that outlive
   * their walltime, or that it waits for, can be in their way.
   */
  boolean beyondItsNodes(long number, List<NodeShare> shares, String where) {
    if (!world.inside(number)) {
      return false;
    }
    long nowMs = world.nowMs();
    Map<String, UsageProfile> used = new TreeMap<>();
    world.running.values().forEach(it -> UsedAmounts.debit(used, it, nowMs, nowMs + 1));
    UsedAmounts.debit(used, shares, nowMs, nowMs + 1);
    for (NodeShare share : shares) {
      for (String resource : share.getAmounts().keySet()) {
        String node = share.getNode();
        long all = used.get(node + " " + resource).at(nowMs);
        if (all > world.capacity(node, resource)) {
          boolean late = world.running.keySet().stream().anyMatch(it -> outlives(it, node));
          assertTrue(late, where + ": " + number + share + " makes " + all);
          refused++;
          return true;
        }
      }
    }
    return false;
  }

  /**
   * True for a start in a reservation, or beside a run in one, that the shard refuses since one of
   * both has the node or the host to itself: the other outlives its walltime, is waited for, or is
   * on another node of the host, from which a reservation keeps nobody away.
   */
  boolean besideAnother(long number, List<NodeShare> shares) {
    ReferenceNodeSharing company =
        new ReferenceNodeSharing(name -> NodeAmounts.sharing(world.object(ObjectKind.NODE, name)));
    for (long other : world.running.keySet()) {
      List<NodeShare> theirs = world.running.get(other);
      boolean apart =
          (world.inside(number) || world.inside(other)) && !queue(number).equals(queue(other));
      boolean hostOnly = theirs.stream().noneMatch(it -> lies(shares, it.getNode()));
      if (apart
          && (hostOnly || late(other) || awaited(number, other))
          && company.excludes(sharing(number), shares, sharing(other), theirs)) {
        refused++;
        return true;
      }
    }
    return false;
  }

  private String queue(long number) {
    return world.jobs.get(number).getSpec().getQueue();
  }

  private Sharing sharing(long number) {
    return PlaceRequest.of(world.jobs.get(number).getSpec().getRequest().getPlace()).sharing();
  }

  /** True for a late run on a node of a reservation that has begun, or one that it waits for. */
  boolean outlives(long number, String node) {
    return !world.inside(number)
        && lies(world.running.get(number), node)
        && world.reservations.values().stream()
            .filter(it -> it.getStartedMs() >= 0)
            .filter(it -> late(number) || it.getSpec().getOthers() != null)
            .anyMatch(it -> has(it, node));
  }

  /** True when the reservation of a job lies over a run of others, for whose end it waits. */
  private boolean awaited(long number, long other) {
    if (!world.inside(number) || world.inside(other)) {
      return false;
    }
    Reservation its = world.reservationOf(queue(number));
    return its.getSpec().getOthers() != null
        && world.running.get(other).stream().anyMatch(it -> has(its, it.getNode()));
  }

  /** True for a run of others that should be over, or would be but for a walltime given later. */
  boolean late(long number) {
    long endMs = world.state.books().holdings().endMs(number);
    boolean over = endMs <= world.nowMs() + AllocationBook.OVERRUN_MS;
    return !world.inside(number) && (over || world.prolonged.contains(number));
  }

  private static boolean lies(List<NodeShare> shares, String node) {
    return shares.stream().anyMatch(it -> it.getNode().equals(node));
  }

  private static boolean has(Reservation reservation, String node) {
    return reservation.getBooked().stream().anyMatch(it -> it.getNode().equals(node));
  }

  private void debit(Map<String, UsageProfile> used, Reservation it) {
    for (BookedNode node : it.getBooked()) {
      node.getAmounts()
          .forEach(
              (resource, amount) ->
                  used.computeIfAbsent(node.getNode() + " " + resource, key -> new UsageProfile())
                      .debit(it.getSpec().getStartMs(), it.getSpec().getEndMs(), amount));
    }
  }

  /** A job that starts has room to its end beside runs and reservations, or in its own. */
  void started(long number, String where) {
    List<NodeShare> shares = world.running.get(number);
    Map<String, UsageProfile> used = new TreeMap<>();
    long fromMs = world.nowMs();
    if (world.inside(number)) {
      String queue = world.jobs.get(number).getSpec().getQueue();
      Reservation its = world.reservationOf(queue);
      assertTrue(its.getStartedMs() >= 0, where + ": " + number + " before " + queue);
      its.getLost().stream()
          .map(LostNode::getNode)
          .forEach(it -> assertFalse(lies(shares, it), where + ": " + number + " on lost " + it));
      world.running.forEach(
          (other, theirs) -> {
            if (world.jobs.get(other).getSpec().getQueue().equals(queue)) {
              UsedAmounts.debit(used, theirs, fromMs, fromMs + 1);
            }
          });
      used.forEach(
          (key, profile) -> {
            String[] words = key.split(" ");
            long has = 0;
            for (BookedNode node : its.getBooked()) {
              has +=
                  node.getNode().equals(words[0])
                      ? node.getAmounts().getOrDefault(words[1], 0L)
                      : 0;
            }
            boolean enough = NodeAmounts.withoutLimit(words[1]) || profile.at(fromMs) <= has;
            assertTrue(enough, where + ": " + number + " in " + its + key);
          });
      return;
    }
    runs(used, -1);
    world.reservations.values().forEach(it -> debit(used, it));
    long endMs = world.state.books().holdings().endMs(number);
    for (NodeShare share : shares) {
      for (String resource : share.getAmounts().keySet()) {
        UsageProfile profile = used.get(share.getNode() + " " + resource);
        long most = profile == null ? 0 : profile.max(fromMs, endMs);
        long has = world.capacity(share.getNode(), resource);
        assertTrue(most <= has, where + ": " + number + share + " " + most + " of " + has);
      }
      alone(number, share, fromMs, endMs, where);
    }
  }

  /**
   * Nobody is on a node that a reservation has to itself, and nobody whose end is not known on one
   * of which anything is booked for later.
   */
  private void alone(long number, NodeShare share, long fromMs, long endMs, String where) {
    for (Reservation it : world.reservations.values()) {
      boolean meets = it.getSpec().getStartMs() < endMs && it.getSpec().getEndMs() > fromMs;
      for (BookedNode node : it.getBooked()) {
        boolean ends = endMs != UsageProfile.FOREVER || it.getStartedMs() >= 0;
        boolean shared = !node.getExclusive() && ends;
        boolean same = meets && node.getNode().equals(share.getNode());
        assertTrue(!same || shared, () -> where + ": " + number + share + " in " + it);
      }
    }
  }
}
