package io.millrace.schedulers.core.cycle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.reservations.timeline.UsageProfile;
import io.millrace.schedulers.core.model.ObjectAttributes;
import io.millrace.schedulers.core.state.node.AllocationBook;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.pbs.resources.BookedTime;
import io.millrace.schemas.pbs.resources.NodeAmounts;
import io.millrace.schemas.pbs.resources.PlaceRequest;
import io.millrace.schemas.pbs.resources.PlaceRequest.Sharing;
import io.millrace.schemas.state.BookedNode;
import io.millrace.schemas.state.LostNode;
import io.millrace.schemas.state.Node;
import io.millrace.schemas.state.Reservation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What is there beside runs and reservations: the checks of {@link RandomReservations}. */
final class ReservedRoom {

  private final SchedulerFixture world;
  private int refused;

  ReservedRoom(SchedulerFixture world) {
    this.world = world;
  }

  /** How many starts a shard would have refused. */
  int refused() {
    return refused;
  }

  /** Where on the nodes that are new there is no room beside runs and other reservations. */
  String noRoom(Reservation before, Reservation after, String where) {
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
    List<BookedTime> times = new ArrayList<>(BookedTime.of(after));
    BookedTime window = times.get(0);
    times.removeAll(BookedTime.of(before)); // what was booked before is not asked for now
    if (!moved && !before.getShares().isEmpty()) {
      times.retainAll(List.of(window)); // of a transaction is held what it was, also of a lost node
    }
    for (BookedTime time : times) {
      for (BookedNode node : time.booked()) {
        boolean asked = moved || time != window || !had.contains(node.getNode());
        if (asked && !(moved && isOwn(before, time, node))) {
          full.append(full(used, node, time, moved, where));
        }
      }
    }
    return full.toString();
  }

  /** What is altered may keep what it has, also where that is lost, for a part of its time. */
  private static boolean isOwn(Reservation before, BookedTime time, BookedNode node) {
    return time.startMs() >= before.getSpec().getStartMs()
        && time.endMs() <= before.getSpec().getEndMs()
        && before.getBooked().stream()
            .filter(it -> it.getNode().equals(node.getNode()))
            .anyMatch(it -> NodeAmounts.fits(it.getAmounts(), node.getAmounts()));
  }

  private String full(
      Map<String, UsageProfile> used,
      BookedNode node,
      BookedTime time,
      boolean moved,
      String where) {
    StringBuilder full = new StringBuilder();
    ClusterObject object = world.object(ObjectKind.NODE, node.getNode());
    Node record = world.nodes.get(node.getNode());
    assertTrue(object != null && record != null, where + ": " + node);
    node.getAmounts().keySet().forEach(it -> full.append(beyond(used, node, it, time)));
    if (!moved) {
      assertTrue(record.getUp() && record.getOfferedTo() < 0, where + ": " + node);
      assertEquals("free", ObjectAttributes.text(object, "state", "free"), where + node);
    }
    return full.toString();
  }

  private String beyond(
      Map<String, UsageProfile> used, BookedNode node, String resource, BookedTime time) {
    long fromMs = Math.max(world.nowMs(), time.startMs());
    long has = world.capacity(node.getNode(), resource);
    UsageProfile profile = used.get(node.getNode() + " " + resource);
    long most = profile == null ? 0 : profile.max(fromMs, time.endMs());
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
    boolean window = true;
    for (BookedTime time : BookedTime.of(it)) {
      for (BookedNode node : time.booked()) {
        if (!window || it.getStartedMs() >= 0 || !taken(it, node.getNode())) {
          node.getAmounts()
              .forEach(
                  (resource, amount) ->
                      used.computeIfAbsent(
                              node.getNode() + " " + resource, key -> new UsageProfile())
                          .debit(time.startMs(), time.endMs(), amount));
        }
      }
      window = false;
    }
  }

  /** Whether maintenance has taken a node from a reservation that has not begun. */
  private static boolean taken(Reservation of, String node) {
    return of.getLost().stream()
        .anyMatch(it -> !it.getTakenBy().isEmpty() && it.getNode().equals(node));
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
      BookedTime.of(it).forEach(time -> alone(it, time, share, fromMs, endMs, number + where));
    }
  }

  private static void alone(
      Reservation it, BookedTime time, NodeShare share, long fromMs, long endMs, String where) {
    boolean meets = time.startMs() < endMs && time.endMs() > fromMs;
    for (BookedNode node : time.booked()) {
      boolean window = time.startMs() == it.getSpec().getStartMs();
      if (window && it.getStartedMs() < 0 && taken(it, node.getNode())) {
        continue;
      }
      boolean ends = endMs != UsageProfile.FOREVER || it.getStartedMs() >= 0;
      boolean shared = !node.getExclusive() && ends;
      boolean same = meets && node.getNode().equals(share.getNode());
      assertTrue(!same || shared, () -> where + ": " + share + " in " + it);
    }
  }
}
