package io.millrace.schedulers.core;

import io.millrace.reservations.resources.ReasonCode;
import io.millrace.reservations.timeline.UsageProfile;
import io.millrace.schemas.common.NodeShare;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** Jobs that start when others, which are being stopped, are gone: keeps all books in step. */
final class Claims {

  private final JobBook book;
  private final HoldingBook holdings;
  private final PromiseFacts promises;
  private final Agenda agenda;
  private final PreemptionBook preemption;

  Claims(JobBook book, HoldingBook holdings, PromiseFacts promises, Agenda agenda) {
    this.book = book;
    this.holdings = holdings;
    this.promises = promises;
    this.agenda = agenda;
    this.preemption = agenda.preemption();
  }

  /** A cycle has jobs stopped, so that another one starts, which holds its nodes from now on. */
  void make(int slot, VictimSearch.Found found, long nowMs) {
    long number = book.jobs().number(slot);
    SortedMap<Long, Long> victims = new TreeMap<>();
    for (long victim : found.waitsFor()) {
      Hold hold = holdings.get(victim);
      List<Claim> others = preemption.waitingFor(victim);
      victims.put(victim, others.isEmpty() ? hold.endMs : others.get(0).victims.get(victim));
      holdings.terms(victim, hold.held.asked(), Math.min(hold.endMs, nowMs + 1));
    }
    long endMs = UsageProfile.end(nowMs, book.classOf(slot).shape.walltimeMs);
    book.chosen(slot);
    holdings.hold(number, found.held(), endMs);
    preemption.add(new Claim(number, found.held(), endMs, nowMs, victims));
    preemption.touch();
  }

  /** Takes over one that another state of the same scheduler held. */
  void adopt(Claim claim, List<NodeShare> shares) {
    Held held = holdings.held(shares, claim.held.asked());
    book.flag(book.jobs().find(claim.number), JobTable.CLAIMED, true);
    holdings.hold(claim.number, held, claim.endMs);
    preemption.add(new Claim(claim.number, held, claim.endMs, claim.sinceMs, claim.victims));
  }

  /**
   * The job is proposed to start: those that were stopped for it are gone. Its time counts from
   * now, so that promises for what comes after it are looked at again. A moment late, as every
   * cycle is, what is planned for the time after it stays planned.
   */
  void end(Claim claim, long nowMs) {
    int slot = book.jobs().find(claim.number);
    preemption.remove(claim);
    book.flag(slot, JobTable.PROPOSED, true);
    book.flag(slot, JobTable.CLAIMED, false);
    ClassState owner = book.classOf(slot);
    if (nowMs - claim.sinceMs > HoldingBook.OVERRUN_MS) {
      long endMs = UsageProfile.end(nowMs, owner.shape.walltimeMs);
      holdings.terms(claim.number, claim.held.asked(), endMs);
    }
    if (owner.waiting.size() == 0) {
      agenda.drained(owner);
    }
  }

  /** A job waits no longer for others to be stopped, but again as all do. */
  void forget(long number) {
    Claim claim = preemption.claim(number);
    if (claim == null) {
      return;
    }
    preemption.remove(claim);
    claim.victims.forEach(this::goesOn);
    promises.touch();
    holdings.release(number);
    preemption.touch();
    book.flag(book.jobs().find(number), JobTable.CLAIMED, false);
  }

  /** A node is about to go: nobody starts on it. */
  void lost(String node) {
    for (Claim claim : List.copyOf(preemption.claims())) {
      if (claim.held.takes().stream().anyMatch(it -> it.node().name.equals(node))) {
        forget(claim.number);
      }
    }
  }

  /** Nobody has a job stopped any more; it ends when it would have. */
  private void goesOn(long victim, long endMs) {
    Hold hold = holdings.get(victim);
    if (hold != null && !preemption.stopped(victim) && !preemption.runs().killed(victim)) {
      holdings.terms(victim, hold.held.asked(), endMs);
    }
  }

  /**
   * The shard did not stop a job.
   *
   * @return the jobs that do not start for that reason
   */
  List<Long> notStopped(long number) {
    List<Long> waited = preemption.waitingFor(number).stream().map(it -> it.number).toList();
    waited.forEach(this::forget);
    return waited;
  }

  /** Of classes of which no other job waits it is told that one waits for others to be gone. */
  void note(long nowMs) {
    for (Claim claim : preemption.claims()) {
      ClassState owner = book.classOf(book.jobs().find(claim.number));
      if (owner.waiting.size() == 0) {
        Shortage.Numbers stopped = new Shortage.Numbers(claim.victims.size(), 0, 0);
        Shortage.Watch change = Shortage.Watch.CHANGE;
        agenda.note(
            owner,
            new Shortage(ReasonCode.PREEMPTING, "", stopped, change, Shortage.UNKNOWN),
            nowMs);
      }
    }
  }
}
