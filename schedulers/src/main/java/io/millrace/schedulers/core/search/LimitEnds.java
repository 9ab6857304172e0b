package io.millrace.schedulers.core.search;

import io.millrace.schedulers.core.model.Shortage;
import io.millrace.schedulers.core.state.job.ClassState;
import io.millrace.schedulers.core.state.job.JobBook;
import io.millrace.schedulers.core.state.job.JobSlots;
import io.millrace.schedulers.core.state.limit.Eligibility;
import io.millrace.schedulers.core.state.limit.LimitBound;
import io.millrace.schedulers.core.state.limit.LimitMeter;
import io.millrace.schedulers.core.state.node.ResourceReleases;
import io.millrace.schedulers.core.state.node.TimedAllocation;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * When a class is at its limit no more, by what is known of the ends of runs: the first end after
 * which so much less is in use as is missing, if nothing starts before. One walk over the ends
 * answers for all limits; it is made when somebody is told a reason.
 */
final class LimitEnds {

  /**
   * How much less is in use after each end of a run that the limit counts. The arrays run in
   * parallel.
   */
  private static final class FreedUseCurve {
    private int size;
    private long[] times = new long[4];
    private long[] freed = new long[4];

    private void add(long timeMs, long amount) {
      if (size == times.length) {
        times = Arrays.copyOf(times, 2 * size);
        freed = Arrays.copyOf(freed, 2 * size);
      }
      times[size] = timeMs;
      freed[size] = amount + (size == 0 ? 0 : freed[size - 1]);
      size++;
    }

    private long firstWith(long amount) {
      int at = Arrays.binarySearch(freed, 0, size, amount);
      if (at < 0) {
        at = -at - 1;
      }
      return at < size ? times[at] : Shortage.UNKNOWN;
    }
  }

  private final ResourceReleases releases;
  private final JobBook book;
  private final Eligibility eligibility;
  private final Map<LimitMeter, FreedUseCurve> curves = new HashMap<>();
  private long changes = -1;

  LimitEnds(ResourceReleases releases, JobBook book, Eligibility eligibility) {
    this.releases = releases;
    this.book = book;
    this.eligibility = eligibility;
  }

  /**
   * Time at which the class is below its limit again; {@link Shortage#UNKNOWN} when nobody knows.
   */
  long endMs(ClassState owner) {
    LimitBound bound = eligibility.waitsFor(owner);
    if (bound == null || bound.need() > bound.amount()) {
      return Shortage.UNKNOWN;
    }
    LimitMeter meter = bound.meter();
    if (changes != releases.changes() || !curves.containsKey(meter)) {
      walk();
    }
    FreedUseCurve curve = curves.get(meter);
    long missing = meter.used() + meter.promised() + bound.need() - bound.amount();
    return curve == null ? Shortage.UNKNOWN : curve.firstWith(missing);
  }

  private void walk() {
    changes = releases.changes();
    curves.clear();
    for (int i = 0; i < releases.size(); i++) {
      TimedAllocation hold = releases.get(i);
      int slot = book.jobs().find(hold.number());
      if (slot != JobSlots.NONE && book.jobs().counted(slot)) {
        ClassState owner = book.classOf(slot);
        for (LimitBound bound : eligibility.bounds(owner)) {
          curves
              .computeIfAbsent(bound.meter(), it -> new FreedUseCurve())
              .add(hold.endMs(), bound.needOf(book.chunks(slot), owner.shape().chunks()));
        }
      }
    }
  }
}
