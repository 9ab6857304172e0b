package io.millrace.schedulers.core.cycle;

import io.millrace.schedulers.core.state.SchedulerBooks;
import io.millrace.schedulers.core.state.job.JobSlots;
import io.millrace.schedulers.core.state.node.TimedAllocation;
import io.millrace.schemas.common.NodeShare;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * What all jobs but those of best effort hold, brought from their state to the one of best effort
 * when that looks at it.
 */
final class OtherHoldings {

  private final SchedulerBooks from;
  private final SchedulerBooks to;
  private final Set<Long> bestEffort;

  /** Jobs that hold something else than {@code to} knows. */
  private final Set<Long> changed = new LinkedHashSet<>();

  /**
   * @param bestEffort numbers of the best-effort jobs, as they are at each time
   */
  OtherHoldings(SchedulerBooks from, SchedulerBooks to, Set<Long> bestEffort) {
    this.from = from;
    this.to = to;
    this.bestEffort = bestEffort;
    changed.addAll(from.holdings().numbers());
    from.holdings().watch(changed::add);
  }

  /** Brings what all jobs hold, but for some. */
  void bring(Set<Long> without) {
    if (!changed.isEmpty()) {
      for (long number : List.copyOf(changed)) {
        if (!without.contains(number)) {
          bring(number);
        }
      }
    }
  }

  /** Brings what one job holds. */
  void bring(long number) {
    // What reservations hold has a number below 0; the state of best effort hears of them itself.
    if (!changed.remove(number) || number < 0 || bestEffort.contains(number)) {
      return;
    }
    TimedAllocation hold = from.holdings().get(number);
    if (hold == null) {
      to.holdings().release(number);
      return;
    }
    int slot = from.book().jobs().find(number);
    String queue = slot == JobSlots.NONE ? "" : from.book().classOf(slot).queue().name();
    List<NodeShare> shares = hold.held().shares(from.names());
    to.holdings().granted(number, queue, shares, hold.held().asked(), hold.endMs());
  }
}
