package io.millrace.schedulers.core.state.preemption;

import io.millrace.reservations.timeline.UsageProfile;
import io.millrace.schedulers.core.model.Shortage;
import io.millrace.schedulers.core.policy.Preemption;
import io.millrace.schedulers.core.state.job.ClassState;
import io.millrace.schedulers.core.state.job.QueueState;
import io.millrace.schedulers.core.state.job.ShareBook;
import io.millrace.schedulers.core.state.limit.Eligibility;
import io.millrace.schemas.pbs.attributes.PreemptLevels.Mark;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * What preemption adds to a scheduler's state: levels of classes, the runs that may be preempted,
 * the classes that this could help, and the jobs that wait for preempted runs to end.
 *
 * <p>While no class can be above another nothing here costs more than a look at a flag.
 */
public final class PreemptionBook {

  private final RunBook runs = new RunBook();

  /** Claims by the number of the job that is to start. */
  private final Map<Long, PreemptionClaim> claims = new TreeMap<>();

  /** Blocked classes that preemption might help. */
  private final Set<ClassState> hopeful = new LinkedHashSet<>();

  private final Eligibility eligibility;
  private Preemption rule = Preemption.NONE;
  private boolean active;

  /** True when soft limits take part in deciding levels. */
  private boolean graded;

  /**
   * Versions of the soft limits' sums: when levels were computed last, and when classes were last
   * given another try.
   */
  private long gradedAt = -1;

  private long hopedAt = -1;

  /** True when something has happened since the last cycle that can help a hopeful class. */
  private boolean touched;

  /** Whether the entity of a class has used more than its share. */
  private final ShareBook shares;

  /** True when what entities have used takes part in deciding levels. */
  private boolean byShares;

  public PreemptionBook(Eligibility eligibility, ShareBook shares) {
    this.eligibility = eligibility;
    this.shares = shares;
  }

  /** True when levels depend on what entities have used, which only a new cycle changes. */
  public boolean byShares() {
    return byShares;
  }

  /** Preemption rule in use; {@link Preemption#NONE} while no class can be above another. */
  public Preemption rule() {
    return active ? rule : Preemption.NONE;
  }

  public boolean active() {
    return active;
  }

  public RunBook runs() {
    return runs;
  }

  /**
   * Applies a changed rule or changed queues.
   *
   * @return true when levels may be others than before
   */
  public boolean reset(Preemption other, Iterable<QueueState> queues) {
    boolean before = active;
    rule = other;
    active = false;
    for (QueueState queue : queues) {
      active |= rule.on() && queue.priority() >= rule.queuePriority();
    }
    boolean named =
        rule.levels().names(Mark.SERVER_SOFTLIMITS) || rule.levels().names(Mark.QUEUE_SOFTLIMITS);
    graded = named && eligibility.soft();
    active |= graded;
    byShares = rule.levels().names(Mark.FAIRSHARE) && shares.on();
    active |= byShares;
    touched = true;
    gradedAt = eligibility.softChanges();
    return before || active;
  }

  /** True when levels depend on what runs, through soft limits. */
  public boolean graded() {
    return graded;
  }

  /**
   * True when levels may have changed, because other jobs run than when they were computed last.
   */
  public boolean gradeDue() {
    return graded && gradedAt != eligibility.softChanges();
  }

  /** Records that levels were computed again. */
  public void grade() {
    gradedAt = eligibility.softChanges();
  }

  /** Level of jobs that nothing lifts or lowers. */
  public int normalLevel() {
    return active ? rule.level(EnumSet.noneOf(Mark.class), Long.MIN_VALUE) : 0;
  }

  /** Level of the jobs of a class, whether they wait or run; 0 is the highest. */
  public int level(ClassState owner) {
    return level(owner, false);
  }

  /** Level of the class's jobs once one more of them runs. */
  public int levelWithOneMore(ClassState owner) {
    return level(owner, true);
  }

  private int level(ClassState owner, boolean oneMore) {
    if (!active) {
      return 0;
    }
    Set<Mark> marks = EnumSet.noneOf(Mark.class);
    if (owner.queue().priority() >= rule.queuePriority()) {
      marks.add(Mark.EXPRESS_QUEUE);
    }
    if (graded && eligibility.over(owner, true, oneMore)) {
      marks.add(Mark.SERVER_SOFTLIMITS);
    }
    if (graded && eligibility.over(owner, false, oneMore)) {
      marks.add(Mark.QUEUE_SOFTLIMITS);
    }
    if (byShares && shares.isOver(owner)) {
      marks.add(Mark.FAIRSHARE);
    }
    return rule.level(marks, owner.queue().priority());
  }

  /** Records that something has happened that can help a class. */
  public void touch() {
    touched = true;
  }

  /** True when something has happened that can help a waiting class. */
  public boolean hopesAnew() {
    return changed() && !hopeful.isEmpty();
  }

  private boolean changed() {
    return touched || graded && hopedAt != eligibility.softChanges();
  }

  /**
   * True when a cycle has something to do for preemption: hopeful classes to try again, a claim
   * that is ready, or levels to recompute.
   */
  public boolean due() {
    return hopesAnew() || anyReady() || gradeDue();
  }

  private boolean anyReady() {
    return !claims.isEmpty() && claims.values().stream().anyMatch(PreemptionClaim::ready);
  }

  /** A class was left waiting for resources; it is remembered if preemption could free them. */
  public void left(ClassState owner, Shortage shortage) {
    if (active && shortage.curable() && !owner.neverFits()) {
      hopeful.add(owner);
    }
  }

  public void leave(ClassState owner) {
    if (!hopeful.isEmpty()) {
      hopeful.remove(owner);
    }
  }

  /**
   * Returns the classes to try again, because something has happened that can help them, or may
   * have by now.
   */
  public List<ClassState> takeHopeful() {
    boolean look = changed() || active && (rule.order().byTime() || runs.anyKilled());
    touched = false;
    hopedAt = eligibility.softChanges();
    if (!look || hopeful.isEmpty()) {
      return List.of();
    }
    return new ArrayList<>(hopeful);
  }

  public Collection<PreemptionClaim> claims() {
    return claims.values();
  }

  public PreemptionClaim claim(long number) {
    return claims.isEmpty() ? null : claims.get(number);
  }

  public void add(PreemptionClaim claim) {
    claims.put(claim.number(), claim);
  }

  public void remove(PreemptionClaim claim) {
    claims.remove(claim.number());
  }

  /** A run has ended: the jobs that wait for it may be able to start. */
  public void gone(long number) {
    // While a run that should have ended lingers, nobody else is preempted on its nodes; its end
    // lifts that.
    touched |= runs.killed(number);
    runs.remove(number);
    for (PreemptionClaim claim : claims.values()) {
      claim.victimGone(number);
    }
  }

  /** True when a run is being preempted for some job. */
  public boolean stopped(long number) {
    return !claims.isEmpty()
        && claims.values().stream().anyMatch(it -> it.victims().containsKey(number));
  }

  /** Time at which the oldest claim has waited too long for its victims to end. */
  public long expiryMs() {
    long first = UsageProfile.NEVER;
    for (PreemptionClaim claim : claims.values()) {
      first = claim.ready() ? first : Math.min(first, claim.sinceMs() + RunBook.PATIENCE_MS);
    }
    return first;
  }

  /** The claims that wait for a run. */
  public List<PreemptionClaim> waitingFor(long number) {
    return claims.values().stream().filter(it -> it.victims().containsKey(number)).toList();
  }
}
