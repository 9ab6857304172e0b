package io.millrace.schedulers.core.state;

import io.millrace.schedulers.core.model.SchedulerSettings;
import io.millrace.schedulers.core.policy.Policy;
import io.millrace.schedulers.core.state.job.QueueState;
import io.millrace.schedulers.core.state.limit.Eligibility;
import io.millrace.schedulers.core.state.node.Pool;
import io.millrace.schemas.common.ClusterObject;

/**
 * What it means for all that waits and is promised when settings, limits, the order of jobs, levels
 * of preemption or nodes are others than before.
 */
public final class Rearrangement {

  private final SchedulerBooks books;
  private final Policy standard;
  private Policy policy;

  /**
   * @param standard what holds while the scheduler object names no policy
   */
  Rearrangement(SchedulerBooks books, Policy standard) {
    this.books = books;
    this.standard = standard;
    this.policy = standard;
  }

  /** The policy that holds now. */
  Policy policy() {
    return policy;
  }

  /** Has every class that waits considered again, and every promise searched again. */
  public void retryAll() {
    books.cluster().eachClass(books.ready()::retry);
    books.promiseFacts().searchAll();
  }

  void settingsChanged() {
    limitsChanged();
    SchedulerSettings settings = books.settings();
    Policy chosen = settings.policy().orElse(standard);
    boolean other = !chosen.equals(policy);
    policy = chosen;
    if (books.keys().set(policy.order(), settings.formula()) || other) {
      books.book().reorder();
      // What they leave of their nodes depends on how the policy counts ends.
      books.promiseFacts().suspectAll();
      books.promiseFacts().waiting();
    }
    books.nodes().rank(settings.nodeOrder().orElse(policy.nodeOrder()));
    retryAll();
  }

  /** Other limits hold, or limits hold for other jobs. */
  void limitsChanged() {
    Eligibility eligibility = books.eligibility();
    boolean before = eligibility.active();
    if (eligibility.reset(books.cluster().serverLimits(), books.cluster().queues())) {
      books.promiseFacts().over(() -> books.book().regroup(books.names()));
    }
    if (before || eligibility.active()) {
      books.book().recount();
      books.promiseFacts().recount();
      retryAll();
    }
  }

  /** Queues or settings are others, so that jobs may be in other levels. */
  void relevel() {
    if (books.preemption().reset(books.settings().preemption(), books.cluster().queues())) {
      gradeAll();
    }
  }

  /** Finds the levels of jobs anew when others run than when they were found last. */
  public void grade() {
    if (books.preemption().gradeDue()) {
      gradeAll();
    }
  }

  private void gradeAll() {
    books.preemption().grade();
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

  /** A queue was written: its jobs may come earlier or later than before. */
  void queueWritten(ClusterObject object) {
    QueueState queue = books.cluster().queue(object.getName());
    long before = queue.priority();
    books.cluster().written(object);
    if (queue.priority() != before) {
      queue.eachClass(books.book()::reorder);
      orderChanged();
    }
    books.promiseFacts().searchAll();
  }

  /** Resources are others than before: a formula may read amounts in other units. */
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

  /** The nodes of a pool are other nodes, or of another size, than before. */
  void poolChanged(Pool pool) {
    books.cluster().servedAnew();
    books.cluster().eachClass(pool.key().partition(), books.ready()::retry);
    books.promiseFacts().suspectAll();
    books.promiseFacts().searchAll();
  }

  /** A queue is served from another pool, which need not have changed. */
  void rebound() {
    books.cluster().servedAnew();
    retryAll();
  }
}
