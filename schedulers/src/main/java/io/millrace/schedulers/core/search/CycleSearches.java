package io.millrace.schedulers.core.search;

import io.millrace.schedulers.core.model.ResourceNames;
import io.millrace.schedulers.core.state.SchedulerBooks;

/**
 * Buffers and search objects that cycles of one scheduler use again and again, so that no cycle has
 * to allocate them.
 */
public final class CycleSearches {

  private final WorkCount work = new WorkCount();
  private final RoomWindow window;
  private final SetSearch sets;
  private final FirstFitSearch fit;
  private final EarliestStartSearch earliestStart;
  private final EarlierStartSearch earlier;
  private final Diagnosis diagnosis;
  private final OrderWalk walk;
  private final TurnWalk turns;
  private final Suitability suitability;
  private final ReservationSearch reservations;
  private int cycle;
  private int hope;

  public CycleSearches(SchedulerBooks books) {
    ResourceNames names = books.names();
    window = new RoomWindow(books.nodes(), names);
    sets = new SetSearch(window, names, work);
    fit = new FirstFitSearch(window, names, work, sets);
    EventWalk events =
        new EventWalk(
            window,
            books.holdings().releases(),
            books.promiseBook(),
            books.nodes().bookings(),
            work);
    suitability = new Suitability(window, names, sets);
    earliestStart = new EarliestStartSearch(window, fit, events, work, suitability, sets);
    earlier = new EarlierStartSearch(window, fit, events, work);
    reservations = new ReservationSearch(window, fit, names, work, sets);
    diagnosis = new Diagnosis(window, fit, books.nodes().bookings(), names, work, sets);
    walk = new OrderWalk(books.book());
    turns = new TurnWalk(books.book(), books.keys(), books.cluster()::queues);
  }

  /** Begins the next cycle. */
  public void begin() {
    cycle++;
    hope++;
    work.restart();
  }

  /** Records that preemption may now help classes that it could not help before. */
  public void hopeAnew() {
    hope++;
  }

  /** Number of the cycle. */
  public int cycle() {
    return cycle;
  }

  /** Version that changes whenever preemption may help classes that it could not help before. */
  public int hope() {
    return hope;
  }

  public WorkCount work() {
    return work;
  }

  public RoomWindow window() {
    return window;
  }

  public FirstFitSearch fit() {
    return fit;
  }

  public EarliestStartSearch earliest() {
    return earliestStart;
  }

  public EarlierStartSearch earlier() {
    return earlier;
  }

  public Diagnosis diagnosis() {
    return diagnosis;
  }

  public OrderWalk walk() {
    return walk;
  }

  /** The walk in an order that changes with each start. */
  public TurnWalk turns() {
    return turns;
  }

  public ReservationSearch reservations() {
    return reservations;
  }

  public Suitability suitability() {
    return suitability;
  }
}
