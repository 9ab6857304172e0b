package io.millrace.schedulers.core;

import io.millrace.reservations.resources.ReasonCode;
import io.millrace.reservations.timeline.UsageProfile;
import java.util.ArrayList;
import java.util.List;

/** Tries to start jobs now, and says why those that do not start are left. */
final class Attempts {

  private final SchedulerState state;
  private final Workbench bench;
  private final long nowMs;
  private final int room;
  private final List<Start> starts = new ArrayList<>();
  private final List<Decisions.Left> left = new ArrayList<>();
  private final List<Preempt> preempted = new ArrayList<>();
  private final VictimSearch victims;

  /** Jobs that were started while others in their heaps were being walked. */
  private final List<Integer> toTake = new ArrayList<>();

  /** Number of the job that nobody may pass; -1 while there is none. */
  private long barrier = -1;

  Attempts(SchedulerState state, long nowMs) {
    this.state = state;
    this.bench = state.bench();
    this.nowMs = nowMs;
    this.room = state.room();
    this.victims = new VictimSearch(state, this, nowMs);
  }

  List<Start> starts() {
    return starts;
  }

  List<Decisions.Left> left() {
    return left;
  }

  /** Running jobs that are to be stopped. */
  List<Preempt> preempted() {
    return preempted;
  }

  /** Most starts that there may be. */
  int room() {
    return room;
  }

  /** Why no job of the class is even tried in a gap; null when they are. */
  private Shortage closed(ClassState owner, Pool pool) {
    Shortage shut = shut(owner, owner.waiting.first(), pool);
    return shut != null ? shut : state.eligibility().shortage(owner);
  }

  /** The same for the next job in the order. */
  Shortage closedInOrder(ClassState owner, int slot, Pool pool) {
    Shortage shut = shut(owner, slot, pool);
    return shut != null ? shut : state.eligibility().shortageInOrder(owner);
  }

  /**
   * True when the next job of a class has got into another level by what was started in this cycle,
   * so that its turn has to come among those of that level: in the next cycle.
   */
  boolean deferred(ClassState owner) {
    return state.preemption().graded() && state.preemption().level(owner) != owner.level;
  }

  /**
   * Why a job and those of its class behind it are not tried, whatever runs; null when they are.
   */
  Shortage shut(ClassState owner, int slot, Pool pool) {
    if (!state.settings().scheduling()) {
      return Shortage.untilChange(ReasonCode.SCHEDULING_OFF, state.scheduler());
    }
    if (!owner.queue.started) {
      return Shortage.untilChange(ReasonCode.QUEUE_NOT_STARTED, owner.queue.name);
    }
    if (pool == null || pool.usable() == 0) {
      return state.noNodes(owner.queue);
    }
    return state.book().underThreshold(owner, slot);
  }

  /** Tries the first job of a class; true when it starts, otherwise the class is left. */
  boolean startFirst(ClassState owner) {
    bench.work.add(1);
    if (deferred(owner)) {
      return false;
    }
    Pool pool = state.poolOf(owner.queue);
    Shortage closed = closed(owner, pool);
    Held held = closed == null ? place(owner, pool) : null;
    if (closed == null && held == null && claim(owner.waiting.first(), owner, pool)) {
      take();
      return true;
    }
    if (held == null) {
      owner.blockedInCycle = bench.cycle;
      leave(owner, closed != null ? closed : shortage(owner, pool));
      return false;
    }
    int slot = owner.waiting.first();
    start(slot, held, UsageProfile.end(nowMs, owner.shape.walltimeMs));
    toTake.clear();
    state.jobFacts().taken(slot);
    return true;
  }

  /** Room for a job of the class from now to its end; null when there is none. */
  Held place(ClassState owner, Pool pool) {
    owner.knownRoom = ClassState.NO_KNOWLEDGE;
    Held held = placeAnew(owner, pool);
    if (held == null && bench.fit.counts(owner.shape)) {
      owner.knownRoom = bench.fit.found();
    }
    return held;
  }

  /** Wakes the classes for which what has become free may be enough. */
  void wake() {
    state.agenda().wake(this::mayFit);
  }

  /** True when more that is free on nodes may make room for a job of the class. */
  private boolean mayFit(ClassState owner, List<NodeState> freer) {
    RequestShape shape = owner.shape;
    if (owner.knownRoom == ClassState.NO_KNOWLEDGE) {
      return true;
    }
    long endMs = UsageProfile.end(nowMs, shape.walltimeMs);
    bench.window.now(endMs, false);
    int resource = owner.shortage.watch().resource();
    for (int i = 0; i < freer.size() && owner.knownRoom < shape.chunks; i++) {
      NodeState node = freer.get(i);
      if (ResourceNames.at(node.free, resource) < owner.watchedIn.amount) {
        break;
      }
      if (node.touchedFromMs < endMs) {
        bench.work.add(1);
        owner.knownRoom += bench.fit.room(node, shape);
      }
    }
    return owner.knownRoom >= shape.chunks;
  }

