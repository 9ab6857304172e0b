package io.millrace.schedulers.core.cycle;

import io.millrace.reservations.timeline.UsageProfile;
import io.millrace.schedulers.core.model.RequestShape;
import io.millrace.schedulers.core.model.ResourceNames;
import io.millrace.schedulers.core.model.Shortage;
import io.millrace.schedulers.core.policy.Calendar;
import io.millrace.schedulers.core.policy.SiteRules;
import io.millrace.schedulers.core.search.CycleSearches;
import io.millrace.schedulers.core.state.SchedulerBooks;
import io.millrace.schedulers.core.state.job.ClassState;
import io.millrace.schedulers.core.state.job.QueueState;
import io.millrace.schedulers.core.state.node.FreeTree;
import io.millrace.schedulers.core.state.node.JobAllocation;
import io.millrace.schedulers.core.state.node.NodeAllocation;
import io.millrace.schedulers.core.state.node.NodeState;
import io.millrace.schedulers.core.state.node.Pool;
import io.millrace.schedulers.core.state.node.TimedAllocation;
import io.millrace.schedulers.core.state.preemption.PreemptionClaim;
import io.millrace.schedulers.core.state.preemption.RunBook;
import io.millrace.schemas.pbs.reasons.ReasonCode;
import java.util.ArrayList;
import java.util.List;

/** Tries to start jobs now, and says why those that do not start are left. */
final class StartAttempts {

  private final SchedulerBooks books;
  private final CycleSearches bench;
  private final long nowMs;
  private final int room;
  private final List<Start> starts = new ArrayList<>();
  private final List<CycleDecisions.Left> left = new ArrayList<>();
  private final List<Preempt> preempted = new ArrayList<>();
  private final VictimSearch victims;
  private final SiteRules site;

  /**
   * Jobs that were started while the ready queue was being walked; they are removed from it
   * afterwards.
   */
  private final List<Integer> toTake = new ArrayList<>();

  /** Number of the job that no later job may overtake; -1 while there is none. */
  private long barrier = -1;

  StartAttempts(SchedulerBooks books, CycleSearches bench, long nowMs) {
    this.books = books;
    this.bench = bench;
    this.nowMs = nowMs;
    this.room = books.room();
    this.site = books.policy().site();
    this.victims = new VictimSearch(books, bench, this, nowMs);
  }

  List<Start> starts() {
    return starts;
  }

  List<CycleDecisions.Left> left() {
    return left;
  }

  /** Running jobs that are to be stopped. */
  List<Preempt> preempted() {
    return preempted;
  }

  /** True when nothing was started and nothing is to be stopped. */
  boolean decidedNothing() {
    return starts.isEmpty() && preempted.isEmpty();
  }

  /** Number of starts that may still be proposed. */
  int room() {
    return room;
  }

  /**
   * Why no job of the class may be tried in backfill (a limit, a closed queue, ...); null when one
   * may.
   */
  private Shortage closed(ClassState owner, int slot, Pool pool) {
    Shortage shut = shut(owner, slot, pool);
    return shut != null ? shut : books.eligibility().shortage(owner);
  }

  /**
   * Why the next job in the policy's order may not be tried; null when it may. Promises of later
   * jobs do not count against its limits here.
   */
  Shortage closedInOrder(ClassState owner, int slot, Pool pool) {
    Shortage shut = shut(owner, slot, pool);
    return shut != null ? shut : books.eligibility().shortageInOrder(owner);
  }

  /**
   * True when the next job of a class has got into another level by what was started in this cycle,
   * so that its turn has to come among those of that level: in the next cycle.
   */
  boolean deferred(ClassState owner) {
    return books.preemption().graded() && books.preemption().level(owner) != owner.level();
  }

  /**
   * Why a job and those of its class behind it are not tried, whatever runs; null when they are.
   */
  Shortage shut(ClassState owner, int slot, Pool pool) {
    if (!books.settings().scheduling()) {
      return Shortage.untilChange(ReasonCode.SCHEDULING_OFF, books.scheduler());
    }
    if (!books.policy().problem().isEmpty()) {
      return Shortage.untilChange(ReasonCode.POLICY_WRONG, books.policy().problem());
    }
    if (owner.queue().aheadMs() != QueueState.NOT_AHEAD) {
      Shortage ahead = Shortage.untilChange(ReasonCode.RESERVATION_AHEAD, owner.queue().name());
      return ahead.until(owner.queue().aheadMs());
    }
    if (!owner.queue().started()) {
      return Shortage.untilChange(ReasonCode.QUEUE_NOT_STARTED, owner.queue().name());
    }
    if (pool == null || pool.usable() == 0) {
      return books.cluster().noNodes(owner.queue());
    }
    return books.keys().underThreshold(owner, slot);
  }

