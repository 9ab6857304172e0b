package io.millrace.schedulers.core.cycle;

import io.millrace.reservations.classad.asked.NodesAsked;
import io.millrace.reservations.classad.asked.StepSum;
import io.millrace.reservations.classad.tree.Expression.RecordExpression;
import io.millrace.schedulers.core.search.CycleSearches;
import io.millrace.schedulers.core.search.NodeGate;
import io.millrace.schedulers.core.state.SchedulerBooks;
import io.millrace.schedulers.core.state.node.AllocationBook;
import io.millrace.schedulers.core.state.node.JobAllocation;
import io.millrace.schedulers.core.state.node.Pool;
import io.millrace.schedulers.core.state.node.TimedAllocation;
import io.millrace.schedulers.core.state.reservation.KnownReservation;
import io.millrace.schedulers.core.state.reservation.KnownReservation.ReservationWindow;
import io.millrace.schedulers.core.state.reservation.ReservableBook;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Searches nodes for a reservation where it may have them: on those that the administrator's text
 * allows, and where that fails, for one that may lie over runs of others, as if these had ended.
 */
final class AskedSearch {

  /** How many steps of a text cost as much as a node that is looked at. */
  private static final int STEPS_A_UNIT = 10;

  private final SchedulerBooks books;
  private final CycleSearches bench;
  private final ReservableBook reservable;
  private final long nowMs;

  private KnownReservation known;

  /** How many runs nodes have; null while no text has asked. */
  private Map<String, Integer> runs;

  /** What was said of the first node that the last search was not allowed; empty for none. */
  private String refusal = "";

  /** What the text has needed for the reservation. */
  private StepSum steps = new StepSum();

  /** All nodes of its partition; null while no text has looked at them. */
  private List<RecordExpression> all;

  AskedSearch(SchedulerState state, long nowMs) {
    this.books = state.books();
    this.bench = state.bench();
    this.reservable = books.reservable();
    this.nowMs = nowMs;
  }

  /** Goes on with a reservation. */
  void begin(KnownReservation next) {
    known = next;
    steps = new StepSum();
    all = null;
  }

  /** Counts what the text has cost. */
  void end() {
    bench.work().add(steps.used() / STEPS_A_UNIT);
  }

  StepSum steps() {
    return steps;
  }

  /** What the text says if the last search failed for that alone; empty otherwise. */
  String refusal() {
    return refusal;
  }

  <T> T search(ReservationWindow within, Function<NodeGate, T> search, Predicate<T> failed) {
    T found = allowed(within, search, failed);
    if (!known.wish().over() || !failed.test(found) || steps.spent()) {
      return found;
    }
    AllocationBook holdings = books.holdings();
    List<TimedAllocation> aside = runsOfOthers(within);
    bench.work().add(aside.size());
    aside.forEach(holdings::setAside);
    try {
      return allowed(within, search, failed);
    } finally {
      for (int i = aside.size() - 1; i >= 0; i--) {
        holdings.putBack(aside.get(i));
      }
    }
  }

  /** Runs on nodes of its partition that last into the window; those in reservations stay. */
  private List<TimedAllocation> runsOfOthers(ReservationWindow within) {
    List<TimedAllocation> found = new ArrayList<>();
    Pool pool = books.nodes().unbound(known.partition());
    for (long number : books.holdings().numbers()) {
      TimedAllocation hold = books.holdings().get(number);
      if (number >= 0 && hold.endMs() > within.fromMs() && lies(hold.held(), pool)) {
        found.add(hold);
      }
    }
    return found;
  }

  private static boolean lies(JobAllocation held, Pool pool) {
    for (int i = 0; i < held.size(); i++) {
      if (held.node(i).pool() == pool) {
        return true;
      }
    }
    return false;
  }

  /**
   * Searches on the nodes that the administrator's text allows, and notes what it says if the
   * search fails for that alone.
   */
  private <T> T allowed(
      ReservationWindow within, Function<NodeGate, T> search, Predicate<T> failed) {
    refusal = "";
    if (reservable.rule() == null) {
      return search.apply(NodeGate.OPEN);
    }
    AskedNodes gate = gate(within);
    T found = search.apply(gate);
    if (failed.test(found) && steps.spent()) {
      refusal = steps.reason();
    } else if (failed.test(found)
        && !gate.refusal().isEmpty()
        && !failed.test(search.apply(NodeGate.OPEN))) {
      refusal = gate.refusal();
    }
    return found;
  }

  private AskedNodes gate(ReservationWindow within) {
    if (runs == null) {
      runs = ReservableBook.runs(books.holdings());
    }
    ReservationWindow first = known.wish().window();
    long fromMs = within.toMs() == first.toMs() ? first.fromMs() : within.fromMs();
    NodesAsked.Enquiry enquiry =
        new NodesAsked.Enquiry(known.number(), known.owner(), fromMs, within.toMs(), nowMs);
    return new AskedNodes(
        new NodesAsked(
            reservable.rule(),
            enquiry,
            () -> all(known.partition()),
            reservable.utilisation(known.number(), steps),
            steps),
        node -> {
          bench.work().add(1);
          return reservable.described(node, runs);
        });
  }

  private List<RecordExpression> all(String partition) {
    if (all == null) {
      all = reservable.all(partition, runs);
    }
    return all;
  }
}
