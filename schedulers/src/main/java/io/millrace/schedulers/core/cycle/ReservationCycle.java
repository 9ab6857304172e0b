package io.millrace.schedulers.core.cycle;

import io.millrace.schedulers.core.model.ChunkKind;
import io.millrace.schedulers.core.model.RequestShape;
import io.millrace.schedulers.core.search.CycleSearches;
import io.millrace.schedulers.core.search.ReservationSearch;
import io.millrace.schedulers.core.state.ReservationChanges;
import io.millrace.schedulers.core.state.SchedulerBooks;
import io.millrace.schedulers.core.state.node.Booked;
import io.millrace.schedulers.core.state.node.JobAllocation;
import io.millrace.schedulers.core.state.node.NodeAllocation;
import io.millrace.schedulers.core.state.node.Pool;
import io.millrace.schedulers.core.state.reservation.KnownReservation;
import io.millrace.schedulers.core.state.reservation.KnownReservation.ReservationWindow;
import io.millrace.schedulers.core.state.reservation.KnownReservation.Undecided;
import io.millrace.schedulers.core.state.reservation.ReservationBook;
import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.pbs.resources.PlaceRequest.Sharing;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * One pass over the reservations that wait for a decision; it comes before the cycle that looks at
 * jobs, whatever the policy.
 *
 * <p>Simple semantics, by number: a new reservation gets the first nodes on which its chunks have
 * room throughout its window, or is denied; where it may lie over runs of others, these count only
 * as long as there are enough other nodes. One that is to be altered keeps the nodes that it has
 * where they do; while its window lasts it gets no others. One that has lost nodes gets others in
 * their place as soon as there is room; a node on which its jobs run is left to it. What is
 * proposed is booked until that is answered.
 */
public final class ReservationCycle {

  /** Earlier places that are tried for an occurrence before a new one is looked for. */
  private static final int PLACES_TRIED = 8;

  private final SchedulerBooks books;
  private final ReservationBook book;
  private final ReservationChanges changes;
  private final CycleSearches bench;
  private final ReservationSearch search;
  private final long nowMs;
  private final AskedSearch asked;
  private final List<ReservationDecision> decisions = new ArrayList<>();

  private ReservationCycle(SchedulerState state, long nowMs) {
    this.books = state.books();
    this.book = books.reservations();
    this.changes = books.reservationFacts();
    this.bench = state.bench();
    this.search = bench.reservations();
    this.nowMs = nowMs;
    this.asked = new AskedSearch(state, nowMs);
  }

  /**
   * Decides on the reservations that wait for it.
   *
   * @param now time of the cycle; one before an earlier cycle counts as the time of that one
   * @param workUnits bound: no further reservation is looked at once they are used up; at least one
   *     is, and those that are not reached stay due
   */
  public static List<ReservationDecision> run(SchedulerState state, Instant now, long workUnits) {
    long nowMs = state.books().time().notBefore(now.toEpochMilli());
    state.books().holdings().overdue(nowMs);
    state.bench().begin();
    ReservationCycle cycle = new ReservationCycle(state, nowMs);
    if (state.settings().scheduling()) {
      cycle.work(workUnits);
    }
    return cycle.decisions;
  }

  private void work(long workUnits) {
    boolean tried = false;
    long number = Long.MIN_VALUE;
    for (Long next = changes.nextAfter(number); next != null; next = changes.nextAfter(number)) {
      number = next;
      if (tried && bench.work().units() >= workUnits) {
        return;
      }
      tried = true;
      bench.work().add(1);
      KnownReservation known = book.get(number);
      Pool pool = books.nodes().unbound(known.partition());
      asked.begin(known);
      switch (known.wish().kind()) {
        case NEW -> {
          if (known.wish().soonest()) {
            soonest(known, pool);
          } else {
            anew(known, pool);
          }
        }
        case CHANGE -> change(known, pool);
        case REPLACEMENT -> replace(known, pool);
      }
      asked.end();
    }
  }

  private ReservationWindow fromNow(ReservationWindow wanted) {
    return new ReservationWindow(Math.max(nowMs, wanted.fromMs()), wanted.toMs());
  }