  /** Tries the first job of a class; true when it starts, otherwise the class is left. */
  boolean startFirst(ClassState owner) {
    bench.work().add(1);
    if (deferred(owner)) {
      return false;
    }
    Pool pool = books.poolOf(owner.queue());
    Shortage closed = closed(owner, owner.waiting().first(), pool);
    JobAllocation held = closed == null ? place(owner, pool) : null;
    if (closed == null && held == null && claim(owner.waiting().first(), owner, pool)) {
      take();
      return true;
    }
    if (held == null) {
      owner.blocked(bench.cycle());
      leave(owner, closed != null ? closed : shortage(owner, pool));
      return false;
    }
    int slot = owner.waiting().first();
    start(slot, held, UsageProfile.end(nowMs, owner.shape().walltimeMs()));
    toTake.clear();
    books.jobFacts().taken(slot);
    return true;
  }

  /**
   * Tries a job that was reached in a walk; it stays in the ready queue until {@link #take}, and is
   * left where it does not start.
   *
   * @param mayPreempt whether others may be stopped for it
   * @return true when it starts
   */
  boolean startReached(ClassState owner, int slot, boolean mayPreempt) {
    bench.work().add(1);
    Pool pool = books.poolOf(owner.queue());
    Shortage closed = closed(owner, slot, pool);
    JobAllocation held = closed == null ? place(owner, pool) : null;
    if (held != null) {
      start(slot, held, UsageProfile.end(nowMs, owner.shape().walltimeMs()));
      return true;
    }
    if (closed == null && mayPreempt && claim(slot, owner, pool)) {
      return true;
    }
    owner.blocked(bench.cycle());
    leave(owner, closed != null ? closed : shortage(owner, pool));
    return false;
  }

  /** True when running jobs are to be stopped for a job that was reached in this cycle. */
  boolean claims(int slot) {
    return books.preemption().claim(books.book().jobs().number(slot)) != null;
  }

  /** What the calendar says of a start now; null when it allows it. */
  Calendar.CalendarRefusal refusal(ClassState owner) {
    return site == null || site.calendar() == null
        ? null
        : site.calendar().refusal(owner.queue().name(), owner.shape().walltimeMs(), nowMs);
  }

  /** Room for a job of the class from now to its end; null when there is none. */
  JobAllocation place(ClassState owner, Pool pool) {
    owner.forgetRoom();
    JobAllocation held = placeAnew(owner, pool);
    if (held == null && bench.fit().counts(owner.shape(), pool)) {
      owner.roomFound(bench.fit().found());
    }
    return held;
  }

  /** Wakes the classes for which what has become free may be enough. */
  void wake() {
    books.ready().wake(this::mayFit);
  }

  /** True when more that is free on nodes may make room for a job of the class. */
  private boolean mayFit(ClassState owner, List<NodeState> freer) {
    RequestShape shape = owner.shape();
    if (!owner.roomKnown()) {
      return true;
    }
    long endMs = UsageProfile.end(nowMs, shape.walltimeMs());
    bench.window().now(endMs, false);
    int resource = owner.shortage().watch().resource();
    for (int i = 0; i < freer.size() && owner.knownRoom() < shape.chunks(); i++) {
      NodeState node = freer.get(i);
      if (ResourceNames.at(node.free(), resource) < owner.watchedIn().amount()) {
        break;
      }
      if (node.touchedFromMs() < endMs) {
        bench.work().add(1);
        owner.moreRoom(bench.fit().room(node, shape));
      }
    }
    return owner.knownRoom() >= shape.chunks();
  }

  /**
   * Tries to place a job while promises have been taken out of the book; the outcome says nothing
   * about later tries and is not remembered.
   */
  JobAllocation placeAnew(ClassState owner, Pool pool) {
    if (refusal(owner) != null) {
      bench.fit().foundNothing();
      return null;
    }
    if (bench.diagnosis().isShort(owner.shape(), pool)) {
      bench.fit().foundNothing();
      return null;
    }
    bench.window().now(UsageProfile.end(nowMs, owner.shape().walltimeMs()), false);
    return bench.fit().place(owner.shape(), pool, pool.free());
  }

  /** Starts a job; it stays in the ready queue until {@link #take}. */
  void start(int slot, JobAllocation held, long endMs) {
    long number = books.book().jobs().number(slot);
    if (site != null) {
      QueueState queue = books.book().classOf(slot).queue();
      books.poolOf(queue).ranking().used(held);
      books.keys().starts(queue);
    }
    starts.add(new Start(number, held, books.names()));
    books.jobFacts().proposed(slot, held, endMs);
    toTake.add(slot);
  }

  /** Starts the jobs for which runs were preempted and whose nodes are now free. */
  void startClaims() {
    for (PreemptionClaim claim : List.copyOf(books.preemption().claims())) {
      if (!claim.ready()) {
        if (nowMs - claim.sinceMs() >= RunBook.PATIENCE_MS) {
          books.claims().forget(claim.number());
        }
      } else if (starts.size() < room) {
        if (stillHolds(claim)) {
          starts.add(new Start(claim.number(), claim.held(), books.names()));
          books.jobFacts().claimStarts(claim, nowMs);
        } else {
          books.claims().forget(claim.number());
        }
      }
    }
  }

