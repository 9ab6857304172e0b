package io.millrace.schedulers.core.search;

import io.millrace.reservations.timeline.UsageProfile;
import io.millrace.schedulers.core.model.Shortage;
import io.millrace.schedulers.core.policy.SiteRules;
import io.millrace.schedulers.core.state.SchedulerBooks;
import io.millrace.schedulers.core.state.job.ClassState;
import io.millrace.schedulers.core.state.node.JobAllocation;
import io.millrace.schedulers.core.state.node.Pool;
import io.millrace.schedulers.core.state.node.ResourceReleases;
import io.millrace.schemas.pbs.reasons.ReasonCode;

/**
 * When what a class waits for ends, for reasons that do not say it themselves. It is found when
 * somebody is told the reason, not in the cycle.
 *
 * <p>A limit, or one resource on any nodes: the first end of a run after which there is enough. A
 * place, certain nodes or several resources of a node: the earliest start, as for a promise. Such a
 * search is for one class only, so that between two changes of what runs there are no more than
 * {@link #SEARCHES_MAX}; the classes after these are told no end.
 */
public final class ShortageEnds {

  public static final int SEARCHES_MAX = 2;

  private final SchedulerBooks books;
  private final EarliestStartSearch earliest;
  private final ResourceReleases releases;
  private final FirstRelease firstRelease;
  private final LimitEnds limits;
  private long changes = -1;
  private int searches;

  public ShortageEnds(SchedulerBooks books, EarliestStartSearch earliest) {
    this.books = books;
    this.earliest = earliest;
    this.releases = books.holdings().releases();
    this.firstRelease = new FirstRelease(releases);
    this.limits = new LimitEnds(releases, books.book(), books.eligibility());
  }

  /** Time of the end; {@link Shortage#UNKNOWN} when nobody knows. */
  public long endMs(ClassState owner) {
    Shortage shortage = owner.note().shortage();
    Pool pool = books.poolOf(owner.queue());
    if (shortage.limited()) {
      return limits.endMs(owner);
    }
    long endMs = firstRelease.endMs(owner, shortage, pool);
    boolean findable = endMs == Shortage.UNKNOWN && pool != null && lacksRoom(shortage.code());
    return findable && mayAnother() ? search(owner, pool) : endMs;
  }

  private static boolean lacksRoom(ReasonCode code) {
    return code == ReasonCode.PLACE_INSUFFICIENT
        || code == ReasonCode.CLUSTER_INSUFFICIENT
        || code == ReasonCode.NODE_INSUFFICIENT
        || code == ReasonCode.TOTAL_INSUFFICIENT;
  }

  private boolean mayAnother() {
    if (changes != releases.changes()) {
      changes = releases.changes();
      searches = 0;
    }
    return releases.size() > 0 && searches++ < SEARCHES_MAX;
  }

  private long search(ClassState owner, Pool pool) {
    long nowMs = books.time().latestMs();
    SiteRules site = books.policy().site();
    earliest.within(site == null ? null : site.calendar(), owner.queue().name());
    JobAllocation held = earliest.search(owner.shape(), pool, nowMs, UsageProfile.NEVER, false);
    return held == null || earliest.foundMs() <= nowMs ? Shortage.UNKNOWN : earliest.foundMs();
  }
}
