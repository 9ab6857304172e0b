package io.millrace.schedulers.core.state.preemption;

import io.millrace.reservations.timeline.UsageProfile;
import io.millrace.schedulers.core.model.Shortage;
import io.millrace.schedulers.core.policy.Preemption;
import io.millrace.schedulers.core.state.job.ClassState;
import io.millrace.schedulers.core.state.job.QueueState;
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
 * What preemption adds to a scheduler's state: levels of classes, the runs that may be stopped, the
 * classes that may be helped by that, and the jobs that wait for stopped ones to be gone.
 *
 * <p>While no class can be above another nothing here costs more than a look at a flag.
 */
public final class PreemptionBook {

  private final RunBook runs = new RunBook();

  /** By the number of the job that is to start. */
  private final Map<Long, PreemptionClaim> claims = new TreeMap<>();

  /** Blocked classes for which room might be made. */
  private final Set<ClassState> hopeful = new LinkedHashSet<>();

  private final Eligibility eligibility;
  private Preemption rule = Preemption.NONE;
  private boolean active;

  /** True when limits that may be passed decide on levels. */
  private boolean graded;

  /** What counted for such limits when levels were found last, and when hopes were renewed. */
  private long gradedAt = -1;

  private long hopedAt = -1;

  /** True when since the last cycle anything has happened that can help a hopeful class. */
  private boolean touched;

  public PreemptionBook(Eligibility eligibility) {
    this.eligibility = eligibility;
  }

  /** The rule that holds; {@link Preemption#NONE} while no class can be above another. */
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
   * Takes another rule, or other queues, into account.
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
    touched = true;
    gradedAt = eligibility.softChanges();
    return before || active;
  }

  /** True when what runs decides on levels. */
  public boolean graded() {
    return graded;
  }

  /** True when jobs may be in other levels, since others run than when these were found last. */
  public boolean gradeDue() {
    return graded && gradedAt != eligibility.softChanges();
  }

  /** Levels are found anew. */
  public void grade() {
    gradedAt = eligibility.softChanges();
  }

  /** Level of the jobs of a class, whether they wait or run; 0 is the highest. */
  public int level(ClassState owner) {
    return level(owner, false);
  }

  /** Level that they will have when one more of them runs. */
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
    return rule.level(marks, owner.queue().priority());
  }

  /** Something has happened that can help a class. */
  public void touch() {
    touched = true;
  }

  /** True when something has happened that can help a class that waits. */
  public boolean hopesAnew() {
    return changed() && !hopeful.isEmpty();
  }

  private boolean changed() {
    return touched || graded && hopedAt != eligibility.softChanges();
  }

  /** True when a cycle has to look again at what is here. */
  public boolean due() {
    return hopesAnew() || anyReady() || gradeDue();
  }

  private boolean anyReady() {
    return !claims.isEmpty() && claims.values().stream().anyMatch(PreemptionClaim::ready);
  }

  /** A class is left waiting for resources, of which others may be made to give up some. */
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

  /** Classes that have to be tried again, since something has happened or may have by now. */
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

  /** A run is gone: those that wait for it may come closer. */
  public void gone(long number) {
    // Where a run stayed too long nobody else is stopped; with its end that is over.
    touched |= runs.killed(number);
    runs.remove(number);
    for (PreemptionClaim claim : claims.values()) {
      claim.victimGone(number);
    }
  }

  /** True when a run is to go for the sake of some job. */
  public boolean stopped(long number) {
    return !claims.isEmpty()
        && claims.values().stream().anyMatch(it -> it.victims().containsKey(number));
  }

  /** When the first job has waited for others to be gone for too long. */
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