  /** The first nodes with room on which the reservation may be. */
  private JobAllocation find(KnownReservation known, Pool pool, ReservationWindow within) {
    return asked.search(
        within, gate -> search.find(placed(known.wish()), pool, within, gate), it -> it == null);
  }

  private boolean holds(JobAllocation held, ReservationWindow within) {
    return asked.search(within, gate -> search.holds(held, within, gate), it -> !it);
  }

  /** Why there are no nodes for it. */
  private String noNodes(String otherwise) {
    return asked.refusal().isEmpty()
        ? otherwise
        : "reservable.ad leaves too few nodes that have room: " + asked.refusal();
  }

  /** The request under what holds about placement sets now: as for a job in no queue. */
  private RequestShape placed(Undecided wish) {
    return wish.request().under(books.settings().sets());
  }

  private void anew(KnownReservation known, Pool pool) {
    Undecided wish = known.wish();
    ReservationWindow window = fromNow(wish.window());
    JobAllocation held = pool == null || window.toMs() <= nowMs ? null : find(known, pool, window);
    List<JobAllocation> later = held == null ? null : later(known, held, pool);
    if (later != null) {
      confirm(known, wish.window(), held, held, later);
    } else {
      noRoom(known, pool, window);
    }
  }

  /** The first time at which there is room throughout, of those at which something ends. */
  private void soonest(KnownReservation known, Pool pool) {
    ReservationWindow latest = known.wish().window();
    long lengthMs = latest.toMs() - latest.fromMs();
    if (pool != null && pool.usable() > 0 && search.everFits(placed(known.wish()), pool)) {
      for (long fromMs : SoonestStarts.of(books, pool, nowMs, latest.fromMs())) {
        ReservationWindow window = new ReservationWindow(fromMs, fromMs + lengthMs);
        JobAllocation held = find(known, pool, window);
        if (held != null) {
          confirm(known, window, held, held, List.of());
          return;
        }
      }
    }
    noRoom(known, pool, fromNow(latest));
  }

  private void noRoom(KnownReservation known, Pool pool, ReservationWindow window) {
    Undecided wish = known.wish();
    if (window.toMs() <= nowMs) {
      deny(known, "its time is over");
    } else if (pool == null || pool.usable() == 0) {
      refuse(known, "no node of partition " + known.partition() + " can be used");
    } else if (!search.everFits(placed(wish), pool)) {
      deny(known, tooLarge(known.partition(), placed(wish), pool));
    } else if (asked.steps().spent()) {
      // One that waits would need as much again each time.
      deny(known, noNodes(asked.steps().reason()));
    } else {
      refuse(
          known,
          noNodes("too little is free of runs and of other reservations throughout its time"));
    }
  }

  /**
   * Where the occurrences behind the first one lie: where an earlier one does if that is free, the
   * nearest first. Null when one of them has no room.
   */
  private List<JobAllocation> later(KnownReservation known, JobAllocation first, Pool pool) {
    Undecided wish = known.wish();
    List<JobAllocation> places = new ArrayList<>(List.of(first));
    List<JobAllocation> later = new ArrayList<>();
    for (ReservationWindow window : wish.windows().subList(1, wish.windows().size())) {
      JobAllocation held = null;
      for (int i = 0; i < places.size() && i < PLACES_TRIED && held == null; i++) {
        held = holds(places.get(i), window) ? places.get(i) : null;
      }
      if (held == null) {
        held = find(known, pool, window);
        if (held == null) {
          return null;
        }
      }
      places.remove(held);
      places.add(0, held);
      later.add(held);
    }
    return later;
  }

  /** The first amount of which there is never as much as is asked for. */
  private String tooLarge(String partition, RequestShape request, Pool pool) {
    for (int i = 0; i < request.totals(); i++) {
      long total = pool.sumCapacity(request.totalResource(i));
      if (request.totalAmount(i) > total) {
        return "the nodes of partition "
            + partition
            + " never have that much of "
            + books.names().name(request.totalResource(i));
      }
    }
    for (ChunkKind kind : request.kinds()) {
      if (!pool.everFits(kind)) {
        return "no node of partition " + partition + " is ever large enough for a chunk";
      }
    }
    return search.lacksCluster(request, pool)
        ? "its nodes have to be all of one cluster of another system, or all of none, and none of"
            + " these in partition "
            + partition
            + " ever has room for its chunks"
        : "the nodes of partition " + partition + " never fit its chunks and their place";
  }

