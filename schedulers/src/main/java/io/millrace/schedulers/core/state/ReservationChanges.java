package io.millrace.schedulers.core.state;

import io.millrace.reservations.timeline.UsageProfile;
import io.millrace.schedulers.core.model.RequestShape;
import io.millrace.schedulers.core.model.ResourceNames;
import io.millrace.schedulers.core.state.job.JobSlots;
import io.millrace.schedulers.core.state.job.QueueState;
import io.millrace.schedulers.core.state.node.AllocationBook;
import io.millrace.schedulers.core.state.node.Booked;
import io.millrace.schedulers.core.state.node.BookingCalendar;
import io.millrace.schedulers.core.state.node.JobAllocation;
import io.millrace.schedulers.core.state.node.NodeTable;
import io.millrace.schedulers.core.state.node.Pool;
import io.millrace.schedulers.core.state.node.TimedAllocation;
import io.millrace.schedulers.core.state.promise.PromiseChanges;
import io.millrace.schedulers.core.state.reservation.KnownReservation;
import io.millrace.schedulers.core.state.reservation.KnownReservation.ReservationNeed;
import io.millrace.schedulers.core.state.reservation.KnownReservation.ReservationWindow;
import io.millrace.schedulers.core.state.reservation.KnownReservation.Undecided;
import io.millrace.schedulers.core.state.reservation.ReservationBook;
import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.pbs.jobs.ReservationIds;
import io.millrace.schemas.pbs.resources.BookedTime;
import io.millrace.schemas.pbs.resources.PlaceRequest;
import io.millrace.schemas.pbs.resources.PlaceRequest.Sharing;
import io.millrace.schemas.state.BookedNode;
import io.millrace.schemas.state.LostNode;
import io.millrace.schemas.state.Placement;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.ReservationSpec;
import io.millrace.schemas.state.ReservationState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What facts about reservations, and answers to proposals about them, change in the scheduler's
 * state.
 *
 * <p>Until its window begins a reservation is booked of its nodes; from then on it holds them as a
 * run would, and its own jobs have its part of them to themselves.
 */
public final class ReservationChanges {

  private final ClusterBook cluster;
  private final NodeTable nodes;
  private final BookingCalendar calendar;
  private final AllocationBook holdings;
  private final PromiseChanges promises;
  private final ReadyQueue ready;
  private final ReservationBook book;
  private final ResourceNames names;
  private final SchedulerBooks books;

  private final LaterBookings later;
  private final HeldBookings held;
  private final BookedTakes takes;

  /** What reservations had booked before a proposal about them was made. */
  private final Map<Long, Booked> before = new HashMap<>();

  ReservationChanges(SchedulerBooks books) {
    this.books = books;
    this.cluster = books.cluster();
    this.nodes = books.nodes();
    this.calendar = nodes.bookings();
    this.holdings = books.holdings();
    this.promises = books.promiseFacts();
    this.ready = books.ready();
    this.book = books.reservations();
    this.names = books.names();
    this.later = new LaterBookings(books);
    this.takes = new BookedTakes(nodes, names);
    this.held = new HeldBookings(takes, names);
  }

  /** Number under which a running reservation holds its nodes; no job has it. */
  public static long holder(long reservation) {
    return -reservation;
  }

  /** A reservation as it is after a change. */
  void reservation(Reservation record) {
    long number = record.getNumber();
    before.remove(number);
    books.reservable().reservation(record);
    ReservationState state = record.getState();
    held(number, held.told(record));
    if (state == ReservationState.FINISHED || state == ReservationState.DELETED) {
      ended(number, record.getQueue());
      return;
    }
    later.set(number, laterOf(record));
    Booked now = record.getBooked().isEmpty() ? null : booked(record);
    if (record.getStartedMs() < 0) {
      givenBack(number, record.getQueue());
      book(number, now);
    } else if (now != null) {
      begun(record, now);
    }
    boolean closing =
        state == ReservationState.BEING_DELETED || state == ReservationState.DELETING_JOBS;
    queue(record, closing);
    book.put(known(record, closing));
  }

