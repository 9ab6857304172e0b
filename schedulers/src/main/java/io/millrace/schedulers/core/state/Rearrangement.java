package io.millrace.schedulers.core.state;

import io.millrace.schedulers.core.model.SchedulerSettings;
import io.millrace.schedulers.core.policy.Policy;
import io.millrace.schedulers.core.policy.Preemption;
import io.millrace.schedulers.core.policy.SiteRules;
import io.millrace.schedulers.core.state.job.QueueState;
import io.millrace.schedulers.core.state.limit.Eligibility;
import io.millrace.schedulers.core.state.node.Pool;
import io.millrace.schemas.common.ClusterObject;
import java.util.Set;

/**
 * What follows for waiting jobs and promises when settings, limits, the order of jobs, preemption
 * levels or nodes change.
 */
public final class Rearrangement {

  private final SchedulerBooks books;
  private Policy standard;
  private Policy policy;

  /** Next moment at which other jobs may run by the policy's calendar. */
  private long calendarMs = Long.MAX_VALUE;

  /**
   * @param standard policy that is used while the scheduler object names none
   */
  Rearrangement(SchedulerBooks books, Policy standard) {
    this.books = books;
    this.standard = standard;
    this.policy = standard;
  }

  /** The policy in use. */
  Policy policy() {
    return policy;
  }

  /** Sets the policy that is used while the scheduler object names none. */
  public void standard(Policy other) {
    standard = other;
    settingsChanged();
    relevel();
  }

  /** Next moment at which other jobs may run; {@link Long#MAX_VALUE} for none. */
  public long calendarMs() {
    return calendarMs;
  }

  /** Has every class considered again when other jobs may run than in the last cycle. */
  public void turnOfCalendar(long nowMs) {
    SiteRules site = policy.site();
    if (site != null && site.calendar() != null && nowMs >= calendarMs) {
      Policy turned = policy.at(nowMs);
      if (turned != policy) {
        take(turned);
        relevel();
      }
      calendarMs = site.calendar().nextChangeMs(nowMs);
      retryAll();
    }
  }

  /**
   * Takes over what the site's own policy says.
   *
   * @return true when the order of jobs may be another
   */
  private boolean site(SiteRules rules) {
    calendarMs = rules == null || rules.calendar() == null ? Long.MAX_VALUE : Long.MIN_VALUE;
    books.shares().set(rules == null ? null : rules.shares());
    boolean other = books.keys().sequence(rules == null ? null : rules.sequence());
    if (other) {
      // Before jobs move into other classes: what the old keys knew of the classes is no use now.
      books.book().reorder();
    }
    if (books.eligibility().share(books.shares().on()) | books.shares().entitiesChanged()) {
      regroup();
    }
    return other;
  }

  /** Has every waiting class considered again and every promise searched again. */
  public void retryAll() {
    books.cluster().eachClass(books.ready()::retry);
    books.promiseFacts().searchAll();
    if (books.reservable().rule() != null) {
      books.reservations().retry(); // what it says may change with time and load
    }
  }

  void settingsChanged() {
    limitsChanged();
    take(books.settings().policy().orElse(standard).at(books.time().latestMs()));
  }

  /** Sets of which resources jobs are given as much as they ask for, whatever there is. */
  public void uncompared(Set<String> resources) {
    if (books.names().uncompared(resources)) {
      books.promiseFacts().over(() -> books.book().reread(books.names()));
      limitsChanged();
      retryAll();
    }
  }

  private void regroup() {
    books.promiseFacts().over(() -> books.book().regroup(books.names(), books.shares()::owner));
  }

  private void take(Policy chosen) {
    SchedulerSettings settings = books.settings();
    boolean other = !chosen.equals(policy);
    policy = chosen;
    other |= site(policy.site());
    if (books.keys().set(policy.order(), settings.formula()) || other) {
      books.book().reorder();
      // What promises leave on their nodes depends on how the policy counts ends of runs.
      books.promiseFacts().suspectAll();
      books.promiseFacts().waiting();
    }
    books.reservations().retry();
    books.nodes().rank(settings.nodeOrder().orElse(policy.nodeOrder()));
    checkSets();
    retryAll();
  }

