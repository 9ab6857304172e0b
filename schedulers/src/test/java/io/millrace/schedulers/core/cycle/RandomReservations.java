package io.millrace.schedulers.core.cycle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.common.Chunk;
import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.common.ResourceRequest;
import io.millrace.schemas.pbs.resources.NodeAmounts;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.OthersAtStart;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.ReservationSpec;
import io.millrace.schemas.state.ReservationTransaction;
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

  /** Others than those of one window; null in a history without. */
  private final RandomKinds kinds;

  private final ReservedRoom room;
  private long next = 500_000;
  private int confirmed;

  RandomReservations(SchedulerFixture world, Random random, RandomKinds kinds) {
    this.world = world;
    this.random = random;
    this.kinds = kinds;
    this.room = new ReservedRoom(world);
  }

  /** How many proposals were taken. */
  int confirmed() {
    return confirmed;
  }

  /** The checks of what is there beside runs and reservations. */
  ReservedRoom room() {
    return room;
  }

  /** What the time brings, and perhaps one more change. */
  String change() {
    StringBuilder said = new StringBuilder();
    if (kinds != null) {
      said.append(kinds.lapse());
      said.append(kinds.giveWay());
    }
    for (Reservation it : List.copyOf(world.reservations.values())) {
      if (it.getSpec().getEndMs() <= world.nowMs()) {
        said.append(" end of ").append(it.getQueue());
        over(it);
      } else if (it.getStartedMs() < 0
          && !it.getShares().isEmpty()
          && it.getSpec().getStartMs() <= world.nowMs()) {
        said.append(" begin of ").append(it.getQueue());
        world.reserve(RandomKinds.begun(it, world.nowMs()));
      }
    }
    int kind = random.nextInt(10);
    if (kind < 2 && world.reservations.size() < MOST) {
      long number = next++;
      ReservationSpec spec = spec("pbs-default");
      world.reserve(
          kinds == null ? SampleReservations.asked(number, spec) : kinds.asked(number, spec));
      said.append(" new ").append(world.reservations.get(number).getSpec());
    } else if (kind < 6 && !world.reservations.isEmpty()) {
      List<Reservation> all = List.copyOf(world.reservations.values());
      said.append(change(all.get(random.nextInt(all.size())), kind));
    }
    if (kinds != null) {
      said.append(world.reservations.size() < MOST ? kinds.maintenance(next++) : "");
      said.append(kinds.change());
    }
    return said.toString();
  }

  private void over(Reservation it) {
    Reservation next = kinds == null ? null : kinds.returned(it);
    if (next == null) {
      end(it);
    } else {
      world.reserve(next);
    }
    if (kinds != null) {
      kinds.maintained();
    }
  }

  private ReservationSpec spec(String partition) {
    long fromMs = world.nowMs() + 1000L * random.nextInt(600);
    long toMs = fromMs + 1000L * (1 + random.nextInt(900));
    String request = REQUESTS[random.nextInt(REQUESTS.length)];
    ReservationSpec spec =
        SampleReservations.spec(random.nextInt(6) == 0 ? "p1" : partition, fromMs, toMs, request);
    // Of the time itself, so that histories go on as they would without it.
    int others = (int) (fromMs / 1000 % 8);
    if (kinds == null || others >= StartAction.values().length) {
      spec.setOthers(others % 4 == 0 ? new OthersAtStart(StartAction.WAIT, 0L) : null);
    } else {
      long leadMs = 20_000L * (fromMs / 8000 % 4);
      spec.setOthers(new OthersAtStart(StartAction.values()[others], leadMs));
    }
    return spec;
  }

  private String change(Reservation it, int kind) {
    String name = " " + it.getQueue();
    if (it.getShares().isEmpty()) {
      return name + " undecided";
    }
    if (RandomKinds.isMaintenance(it) && kind < 5) {
      return name + " is of nobody";
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
    if (kind == 4 && (it.getPending() != null || RandomKinds.isStanding(it))) {
      return name + " stays";
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
    if (kinds != null) {
      kinds.maintained();
    }
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
    List<ReservationDecision> missed =
        ReservationCycle.run(world.rebuilt(), world.now, Long.MAX_VALUE);
    assertEquals("[]", missed.toString(), () -> where + ": nobody looks at these");
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
          kinds != null
              ? kinds.confirmed(before, it)
              : SampleReservations.confirmed(
                  before,
                  it.shares(),
                  name -> NodeAmounts.sharing(world.object(ObjectKind.NODE, name)));
      boolean held = after.getPending() != null && before.getAsked() != null;
      if (held) {
        ReservationTransaction open = after.getPending();
        whole(open.getSpec().getRequest(), open.getShares(), where);
      } else {
        whole(after.getSpec().getRequest(), after.getShares(), where);
      }
      after.getPlacements().forEach(one -> whole(usual(after), one.getShares(), where));
      String full = room.noRoom(before, after, where);
      if (!full.isEmpty() && !apart) {
        return refuse(it);
      }
      assertEquals("", full, () -> where + ": " + it + " of " + before);
      confirmed++;
      world.reserve(after);
    } else if (before.getShares().isEmpty()) {
      world.reserve(SampleReservations.ended(before));
    } else {
      Reservation stays = SampleReservations.asBefore(before);
      if (before.getAsked() != null) {
        stays.setPending(null);
      }
      world.reserve(stays);
    }
    return true;
  }

  private boolean refuse(ReservationDecision it) {
    world.state.answers().refused(it.number());
    world.state.answers().resumes(it.number());
    return false;
  }

  /** The shares are what is asked for, chunk by chunk, on nodes that may be had. */
  private static void whole(ResourceRequest request, List<NodeShare> shares, String where) {
    List<String> asked = new ArrayList<>();
    for (Chunk chunk : request.getChunks()) {
      for (int i = 0; i < chunk.getCount(); i++) {
        asked.add(new TreeMap<>(chunk.getAmounts()).toString());
      }
    }
    List<String> given = new ArrayList<>();
    for (NodeShare share : shares) {
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

  private static ResourceRequest usual(Reservation one) {
    return one.getUsual() == null ? one.getSpec().getRequest() : one.getUsual().getRequest();
  }
}