  private KnownReservation known(Reservation record, boolean closing) {
    ReservationSpec spec = record.getSpec();
    return new KnownReservation(
        record.getNumber(),
        record.getQueue(),
        spec.getOwner(),
        spec.getPartition(),
        record.getRevision(),
        new ReservationWindow(spec.getStartMs(), spec.getEndMs()),
        closing ? null : wish(record));
  }

  private static Set<String> lost(Reservation record) {
    return record.getLost().stream().map(LostNode::getNode).collect(Collectors.toUnmodifiableSet());
  }

  private Undecided wish(Reservation record) {
    ReservationSpec asked = record.getAsked() == null ? record.getSpec() : record.getAsked();
    ReservationNeed kind;
    if (record.getAsked() != null) {
      kind = ReservationNeed.CHANGE;
    } else if (record.getShares().isEmpty()) {
      kind = ReservationNeed.NEW;
    } else if (!record.getLost().isEmpty()) {
      kind = ReservationNeed.REPLACEMENT;
    } else {
      return null;
    }
    return new Undecided(
        kind,
        new RequestShape(asked.getRequest(), names),
        windows(asked, kind == ReservationNeed.NEW),
        record.getInteractiveS() < 0 && !record.getAtOnce(),
        List.copyOf(record.getShares()),
        lost(record),
        kind == ReservationNeed.NEW && asked.getSoonest(),
        asked.getOthers() != null,
        record.getAsked() != null && record.getPending() != null);
  }

  /** What an open transaction holds besides; null for as it is. */
  private void held(long number, Booked[] parts) {
    for (int part = 0; parts != null && part < parts.length; part++) {
      book(HeldBookings.number(number, part), parts[part]);
    }
  }

  private static List<ReservationWindow> windows(ReservationSpec asked, boolean all) {
    List<ReservationWindow> windows = new ArrayList<>();
    windows.add(new ReservationWindow(asked.getStartMs(), asked.getEndMs()));
    if (all) {
      long lengthMs = asked.getEndMs() - asked.getStartMs();
      asked.getLaterMs().forEach(it -> windows.add(new ReservationWindow(it, it + lengthMs)));
    }
    return List.copyOf(windows);
  }

  /** Nodes under maintenance, which has booked them. */
  private static Set<String> taken(Reservation record) {
    return record.getLost().stream()
        .filter(it -> !it.getTakenBy().isEmpty())
        .map(LostNode::getNode)
        .collect(Collectors.toUnmodifiableSet());
  }

  /** What the record says is booked; each node once, with the chunks that lie on it. */
  private Booked booked(Reservation record) {
    List<BookedNode> has = new ArrayList<>(record.getBooked());
    if (record.getStartedMs() < 0) {
      Set<String> taken = taken(record);
      has.removeIf(it -> taken.contains(it.getNode()));
    }
    ReservationSpec spec = record.getSpec();
    return booked(
        record,
        new ReservationWindow(spec.getStartMs(), spec.getEndMs()),
        allocation(record, record.getShares(), has),
        has);
  }

  private static Booked booked(
      Reservation record, ReservationWindow window, JobAllocation held, List<BookedNode> has) {
    boolean[] exclusive = new boolean[has.size()];
    for (int i = 0; i < exclusive.length; i++) {
      exclusive[i] = has.get(i).getExclusive();
    }
    return new Booked(
        record.getNumber(), record.getQueue(), window.fromMs(), window.toMs(), held, exclusive);
  }

  private JobAllocation allocation(
      Reservation record, List<NodeShare> shares, List<BookedNode> has) {
    String place = record.getSpec().getRequest().getPlace();
    boolean maintenance = !record.getSpec().getMaintained().isEmpty();
    Sharing sharing = maintenance ? Sharing.WHOLE : PlaceRequest.of(place).sharing();
    return new JobAllocation(takes.of(shares, has), sharing);
  }