  /** There is no room now: one that can wait does. */
  private void refuse(KnownReservation known, String why) {
    if (known.wish().patient()) {
      book.waits(known.number(), changes.room(known.number()));
    } else {
      deny(known, why);
    }
  }

  private void change(KnownReservation known, Pool pool) {
    Undecided wish = known.wish();
    ReservationWindow window = fromNow(wish.window());
    boolean begun = books.holdings().get(ReservationChanges.holder(known.number())) != null;
    Booked own = changes.setAside(known.number());
    JobAllocation held = kept(known, window);
    if (held == null && !begun && pool != null && window.toMs() > nowMs) {
      held = find(known, pool, window);
    }
    changes.back(known.number(), own);
    if (held == null) {
      deny(
          known,
          noNodes(
              "its nodes are not free throughout the time, or its jobs need what it would give"));
    } else {
      confirm(known, wish.window(), held, held, List.of());
    }
  }

  /**
   * The parts of nodes that a reservation keeps when it is altered: those on which its jobs run
   * first, then in their order, and the lost ones last. Null when they are not enough, or not free
   * in the window.
   */
  private JobAllocation kept(KnownReservation known, ReservationWindow window) {
    List<NodeShare> inOrder = new ArrayList<>(known.wish().shares());
    inOrder.sort(Comparator.comparingInt(it -> rank(known, it)));
    int running = (int) inOrder.stream().filter(it -> runsOn(known, it)).count();
    List<NodeAllocation> takes = takes(inOrder);
    boolean[] used = new boolean[takes.size()];
    List<NodeAllocation> kept = new ArrayList<>();
    for (ChunkKind kind : known.wish().request().kinds()) {
      int left = kind.count();
      for (int i = 0; i < used.length && left > 0; i++) {
        int chunks = used[i] ? 0 : Math.min(left, search.chunksOf(kind, takes.get(i)));
        if (chunks > 0) {
          used[i] = true;
          left -= chunks;
          kept.add(search.chunks(takes.get(i).node(), kind, chunks));
        }
      }
      if (left > 0) {
        return null;
      }
    }
    for (int i = 0; i < running; i++) {
      if (!used[i]) {
        return null;
      }
    }
    JobAllocation held = new JobAllocation(kept, sharing(known));
    if (!covers(known, held)) {
      return null;
    }
    return isWithin(known.wish().window(), known.window()) ? own(held, window) : free(held, window);
  }

  private static boolean isWithin(ReservationWindow asked, ReservationWindow has) {
    return asked.fromMs() >= has.fromMs() && asked.toMs() <= has.toMs();
  }

  /**
   * What a reservation has stays its own for a part of its time, also where a node is lost: it is
   * replaced afterwards. Only reservable.ad is asked again.
   */
  private JobAllocation own(JobAllocation held, ReservationWindow window) {
    return asked.search(window, gate -> search.allows(held, gate), it -> !it) ? held : null;
  }

  private JobAllocation free(JobAllocation held, ReservationWindow window) {
    return holds(held, window) ? held : null;
  }

  private int rank(KnownReservation known, NodeShare share) {
    return runsOn(known, share) ? 0 : known.wish().lost().contains(share.getNode()) ? 2 : 1;
  }

  /** True when what is left of each node is at least what jobs of the reservation use of it. */
  private boolean covers(KnownReservation known, JobAllocation held) {
    return books.nodes().reserved().within(known.name(), held);
  }

  private boolean runsOn(KnownReservation known, NodeShare share) {
    return books.nodes().reserved().anyRuns(known.name(), share.getNode());
  }

  private static Sharing sharing(KnownReservation known) {
    return known.wish().request().placement().sharing();
  }