  /** The same when other promises are in force than usual, so that it tells nothing for later. */
  Held placeAnew(ClassState owner, Pool pool) {
    if (bench.diagnosis.isShort(owner.shape, pool)) {
      bench.fit.foundNothing();
      return null;
    }
    bench.window.now(UsageProfile.end(nowMs, owner.shape.walltimeMs), false);
    return bench.fit.place(owner.shape, pool, pool.free());
  }

  /** Starts a job; it still stands among the waiting ones until {@link #take}. */
  void start(int slot, Held held, long endMs) {
    long number = state.book().jobs().number(slot);
    starts.add(new Start(number, held, state.names()));
    state.jobFacts().proposed(slot, held, endMs);
    toTake.add(slot);
  }

  /** Starts the jobs for which others were stopped, and these are gone. */
  void startClaims() {
    for (Claim claim : List.copyOf(state.preemption().claims())) {
      if (!claim.ready()) {
        if (nowMs - claim.sinceMs >= RunBook.PATIENCE_MS) {
          state.claims().forget(claim.number);
        }
      } else if (starts.size() < room) {
        if (stillHolds(claim)) {
          starts.add(new Start(claim.number, claim.held, state.names()));
          state.jobFacts().claimStarts(claim, nowMs);
        } else {
          state.claims().forget(claim.number);
        }
      }
    }
  }

  private boolean stillHolds(Claim claim) {
    ClassState owner = state.book().classOf(state.book().jobs().find(claim.number));
    Pool pool = state.poolOf(owner.queue);
    if (shut(owner, state.book().jobs().find(claim.number), pool) != null
        || !state.eligibility().within(owner)) {
      return false;
    }
    Hold own = state.holdings().get(claim.number);
    state.holdings().setAside(own);
    bench.window.now(claim.endMs, true);
    boolean holds = bench.suitability.of(claim.held, owner.shape);
    for (Take take : claim.held.takes()) {
      NodeState node = take.node();
      holds &=
          node.pool == pool
              && bench.window.open(node, claim.held.asked())
              && bench.window.fits(node, take.amounts());
    }
    state.holdings().putBack(own);
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
    VictimSearch.Found found = victims.find(owner, pool, state.book().jobs().number(slot));
    if (found == null) {
      owner.helplessAt = bench.hope;
      return false;
    }
    preempted.addAll(found.preempted());
    state.claims().make(slot, found, nowMs);
    victims.forget();
    toTake.add(slot);
    return true;
  }

  /** False when it is known that nobody can be stopped for a job of the class. */
  boolean mayClaim(ClassState owner) {
    return state.preemption().active() && owner.helplessAt != bench.hope;
  }

  /**
   * Wakes the classes that may be helped by what has happened in this cycle so far: jobs that come
   * later are decided as if all that came before had been there from the beginning.
   *
   * @return true when there are such
   */
  boolean renewHopes() {
    if (!state.preemption().hopesAnew()) {
      return false;
    }
    bench.hope++;
    state.agenda().wakeHopeful();
    return true;
  }

  /** Takes the jobs that were started out of those that wait. */
  void take() {
    toTake.forEach(state.jobFacts()::taken);
    toTake.clear();
  }

  Shortage shortage(ClassState owner, Pool pool) {
    long endMs = UsageProfile.end(nowMs, owner.shape.walltimeMs);
    return bench.diagnosis.of(owner.shape, pool, endMs, state.promiseBook().dated() > 0);
  }

  /** True when no job of the class could start even if nothing ran. */
  boolean never(ClassState owner, Pool pool) {
    if (owner.ever == ClassState.Ever.UNKNOWN) {
      bench.window.empty();
      boolean fits = bench.fit.place(owner.shape, pool, (FreeTree) null) != null;
      owner.ever = fits ? ClassState.Ever.FITS : ClassState.Ever.NEVER;
    }
    return owner.ever == ClassState.Ever.NEVER;
  }

  /** No job of the class starts in this cycle. */
  void leave(ClassState owner, Shortage shortage) {
    left.add(new Decisions.Left(owner, shortage));
    state.agenda().left(owner, shortage, nowMs);
  }

  /** The same as before holds for the class. */
  void leaveAgain(ClassState owner) {
    if (owner.shortage != null) {
      state.agenda().left(owner, owner.shortage, nowMs);
    }
  }

  /** The class could not be considered; it stays with those that the next cycle looks at. */
  void postpone(ClassState owner, Shortage shortage) {
    left.add(new Decisions.Left(owner, shortage));
    state.reasons().note(owner, shortage, nowMs);
  }

  /** Nobody may start before this job. */
  void barrier(long number) {
    barrier = number;
  }

  /** Leaves all that were not considered, since nobody may start before the first that waits. */
  void leaveRest() {
    if (barrier < 0) {
      return;
    }
    Shortage behind = Shortage.untilChange(ReasonCode.STRICT_ORDER, Long.toString(barrier));
    for (ClassState owner : state.agenda().dirty().copy()) {
      if (owner.blockedInCycle != bench.cycle) {
        leave(owner, behind);
      }
    }
  }
}