  /** What the record says is booked for later occurrences. */
  private List<Booked> laterOf(Reservation record) {
    ReservationSpec spec = record.getSpec();
    List<Booked> places = new ArrayList<>();
    ReservationWindow any = new ReservationWindow(0, 0);
    for (Placement placement : record.getPlacements()) {
      List<BookedNode> has = placement.getBooked();
      places.add(booked(record, any, allocation(record, placement.getShares(), has), has));
    }
    List<Booked> all = new ArrayList<>();
    long lengthMs = BookedTime.laterLengthMs(record);
    for (int i = 0; i < record.getLies().size(); i++) {
      long startMs = spec.getLaterMs().get(i);
      all.add(places.get(record.getLies().get(i)).at(startMs, startMs + lengthMs));
    }
    return all;
  }

  /** Sets what a reservation has booked for later; null for nothing. */
  private void book(long number, Booked now) {
    Booked known = calendar.of(number);
    if (known == now || known != null && now != null && known.sameAs(now)) {
      return;
    }
    if (known != null) {
      calendar.remove(known);
    }
    if (now != null) {
      calendar.add(now);
      promises.booked(now);
      // A promise that it breaks may leave its job to look for whom to preempt.
      books.preemption().touch();
    }
    if (known != null) {
      // One that is over was still in the way of what starts at once, whenever that is.
      boolean over = known.toMs() <= books.time().latestMs();
      long toMs = over ? UsageProfile.FOREVER : known.toMs();
      holdings.relaxed(known.held(), known.fromMs(), toMs);
      freed();
    }
  }

  /** There may be room that there was not: promises and preemption are looked at anew. */
  private void freed() {
    promises.touch();
    books.preemption().touch();
  }

  /** The window has begun: its nodes are in use, and its own jobs may have them. */
  private void begun(Reservation record, Booked now) {
    long number = holder(record.getNumber());
    Booked known = calendar.of(record.getNumber());
    if (known != null) {
      calendar.remove(known);
    }
    TimedAllocation held = holdings.get(number);
    if (held != null && held.endMs() != now.toMs()) {
      // Some may be for a time when it is over by now, others may have one now.
      promises.forget(cluster.queue(record.getQueue()));
      freed();
    }
    if (held == null || held.endMs() < now.toMs() || !held.held().sameTakes(now.held())) {
      holdings.release(number);
      holdings.hold(number, now.held(), now.toMs());
      freed();
    } else {
      holdings.terms(number, now.held().asked(), now.toMs());
    }
    if (known != null) {
      // Jobs without walltime may now be where it leaves them room.
      holdings.relaxed(known.held(), known.fromMs(), known.toMs());
      freed();
    }
    boolean first = !nodes.reserved().has(record.getQueue());
    if (nodes.reserved().set(record.getSpec().getPartition(), now, lost(record))) {
      promises.suspectAll();
      freed();
    }
    if (first) {
      rehouse(record.getQueue());
    }
  }

  /** When the jobs of a queue end at the latest: with their reservation, if it has begun. */
  public long endMs(String queue) {
    if (!nodes.reserved().has(queue)) {
      return UsageProfile.NEVER;
    }
    return book.get(ReservationIds.number(queue)).window().toMs();
  }

  /** Its window is over, or was moved into the future: it no longer holds what it is to have. */
  private void givenBack(long number, String name) {
    if (!nodes.reserved().has(name)) {
      return;
    }
    promises.forget(cluster.queue(name));
    holdings.release(holder(number));
    freed();
    ready.forget(nodes.reserved().close(name));
  }

  /** Jobs that run in the queue already hold what they have of the reservation's nodes. */
  private void rehouse(String queue) {
    QueueState its = cluster.queue(queue);
    for (long number : List.copyOf(holdings.numbers())) {
      int slot = books.book().jobs().find(number);
      if (slot != JobSlots.NONE && books.book().classOf(slot).queue() == its) {
        holdings.rehouse(number, queue);
      }
    }
  }

  /** Sets whether the queue of a reservation starts jobs, if there can be any. */
  private void queue(Reservation record, boolean closing) {
    boolean begun = record.getStartedMs() >= 0;
    QueueState queue = begun ? cluster.queue(record.getQueue()) : cluster.find(record.getQueue());
    if (queue != null) {
      queue.belongs(record.getSpec().getPartition());
      queue.starts(begun && !closing);
      queue.ahead(begun ? QueueState.NOT_AHEAD : record.getSpec().getStartMs());
      anew(queue);
    }
  }