  private boolean stillHolds(PreemptionClaim claim) {
    ClassState owner = books.book().classOf(books.book().jobs().find(claim.number()));
    Pool pool = books.poolOf(owner.queue());
    if (shut(owner, books.book().jobs().find(claim.number()), pool) != null
        || !books.eligibility().within(owner)) {
      return false;
    }
    TimedAllocation own = books.holdings().get(claim.number());
    books.holdings().setAside(own);
    // Its run time counts from now on, and nothing may be booked before its end.
    bench.window().now(UsageProfile.end(nowMs, owner.shape().walltimeMs()), true);
    boolean holds = bench.suitability().of(claim.held(), owner.shape(), pool);
    for (NodeAllocation take : claim.held().takes()) {
      NodeState node = take.node();
      holds &=
          node.pool() == pool
              && bench.window().open(node, claim.held().asked())
              && bench.window().fits(node, take.amounts());
    }
    books.holdings().putBack(own);
    return holds;
  }

  /**
   * Has running jobs of lower levels stopped, so that a job starts when they are gone; it still
   * stands among the waiting ones until {@link #take}.
   *
   * @return false when that would be of no use
   */
  boolean claim(int slot, ClassState owner, Pool pool) {
    if (!mayClaim(owner)) {
      return false;
    }
    VictimSearch.PreemptionPlan found = victims.find(owner, pool, books.book().jobs().number(slot));
    if (found == null) {
      owner.helpless(bench.hope());
      return false;
    }
    preempted.addAll(found.preempted());
    books.claims().make(slot, found.held(), found.waitsFor(), nowMs);
    victims.forget();
    toTake.add(slot);
    return true;
  }

  /** False when an earlier search has shown that preemption cannot help a job of the class. */
  boolean mayClaim(ClassState owner) {
    return books.preemption().active() && !owner.helplessAt(bench.hope()) && refusal(owner) == null;
  }

  /**
   * Wakes the classes that may be helped by what has happened in this cycle so far: jobs that come
   * later are decided as if all that came before had been there from the beginning.
   *
   * @return true when there are such
   */
  boolean renewHopes() {
    if (!books.preemption().hopesAnew()) {
      return false;
    }
    bench.hopeAnew();
    books.ready().wakeHopeful();
    return true;
  }

  /** Removes the jobs that were started from the ready queue. */
  void take() {
    toTake.forEach(books.jobFacts()::taken);
    toTake.clear();
  }

  /**
   * Why no job of the class starts now. Where too little is free in all, that is the reason even
   * for one that may not run at this time.
   */
  Shortage shortage(ClassState owner, Pool pool) {
    Calendar.CalendarRefusal refusal = refusal(owner);
    if (refusal != null && !bench.diagnosis().isShort(owner.shape(), pool)) {
      return Shortage.untilChange(refusal.code(), refusal.subject()).until(refusal.untilMs());
    }
    long endMs = UsageProfile.end(nowMs, owner.shape().walltimeMs());
    return bench.diagnosis().of(owner.shape(), pool, endMs, books.promiseBook().dated() > 0);
  }

  /** True when no job of the class could start even if nothing ran. */
  boolean never(ClassState owner, Pool pool) {
    if (!owner.everKnown()) {
      bench.window().empty();
      boolean fits = bench.fit().place(owner.shape(), pool, (FreeTree) null) != null;
      owner.fitsWhenNothingRuns(fits);
    }
    return owner.neverFits();
  }

  /** No job of the class starts in this cycle. */
  void leave(ClassState owner, Shortage shortage) {
    left.add(new CycleDecisions.Left(owner, shortage));
    books.ready().left(owner, shortage, nowMs);
  }

  /** Leaves the class with the shortage that was found for it before. */
  void leaveAgain(ClassState owner) {
    if (owner.shortage() != null) {
      books.ready().left(owner, owner.shortage(), nowMs);
    }
  }

  /** Leaves a class for which the cycle had no units of work left; the next cycle looks at it. */
  void postpone(ClassState owner, Shortage shortage) {
    left.add(new CycleDecisions.Left(owner, shortage));
    books.reasons().note(owner, shortage, nowMs);
  }

  /** Sets the job that no later job may overtake. */
  void barrier(long number) {
    barrier = number;
  }

  /**
   * Leaves all classes that were not considered, because no job may overtake the first waiting one.
   */
  void leaveRest() {
    if (barrier < 0) {
      return;
    }
    Shortage behind = Shortage.untilChange(ReasonCode.STRICT_ORDER, Long.toString(barrier));
    for (ClassState owner : books.ready().dirty().copy()) {
      if (!owner.blockedIn(bench.cycle())) {
        leave(owner, behind);
      }
    }
  }
}
