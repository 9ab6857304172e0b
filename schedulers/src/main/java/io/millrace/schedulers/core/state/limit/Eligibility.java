package io.millrace.schedulers.core.state.limit;

import io.millrace.schedulers.core.model.JobOwner;
import io.millrace.schedulers.core.model.LimitRules;
import io.millrace.schedulers.core.model.ResourceNames;
import io.millrace.schedulers.core.model.Shortage;
import io.millrace.schedulers.core.state.job.ClassState;
import io.millrace.schedulers.core.state.job.QueueState;
import io.millrace.schedulers.core.state.job.ReadyOrder;
import io.millrace.schedulers.core.state.job.RunCounter;
import io.millrace.schedulers.core.state.node.NodeTable;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Whether the limits of the server and of a queue allow one more job of a class to run.
 *
 * <p>Simple semantics: add up what runs, proposals included, for each user, group or project that a
 * limit names; a job may run if no sum is then above its limit. The sums are kept up to date from
 * job to job. A class at a limit waits at the sum, so that the end of a run touches only those that
 * it concerns.
 *
 * <p>A job that holds a dated promise counts as one that runs: otherwise those behind it could use
 * up the limit again and again, and it would never start. As with nodes, promises of jobs that come
 * later in the order hinder nobody.
 *
 * <p>Limits hold for each scheduler by itself, as in PBS: what runs in queues of others does not
 * count. Only of what the server has of a resource others may have taken a part ({@link #lease}).
 */
public final class Eligibility implements RunCounter {
  private static final List<LimitBound> UNBOUND = List.of();
  private static final int ENTITIES_MAX = 50_000;

  /** True for a queue whose jobs this scheduler starts. */
  private final Predicate<QueueState> ours;

  /** Called with a class that is no longer at the limit it waited for. */
  private final Consumer<ClassState> wake;

  private final LimitSums sums;

  /** State of each class by its number; created on demand, so that without limits there is none. */
  private LimitedClass[] limited = new LimitedClass[64];

  /** Owners of whom the entity alone counts, by it; those that nobody has any more are let go. */
  private final Map<String, JobOwner> entities = new HashMap<>();

  private LimitRules server = LimitRules.NONE;

  private final LeasedLimits leases = new LeasedLimits();

  /** Number of the present walk over the jobs in policy order. */
  private int round;

  /** True when there is any limit; {@code personal} when one tells owners apart. */
  private boolean active;

  /** True when jobs of different entities of fair share are in different classes. */
  private boolean shared;

  private boolean personal;

  /** True when there is any soft limit. */
  private boolean soft;

  /** Version that changes with each change of what soft limits count. */
  private long softChanges;

  public Eligibility(
      NodeTable nodes, ResourceNames names, Predicate<QueueState> ours, Consumer<ClassState> wake) {
    this.sums = new LimitSums(nodes, names, leases);
    this.ours = ours;
    this.wake = wake;
  }

  public boolean active() {
    return active;
  }

  public boolean soft() {
    return soft;
  }

  public long softChanges() {
    return softChanges;
  }

  @Override
  public JobOwner seen(JobOwner account) {
    return personal ? account.asLimited() : shared ? ofEntity(account) : JobOwner.ANYBODY;
  }

  /** Classes of one entity share its owner: there are many of them. */
  private JobOwner ofEntity(JobOwner account) {
    JobOwner known = entities.get(account.entity());
    if (known == null) {
      if (entities.size() >= ENTITIES_MAX) {
        entities.clear();
      }
      known = account.entityOnly();
      entities.put(account.entity(), known);
    }
    return known;
  }

  /**
   * Sets whether jobs of different entities of fair share are told apart.
   *
   * @return true when that has changed
   */
  public boolean share(boolean on) {
    boolean before = shared;
    shared = on;
    return before != on;
  }

  /**
   * Puts other limits into force; running jobs have to be counted again.
   *
   * @return true when whether owners are told apart has changed
   */
  public boolean reset(LimitRules ofServer, Iterable<QueueState> queues) {
    server = ofServer;
    boolean before = personal;
    active = server != LimitRules.NONE;
    personal = server.personal();
    soft = server.soft();
    for (QueueState queue : queues) {
      active |= queue.limits() != LimitRules.NONE;
      personal |= queue.limits().personal();
      soft |= queue.limits().soft();
    }
    return before != personal;
  }

  /**
   * Others have the rest of what the server has of a resource. Only classes that wait for it are
   * looked at.
   *
   * @param left beside what runs
   * @return whether it is another amount than before
   */
  public boolean lease(String resource, long left) {
    List<LimitMeter> its = sums.ofServer(resource);
    boolean changed = leases.set(resource, left, its);
    if (changed) {
      its.forEach(this::lookAgain);
    }
    return changed;
  }

  /** What the server has of all resources is there for this scheduler, until it is told again. */
  public boolean endLeases() {
    int before = leases.changes();
    leases.end(sums.all()).forEach(this::lookAgain);
    return leases.changes() != before;
  }

  /**
   * Has the first classes that wait for what others have of the server's resources tried as if
   * these had none: what becomes of that tells whether there is more by now.
   *
   * @return whether there are any
   */
  public boolean tryBeyondLeases(ReadyOrder order) {
    List<LimitedClass> first = leases.tryFirst(sums.all(), order);
    first.forEach(this::lookAgain);
    return !first.isEmpty();
  }

  /** How often {@link #lease} and {@link #endLeases} have changed something. */
  int leaseChanges() {
    return leases.changes();
  }

  @Override
  public void restart() {
    sums.clear();
    leases.tryNone();
  }

  @Override
  public void forget(ClassState owner) {
    LimitedClass known = known(owner);
    if (known != null) {
      known.waitNoMore();
      known.forgetBounds();
    }
    softChanges++;
  }

  @Override
  public void count(ClassState owner, int sign, int chunks) {
    if (!active) {
      return;
    }
    List<LimitBound> bounds = bounds(owner);
    for (LimitBound bound : bounds) {
      bound.meter().count(sign * bound.needOf(chunks, owner.shape().chunks()));
    }
    for (int i = 0; i < bounds.size() && sign < 0; i++) {
      lookAgain(bounds.get(i).meter());
    }
    if (soft && !softBounds(owner).isEmpty()) {
      softChanges++;
      pretend(owner, sign, chunks);
    }
  }

  /**
   * Adds or removes (sign -1) a running job in the sums of soft limits only; for trying out
   * preemption.
   */
  public void pretend(ClassState owner, int sign, int chunks) {
    for (LimitBound bound : soft ? softBounds(owner) : UNBOUND) {
      bound.meter().count(sign * bound.needOf(chunks, owner.shape().chunks()));
    }
  }

  /**
   * Whether more is in use than a soft limit says.
   *
   * @param ofServer true for the limits of the server, false for those of the queue
   * @param oneMore with one more job of the class
   */
  public boolean over(ClassState owner, boolean ofServer, boolean oneMore) {
    for (LimitBound bound : soft ? softBounds(owner) : UNBOUND) {
      long used = bound.meter().used() + (oneMore ? bound.need() : 0);
      if (bound.queue().isEmpty() == ofServer && used > bound.amount()) {
        return true;
      }
    }
    return false;
  }

  /** A job of the class gets a dated promise, or (sign -1) loses it. */
  public void promise(ClassState owner, int sign) {
    if (active) {
      for (LimitBound bound : bounds(owner)) {
        bound.meter().promise(sign * bound.need());
      }
    }
  }

  /**
   * A job of the class has lost its promise without starting: classes that wait for the limit are
   * woken.
   */
  public void unpromised(ClassState owner) {
    if (active) {
      bounds(owner).forEach(bound -> lookAgain(bound.meter()));
    }
  }

  /** Starts a walk over the jobs in policy order. */
  public void beginOrder() {
    round++;
  }

  /** The walk has come to a job of the class whose dated promise is kept. */
  public void keep(ClassState owner) {
    if (active) {
      for (LimitBound bound : bounds(owner)) {
        bound.meter().keep(bound.need(), round);
      }
    }
  }

  private void lookAgain(LimitMeter meter) {
    meter.waiting().forEach(this::lookAgain);
  }

  /**
   * Called when less is in use of what the class waits for: wakes it unless it is still at this
   * limit. Whether it is at another limit, the next cycle finds out.
   */
  private void lookAgain(LimitedClass waiting) {
    if (reached(waiting.owner()) != waiting.waitsFor()) {
      waiting.waitNoMore();
      wake.accept(waiting.owner());
    }
  }

  /** Why no job of the class may run beside those that run or hold promises; null when one may. */
  public Shortage shortage(ClassState owner) {
    LimitBound bound = active ? reached(owner) : null;
    return bound == null ? null : bound.shortage();
  }

  /**
   * Why the next job in policy order may not run; null when it may. Promises of later jobs do not
   * count.
   */
  public Shortage shortageInOrder(ClassState owner) {
    for (LimitBound bound : active ? bounds(owner) : UNBOUND) {
      if (reached(bound, owner, bound.meter().kept(round))) {
        // The reported limit is the one at which the class is registered, as in backfill.
        return reached(owner).shortage();
      }
    }
    return null;
  }

  /**
   * False when a promise that is already in the book would exceed a limit together with the others.
   */
  public boolean allows(ClassState owner, boolean dated) {
    for (LimitBound bound : active ? bounds(owner) : UNBOUND) {
      // A dated promise is included in the promised sum already; one without a date takes nothing.
      if (reached(bound, owner, dated ? bound.meter().promised() - bound.need() : 0)) {
        return false;
      }
    }
    return true;
  }

  /**
   * False when a promise that is not in the book yet would exceed a limit together with the others.
   */
  public boolean wouldAllow(ClassState owner, boolean dated) {
    for (LimitBound bound : active ? bounds(owner) : UNBOUND) {
      if (reached(bound, owner, dated ? bound.meter().promised() : 0)) {
        return false;
      }
    }
    return true;
  }

  /** True when no limit is exceeded by what runs and what is about to start. */
  public boolean within(ClassState owner) {
    for (LimitBound bound : active ? bounds(owner) : UNBOUND) {
      boolean alone = leases.tries(owner);
      if (bound.meter().used() > (alone ? bound.total() : bound.amount())) {
        return false;
      }
    }
    return true;
  }

  /** Registers the class at the limit that it waits for, to be woken when it is below. */
  public void await(ClassState owner) {
    LimitBound bound = active ? reached(owner) : null;
    if (bound != null) {
      LimitedClass its = of(owner);
      its.waitNoMore();
      its.waitFor(bound);
    }
  }

  /** Removes the class from the limit that it waited for. */
  public void leave(ClassState owner) {
    LimitedClass known = known(owner);
    if (known != null) {
      known.waitNoMore();
    }
  }

  /** The limit that the class waits for; null when it waits for none. */
  public LimitBound waitsFor(ClassState owner) {
    LimitedClass known = known(owner);
    return known == null ? null : known.waitsFor();
  }

  /**
   * State of the class; null when there is none. Class numbers are reused, so an entry may belong
   * to an earlier class.
   */
  private LimitedClass known(ClassState owner) {
    LimitedClass known = owner.id() < limited.length ? limited[owner.id()] : null;
    return known != null && known.owner() == owner ? known : null;
  }

  private LimitedClass of(ClassState owner) {
    LimitedClass known = known(owner);
    if (known == null) {
      int id = owner.id();
      if (id >= limited.length) {
        limited = Arrays.copyOf(limited, Math.max(id + 1, limited.length + (limited.length >> 1)));
      }
      known = new LimitedClass(owner);
      limited[id] = known;
    }
    return known;
  }

  private LimitBound reached(ClassState owner) {
    for (LimitBound bound : bounds(owner)) {
      if (reached(bound, owner, bound.meter().promised())) {
        return bound;
      }
    }
    return null;
  }

  private boolean reached(LimitBound bound, ClassState owner, long promised) {
    return leases.tries(owner) ? bound.reachedAlone(promised) : bound.reached(promised);
  }

  /** The limits that hold for the jobs of the class, in the order in which PBS checks them. */
  public List<LimitBound> bounds(ClassState owner) {
    LimitedClass its = of(owner);
    if (its.bounds() == null) {
      its.boundBy(ours.test(owner.queue()) ? sums.of(owner, server, false) : UNBOUND);
    }
    return its.bounds();
  }

  private List<LimitBound> softBounds(ClassState owner) {
    LimitedClass its = of(owner);
    if (its.softBounds() == null) {
      its.softlyBoundBy(ours.test(owner.queue()) ? sums.of(owner, server, true) : UNBOUND);
    }
    return its.softBounds();
  }
}