  /** A queue is heard of for the first time; it may be that of a reservation to come. */
  void found(QueueState queue) {
    KnownReservation its = book.get(ReservationIds.number(queue.name()));
    if (its != null && its.name().equals(queue.name())) {
      queue.belongs(its.partition());
      queue.ahead(its.window().fromMs());
    }
  }

  private void anew(QueueState queue) {
    cluster.servedAnew();
    queue.eachClass(ready::retry);
  }

  private void ended(long number, String name) {
    book.remove(number);
    book(number, null);
    later.set(number, List.of());
    givenBack(number, name);
    QueueState queue = cluster.find(name);
    if (queue != null) {
      queue.starts(false);
      queue.ahead(QueueState.NOT_AHEAD);
      anew(queue);
      cluster.forget(queue);
    }
  }

  /**
   * A cycle proposes nodes for a reservation: they are booked from now on.
   *
   * @param booked null when it proposes to deny the reservation
   */
  public void proposed(long number, Booked booked) {
    book.proposed(number);
    if (booked != null) {
      long as = bookedAs(number);
      before.put(number, calendar.of(as));
      if (as == number) {
        // What it gives up and a transaction is to give it is held by that, and not free.
        held(number, held.beside(number, booked));
      }
      book(as, booked.as(as));
    }
  }

  /** Under what number a proposal is booked: what a transaction holds is booked besides. */
  private long bookedAs(long number) {
    KnownReservation known = book.get(number);
    boolean besides = known != null && known.wish() != null && known.wish().besides();
    return besides ? HeldBookings.number(number, 0) : number;
  }

  /** The same for the later occurrences of a new standing reservation. */
  public void proposedLater(long number, List<Booked> booked) {
    later.set(number, booked);
  }

  /** Takes what is booked for a reservation out on trial, and what it holds; see {@link #back}. */
  public Booked setAside(long number) {
    Booked known = calendar.of(number);
    if (known != null) {
      calendar.remove(known);
    }
    TimedAllocation held = holdings.get(holder(number));
    if (held != null) {
      holdings.setAside(held);
    }
    return known;
  }

  /** Puts back what was set aside. */
  public void back(long number, Booked known) {
    if (known != null) {
      calendar.add(known);
    }
    TimedAllocation held = holdings.get(holder(number));
    if (held != null) {
      holdings.putBack(held);
    }
  }

  /** Changes whenever there may be room that there was not before for a reservation. */
  public long room(long number) {
    KnownReservation known = book.get(number);
    Pool pool = nodes.unbound(known.partition());
    return (pool == null ? 0 : pool.gains().end()) + nodes.reserved().gains(known.name());
  }

  /** True when a cycle would look at any reservation. */
  public boolean due() {
    return nextAfter(Long.MIN_VALUE) != null;
  }

  /**
   * The next reservation to look at, by number: one with a wish, unless it waits in vain, also by
   * what was decided about those before it; null when there is none.
   */
  public Long nextAfter(long number) {
    Long due = book.dueAfter(number);
    for (Map.Entry<Long, Long> waits : book.waitingAfter(number).entrySet()) {
      if (due != null && waits.getKey() > due) {
        return due;
      }
      if (room(waits.getKey()) != waits.getValue()) {
        return waits.getKey();
      }
    }
    return due;
  }

  /** A proposal was refused, or nobody has answered it: what it would book is free again. */
  private void withdraw(long number) {
    if (before.containsKey(number)) {
      book(bookedAs(number), before.remove(number));
      if (bookedAs(number) == number) {
        held(number, held.asTold(number));
      }
      KnownReservation known = book.get(number);
      if (known != null && known.wish() != null && known.wish().kind() == ReservationNeed.NEW) {
        later.set(number, List.of()); // of others none is proposed
      }
    }
  }

  /** A proposal was refused: nothing is proposed about the reservation until {@link #resume}. */
  public void refused(long number) {
    withdraw(number);
    if (book.get(number) != null) {
      book.pause(number);
    }
  }

  /** A proposal was never answered. */
  public void unanswered(long number) {
    withdraw(number);
    book.unanswered(number);
  }

  public void resume(long number) {
    book.resume(number);
  }
}