  private List<NodeAllocation> takes(List<NodeShare> shares) {
    List<NodeAllocation> takes = new ArrayList<>();
    for (NodeShare share : shares) {
      long[] amounts = books.names().array(share.getAmounts());
      takes.add(
          new NodeAllocation(books.nodes().named(share.getNode()), share.getChunks(), amounts));
    }
    return takes;
  }

  private void replace(KnownReservation known, Pool pool) {
    Undecided wish = known.wish();
    List<NodeShare> stays = new ArrayList<>();
    List<NodeShare> lost = new ArrayList<>();
    for (NodeShare share : wish.shares()) {
      boolean gone = wish.lost().contains(share.getNode()) && !runsOn(known, share);
      (gone ? lost : stays).add(share);
    }
    ReservationWindow window = fromNow(wish.window());
    List<NodeAllocation> found = null;
    if (!lost.isEmpty() && pool != null && window.toMs() > nowMs) {
      JobAllocation kept = new JobAllocation(takes(stays), sharing(known));
      found =
          stays.isEmpty()
              ? all(find(known, pool, window))
              : instead(
                  known, pool, window, new ReservationSearch.KeptAllocation(kept, takes(lost)));
    }
    if (found == null) {
      book.waits(known.number(), changes.room(known.number()));
      return;
    }
    JobAllocation instead = new JobAllocation(found, sharing(known));
    List<NodeAllocation> all = takes(stays);
    all.addAll(found);
    boolean begun = books.holdings().get(ReservationChanges.holder(known.number())) != null;
    JobAllocation whole = new JobAllocation(all, sharing(known));
    confirm(known, wish.window(), whole, begun ? instead : whole, List.of());
  }

  private List<NodeAllocation> instead(
      KnownReservation known,
      Pool pool,
      ReservationWindow window,
      ReservationSearch.KeptAllocation kept) {
    RequestShape shape = placed(known.wish());
    return asked.search(
        window, gate -> search.replace(shape, pool, window, kept, gate), it -> it == null);
  }

  private static List<NodeAllocation> all(JobAllocation held) {
    return held == null ? null : held.takes();
  }

  /**
   * Proposes nodes, which are booked from now on.
   *
   * @param booked what is not held already
   */
  private void confirm(
      KnownReservation known,
      ReservationWindow window,
      JobAllocation held,
      JobAllocation booked,
      List<JobAllocation> later) {
    changes.proposed(known.number(), booked(known, window, booked));
    List<List<NodeShare>> placements = new ArrayList<>();
    List<Integer> lies = new ArrayList<>();
    Map<JobAllocation, Integer> placed = new IdentityHashMap<>();
    List<Booked> there = new ArrayList<>();
    List<Booked> all = new ArrayList<>();
    for (int i = 0; i < later.size(); i++) {
      ReservationWindow then = known.wish().windows().get(i + 1);
      Integer which = placed.get(later.get(i));
      if (which == null) {
        which = placements.size();
        placed.put(later.get(i), which);
        placements.add(later.get(i).shares(books.names()));
        there.add(booked(known, then, later.get(i)));
      }
      lies.add(which);
      all.add(there.get(which).at(then.fromMs(), then.toMs()));
    }
    if (!all.isEmpty()) {
      changes.proposedLater(known.number(), all);
    }
    decisions.add(
        new ReservationDecision(
            known.number(),
            known.revision(),
            held.shares(books.names()),
            "",
            new ReservationDecision.LaterPlacements(placements, lies),
            known.wish().soonest() ? window.fromMs() : 0));
  }

  private static Booked booked(
      KnownReservation known, ReservationWindow window, JobAllocation booked) {
    JobAllocation whole = ReservationSearch.booked(booked);
    boolean[] exclusive = new boolean[whole.size()];
    for (int i = 0; i < exclusive.length; i++) {
      exclusive[i] = whole.sharing(whole.takes().get(i)) != Sharing.SHARED;
    }
    return new Booked(
        known.number(), known.name(), window.fromMs(), window.toMs(), whole, exclusive);
  }

  private void deny(KnownReservation known, String why) {
    changes.proposed(known.number(), null);
    decisions.add(
        new ReservationDecision(
            known.number(),
            known.revision(),
            null,
            why,
            ReservationDecision.LaterPlacements.NONE,
            0));
  }
}