  /** Promises may lie in several placement sets now, or in sets that are none any more. */
  private void checkSets() {
    if (books.cluster().takeRegrouped()) {
      books.promiseFacts().suspectAll();
      books.promiseFacts().waiting();
    }
  }

  /** Run limits have changed, or the jobs that they hold for. */
  public void limitsChanged() {
    Eligibility eligibility = books.eligibility();
    boolean before = eligibility.active();
    if (eligibility.reset(books.cluster().serverLimits(), books.cluster().queues())) {
      regroup();
    }
    if (before || eligibility.active()) {
      books.book().recount();
      books.promiseFacts().recount();
      retryAll();
    }
  }

  /** Queues or settings have changed, so that jobs may be in other preemption levels. */
  void relevel() {
    if (books.preemption().reset(preemption(), books.cluster().queues())) {
      gradeAll();
    }
  }

  private Preemption preemption() {
    return policy.preempts() ? books.settings().preemption() : Preemption.NONE;
  }

  /**
   * Sorts waiting jobs again where they stand in another order although nobody has told so: by
   * time, or by what entities have used.
   */
  public void orderOfItself() {
    books.ready().stir();
    if (books.keys().changesWithWaiting()) {
      books.keys().orderedAt(books.time().latestMs());
      books.book().reorder();
    } else if (books.keys().sharesMoved()) {
      if (books.keys().sharesOrderJobs()) {
        books.book().reorder();
      } else {
        books.book().reorderClasses();
      }
    }
  }

  /** Recomputes preemption levels when other jobs run than at the last computation. */
  public void grade() {
    if (books.preemption().gradeDue() || books.preemption().byShares()) {
      gradeAll();
    }
  }

  private void gradeAll() {
    books.preemption().grade();
    if (books.keys().normalLevel(books.preemption().normalLevel())) {
      books.book().reorderClasses();
    }
    boolean[] any = {false};
    books
        .book()
        .classes()
        .each(
            owner -> {
              int level = books.preemption().level(owner);
              if (level != owner.level()) {
                books.book().relevel(owner, level);
                any[0] = true;
              }
            });
    if (any[0]) {
      orderChanged();
    }
  }

  /** A queue's attributes were set: its jobs may move in the order. */
  void queueWritten(ClusterObject object) {
    QueueState queue = books.cluster().queue(object.getName());
    long before = queue.priority();
    long createdBefore = queue.created();
    books.cluster().written(object);
    checkSets();
    if (queue.priority() != before || queue.created() != createdBefore) {
      if (books.keys().sequence() == null) {
        queue.eachClass(books.book()::reorder);
      } else {
        // Keys are read from the queue, so that the places of all its classes change at once.
        books.book().reorder();
      }
      orderChanged();
    }
    books.promiseFacts().searchAll();
  }

  /** Resource definitions have changed: a sort formula may read amounts in other units. */
  void resourcesChanged() {
    books.keys().resources(books.cluster().resources());
    if (books.keys().byFormula()) {
      books.book().reorder();
      orderChanged();
    }
  }

  private void orderChanged() {
    books.promiseFacts().suspectAll();
    books.promiseFacts().waiting();
    retryAll();
  }

  /** Nodes were added to a pool, removed or resized. */
  void poolChanged(Pool pool) {
    books.cluster().servedAnew();
    books.cluster().eachClass(pool.key().partition(), books.ready()::retry);
    books.promiseFacts().suspectAll();
    books.promiseFacts().searchAll();
  }

  /** Queues were bound to other pools, which need not have changed themselves. */
  void rebound() {
    books.cluster().servedAnew();
    retryAll();
  }
}
