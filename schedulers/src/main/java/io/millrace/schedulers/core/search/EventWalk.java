package io.millrace.schedulers.core.search;

import io.millrace.reservations.timeline.UsageProfile;
import io.millrace.schedulers.core.state.node.BookingCalendar;
import io.millrace.schedulers.core.state.node.JobAllocation;
import io.millrace.schedulers.core.state.node.NodeMarks;
import io.millrace.schedulers.core.state.node.NodeState;
import io.millrace.schedulers.core.state.node.ResourceReleases;
import io.millrace.schedulers.core.state.node.TimedAllocation;
import io.millrace.schedulers.core.state.promise.PromiseBook;

/**
 * Goes through the ends of runs, promises and bookings in their order, and tells at each for which
 * nodes the room for a job that starts then may be another than before.
 */
final class EventWalk {

  /**
   * A promise or a booking touches more nodes than most runs; a guess is enough to choose the
   * cheaper way.
   */
  private static final int NODES_OF_PROMISE = 24;

  private final RoomWindow window;
  private final ResourceReleases releases;
  private final PromiseBook promises;
  private final BookingWalk bookings;
  private final WorkCount work;

  // Positions up to which events have been passed: ends of runs, starts and ends of promises, and
  // promise starts that have come into the window.
  private int released;
  private int started;
  private int ended;
  private int inSight;

  private long walltimeMs;

  /** Whether runs that end in the same instant are passed one at a time. */
  private boolean oneByOne;

  private final NodeMarks freed = new NodeMarks();
  private final NodeMarks narrowed = new NodeMarks();

  EventWalk(
      RoomWindow window,
      ResourceReleases releases,
      PromiseBook promises,
      BookingCalendar bookings,
      WorkCount work) {
    this.window = window;
    this.releases = releases;
    this.promises = promises;
    this.bookings = new BookingWalk(bookings);
    this.work = work;
  }

  /** Starts the walk at a time for a job of this length, and opens the window there. */
  void begin(long timeMs, long jobMs, boolean endsOneByOne) {
    walltimeMs = jobMs;
    oneByOne = endsOneByOne;
    long endMs = UsageProfile.end(timeMs, walltimeMs);
    released = releases.until(timeMs);
    started = promises.startsUntil(timeMs);
    ended = promises.endsUntil(timeMs);
    inSight = Math.max(started, promises.startsUntil(endMs - 1));
    bookings.begin(timeMs, endMs);
    freed.clear();
    narrowed.clear();
    window.at(timeMs, endMs, null);
  }

  /** Estimate of the number of nodes that moving on to a time would touch. */
  int nodesUntil(long timeMs) {
    int runs = releases.until(timeMs) - released;
    int starts = promises.startsUntil(timeMs) - started;
    int ends = promises.endsUntil(timeMs) - ended;
    long endMs = UsageProfile.end(timeMs, walltimeMs);
    int seen = promises.startsUntil(endMs - 1) - inSight;
    int booked = bookings.until(timeMs, endMs);
    return runs + NODES_OF_PROMISE * (starts + ends + Math.max(0, seen) + booked);
  }

  /** True while the walk has passed no event. */
  boolean atTheBeginning() {
    return released + started + ended == 0;
  }

  /** Time of the next end; {@link UsageProfile#NEVER} when nothing ends any more. */
  long next(long afterMs) {
    long next = released < releases.size() ? releases.get(released).endMs() : UsageProfile.NEVER;
    if (ended < promises.dated()) {
      next = Math.min(next, promises.byEnd(ended).toMs());
    }
    return Math.max(Math.min(next, bookings.nextEndMs()), afterMs);
  }

  /** Time of the last end that is known; 0 when there is none. */
  long last() {
    long run = releases.size() == 0 ? 0 : releases.get(releases.size() - 1).endMs();
    long promise = promises.dated() == 0 ? 0 : promises.byEnd(promises.dated() - 1).toMs();
    return Math.max(run, promise);
  }

  /** Passes the events up to a time, notes the nodes that they touch, and moves the window. */
  void moveTo(long timeMs) {
    freed.clear();
    narrowed.clear();
    TimedAllocation last = null;
    while (released < releases.size() && releases.get(released).endMs() <= timeMs) {
      TimedAllocation release = releases.get(released++);
      touch(release.held(), freed);
      if (oneByOne && release.endMs() == timeMs) {
        last = release;
        break;
      }
    }
    while (started < promises.dated() && promises.byStart(started).fromMs() <= timeMs) {
      touch(promises.byStart(started++).held(), narrowed);
    }
    while (ended < promises.dated() && promises.byEnd(ended).toMs() <= timeMs) {
      touch(promises.byEnd(ended++).held(), freed);
    }
    long endMs = UsageProfile.end(timeMs, walltimeMs);
    while (inSight < promises.dated() && promises.byStart(inSight).fromMs() < endMs) {
      touch(promises.byStart(inSight++).held(), narrowed);
    }
    if (bookings.passesAny(timeMs, endMs)) {
      bookings.moveTo(timeMs, endMs, held -> touch(held, freed), held -> touch(held, narrowed));
    }
    window.at(timeMs, endMs, last);
  }

  /** Nodes on which a run, promise or booking ended in the last move; they may have more room. */
  NodeMarks freed() {
    return freed;
  }

  /**
   * Nodes of promises and bookings that came into the window in the last move, and of promises that
   * began. A promise that begins takes no room from jobs that respected it before, so such a node
   * has no more room than before unless it is also among {@link #freed}. If it had none, it need
   * not be counted again.
   */
  NodeMarks narrowed() {
    return narrowed;
  }

  /**
   * Adds the nodes of the promises and bookings that begin, or come into the window, up to a later
   * time.
   */
  void addComing(long timeMs, NodeMarks nodes) {
    for (int i = started; i < promises.dated() && promises.byStart(i).fromMs() <= timeMs; i++) {
      touch(promises.byStart(i).held(), nodes);
    }
    long endMs = UsageProfile.end(timeMs, walltimeMs);
    for (int i = inSight; i < promises.dated() && promises.byStart(i).fromMs() < endMs; i++) {
      touch(promises.byStart(i).held(), nodes);
    }
    bookings.coming(timeMs, endMs, held -> touch(held, nodes));
  }

  private void touch(JobAllocation held, NodeMarks nodes) {
    work.add(1);
    for (int i = 0; i < held.size(); i++) {
      NodeState node = held.node(i);
      if (node.aloneOnHost()) {
        nodes.add(node);
      } else {
        node.host().nodes().forEach(nodes::add);
      }
    }
  }
}
