package io.millrace.schedulers.core.state;

import io.millrace.reservations.timeline.UsageProfile;
import io.millrace.schedulers.core.model.Shortage;
import io.millrace.schedulers.core.state.job.ClassState;
import io.millrace.schedulers.core.state.job.JobBook;
import io.millrace.schedulers.core.state.job.JobSlots;
import io.millrace.schedulers.core.state.node.AllocationBook;
import io.millrace.schedulers.core.state.node.JobAllocation;
import io.millrace.schedulers.core.state.node.TimedAllocation;
import io.millrace.schedulers.core.state.preemption.PreemptionBook;
import io.millrace.schedulers.core.state.preemption.PreemptionClaim;
import io.millrace.schedulers.core.state.promise.PromiseChanges;
import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.pbs.reasons.ReasonCode;
import io.millrace.schemas.pbs.resources.PlaceRequest.Sharing;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** Jobs that start when the runs preempted for them have ended; keeps all books consistent. */
public final class PreemptionClaims {

  private final JobBook book;
  private final AllocationBook holdings;
  private final PromiseChanges promises;
  private final ReadyQueue ready;
  private final PreemptionBook preemption;

  PreemptionClaims(
      JobBook book,
      AllocationBook holdings,
      PromiseChanges promises,
      ReadyQueue ready,
      PreemptionBook preemption) {
    this.book = book;
    this.holdings = holdings;
    this.promises = promises;
    this.ready = ready;
    this.preemption = preemption;
  }

  /**
   * A cycle preempts runs for a job, which is allocated its nodes from now on.
   *
   * @param held what it will have
   * @param waitsFor the runs that have to be gone before
   */
  public void make(int slot, JobAllocation held, List<Long> waitsFor, long nowMs) {
    long number = book.jobs().number(slot);
    SortedMap<Long, Long> victims = new TreeMap<>();
    for (long victim : waitsFor) {
      TimedAllocation hold = holdings.get(victim);
      List<PreemptionClaim> others = preemption.waitingFor(victim);
      victims.put(victim, others.isEmpty() ? hold.endMs() : others.get(0).victims().get(victim));
      holdings.terms(victim, hold.held().asked(), Math.min(hold.endMs(), nowMs + 1));
    }
    long endMs = UsageProfile.end(nowMs, book.classOf(slot).shape().walltimeMs());
    book.chosen(slot);
    holdings.hold(number, held, endMs);
    preemption.add(new PreemptionClaim(number, held, endMs, nowMs, victims));
    preemption.touch();
  }

  /** Takes over a claim from an earlier state of the same scheduler. */
  public void adopt(PreemptionClaim claim, List<NodeShare> shares) {
    int slot = book.jobs().find(claim.number());
    String queue = book.classOf(slot).queue().name();
    JobAllocation held = holdings.held(queue, shares, claim.held().asked());
    book.flag(slot, JobSlots.CLAIMED, true);
    holdings.hold(claim.number(), held, claim.endMs());
    preemption.add(
        new PreemptionClaim(claim.number(), held, claim.endMs(), claim.sinceMs(), claim.victims()));
  }

  /**
   * The preempted runs have ended and the job is proposed to start. Its run time counts from now,
   * so promises behind it are checked again; as every cycle runs a moment late, what is planned for
   * the time after it stays planned.
   */
  void end(PreemptionClaim claim, long nowMs) {
    int slot = book.jobs().find(claim.number());
    preemption.remove(claim);
    book.flag(slot, JobSlots.PROPOSED, true);
    book.flag(slot, JobSlots.CLAIMED, false);
    ClassState owner = book.classOf(slot);
    if (nowMs - claim.sinceMs() > AllocationBook.OVERRUN_MS) {
      long endMs = UsageProfile.end(nowMs, owner.shape().walltimeMs());
      holdings.terms(claim.number(), claim.held().asked(), endMs);
    }
    if (owner.waiting().size() == 0) {
      ready.drained(owner);
    }
  }

  /** The job no longer waits for preempted runs to end; it waits as all others do. */
  public void forget(long number) {
    PreemptionClaim claim = preemption.claim(number);
    if (claim == null) {
      return;
    }
    preemption.remove(claim);
    claim.victims().forEach(this::goesOn);
    promises.touch();
    holdings.release(number);
    preemption.touch();
    book.flag(book.jobs().find(number), JobSlots.CLAIMED, false);
  }

  /** Drops the claims on a node that is about to be removed. */
  void lost(String node) {
    for (PreemptionClaim claim : List.copyOf(preemption.claims())) {
      if (claim.held().takes().stream().anyMatch(it -> it.node().name().equals(node))) {
        forget(claim.number());
      }
    }
  }

  /** A run is no longer to be stopped; its expected end is what it was before. */
  private void goesOn(long victim, long endMs) {
    TimedAllocation hold = holdings.get(victim);
    if (hold != null && !preemption.stopped(victim) && !preemption.runs().killed(victim)) {
      holdings.terms(victim, hold.held().asked(), endMs);
    }
  }

  /**
   * The shard did not stop a job.
   *
   * @return the jobs that do not start for that reason
   */
  public List<Long> notStopped(long number) {
    List<Long> waited = preemption.waitingFor(number).stream().map(it -> it.number()).toList();
    waited.forEach(this::forget);
    return waited;
  }

  /**
   * A start that a cycle has decided waits until runs are gone that the cycle does not regard.
   *
   * @param runs how many
   */
  public void waits(long number, int runs, long nowMs) {
    note(book.classOf(book.jobs().find(number)), runs, nowMs);
  }

  /**
   * Such a start is proposed after all: its run time counts from now.
   *
   * @param sinceMs when the cycle had decided it
   */
  public void waited(long number, long sinceMs, long nowMs) {
    ClassState owner = book.classOf(book.jobs().find(number));
    TimedAllocation hold = holdings.get(number);
    if (nowMs - sinceMs > AllocationBook.OVERRUN_MS && hold.ends()) {
      long endMs = UsageProfile.end(nowMs, owner.shape().walltimeMs());
      holdings.terms(number, hold.held().asked(), endMs);
    }
    if (owner.waiting().size() == 0) {
      ready.drained(owner);
    }
  }

  /** A run that no book has counted holds its nodes for good, it seems, so that it counts now. */
  public void counts(long number, List<NodeShare> shares, Sharing asked) {
    promises.touch();
    holdings.granted(number, "", shares, asked, UsageProfile.FOREVER);
  }

  /**
   * Notes "waits for preempted runs to end" as the reason of each class that has no other waiting
   * job.
   */
  public void note(long nowMs) {
    for (PreemptionClaim claim : preemption.claims()) {
      note(book.classOf(book.jobs().find(claim.number())), claim.victims().size(), nowMs);
    }
  }

  private void note(ClassState owner, int runs, long nowMs) {
    if (owner.waiting().size() == 0) {
      Shortage.ShortageAmounts stopped = new Shortage.ShortageAmounts(runs, 0, 0);
      Shortage.Watch change = Shortage.Watch.CHANGE;
      ready.note(
          owner, new Shortage(ReasonCode.PREEMPTING, "", stopped, change, Shortage.UNKNOWN), nowMs);
    }
  }
}
