package io.millrace.schedulers.core;

import io.millrace.reservations.resources.Placement;
import io.millrace.reservations.resources.Placement.Sharing;
import io.millrace.reservations.resources.Resumption;
import io.millrace.reservations.timeline.UsageProfile;
import io.millrace.schemas.common.Allocation;
import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.common.ResourceRequest;
import io.millrace.schemas.fact.RunSuspended;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.KillPurpose;
import io.millrace.schemas.state.Suspension;
import java.util.List;

/**
 * What the facts about jobs mean for a state, and the answers to what was proposed for them. A job
 * that is not known is passed over.
 */
final class JobFacts {

  private final JobBook book;
  private final ClusterBook cluster;
  private final HoldingBook holdings;
  private final PromiseFacts promises;
  private final Agenda agenda;
  private final ResourceNames names;
  private final SuspendedRuns suspended = new SuspendedRuns();
  private final Claims claims;
  private final PreemptionBook preemption;
  private int proposed;

  JobFacts(
      JobBook book,
      ClusterBook cluster,
      HoldingBook holdings,
      PromiseFacts promises,
      Agenda agenda,
      ResourceNames names) {
    this.book = book;
    this.cluster = cluster;
    this.holdings = holdings;
    this.promises = promises;
    this.agenda = agenda;
    this.names = names;
    this.claims = new Claims(book, holdings, promises, agenda);
    this.preemption = agenda.preemption();
  }

  Claims claims() {
    return claims;
  }

  void job(Job job) {
    JobStatus status = job.getStatus();
    if (status == JobStatus.FINISHED || job.getArray() != null) {
      // Of an array only the subjobs run.
      return;
    }
    claims.forget(job.getNumber());
    JobSpec spec = job.getSpec();
    ResourceRequest request = spec.getRequest();
    byte flags = 0;
    suspended.remove(job.getNumber());
    if (job.getSuspension() != Suspension.NONE) {
      SuspendedRuns.Run run = SuspendedRuns.Run.of(job);
      suspended.put(job.getNumber(), run);
      request = run.asRequest();
      flags |= SuspendedRuns.mayGoOn(job) ? 0 : JobTable.SUSPENDED;
    } else if (status == JobStatus.RUNNING || status == JobStatus.EXITING) {
      flags |= JobTable.RUNNING;
      Sharing sharing = Placement.of(request.getPlace()).sharing();
      holdings.terms(job.getNumber(), sharing, endMs(job));
      boolean killed = job.getKilling() != KillPurpose.NONE || status == JobStatus.EXITING;
      long killedMs = killed ? job.getModifiedMs() : RunBook.NOT_KILLED;
      preemption.runs().add(job.getNumber(), begunMs(job), killedMs);
    }
    boolean held = !job.getHolds().equals("n") || status == JobStatus.HELD;
    if (held && suspended.get(job.getNumber()) == null) {
      flags |= JobTable.HELD;
    }
    if (job.getOfferedTo() >= 0 || status == JobStatus.TRANSIT) {
      flags |= JobTable.TRANSIT;
    }
    JobBook.Order order = new JobBook.Order(spec.getPriority(), job.getRank());
    JobBook.Wish wish = new JobBook.Recorded(request);
    promises.forget(job.getNumber());
    Account account = Account.of(spec);
    book.add(job.getNumber(), cluster.queue(spec.getQueue()), order, wish, account, flags);
    int slot = book.jobs().find(job.getNumber());
    if (job.getAllocation() != null && (flags & JobTable.RUNNING) != 0) {
      book.granted(slot, chunks(job.getAllocation().getShares()));
    }
    book.jobs().once(slot, !spec.getRerunnable());
  }

  void job(long number, long rank, int priority, String queue, RequestShape request) {
    JobBook.Order order = new JobBook.Order(priority, rank);
    JobBook.Wish wish = new JobBook.Shaped(request);
    book.add(number, cluster.queue(queue), order, wish, Account.ANYBODY, (byte) 0);
  }

  void holds(long number, String holds) {
    boolean on = !holds.equals("n");
    if (!suspended.hold(number, on)) {
      flag(number, JobTable.HELD, on);
    }
  }

  void transit(long number, boolean on) {
    flag(number, JobTable.TRANSIT, on);
  }

  void altered(long number, JobSpec spec) {
    int slot = book.jobs().find(number);
    if (slot == JobTable.NONE) {
      return;
    }
    long beforeMs = book.classOf(slot).shape.walltimeMs;
    JobBook.Order order = new JobBook.Order(spec.getPriority(), book.jobs().rank(slot));
    JobBook.Wish wish = new JobBook.Recorded(suspended.altered(number, spec.getRequest()));
    forget(number);
    book.change(slot, cluster.queue(spec.getQueue()), order, wish, Account.of(spec));
    book.jobs().once(slot, !spec.getRerunnable());
    preemption.touch();
    long endMs = holdings.endMs(number);
    RequestShape shape = book.classOf(slot).shape;
    if (beforeMs != shape.walltimeMs && endMs != UsageProfile.FOREVER) {
      long newEndMs = UsageProfile.end(endMs - beforeMs, shape.walltimeMs);
      holdings.terms(number, shape.placement.sharing(), newEndMs);
    }
  }

  void moved(long number, String queue, long rank) {
    int slot = book.jobs().find(number);
    if (slot != JobTable.NONE) {
      forget(number);
      JobBook.Order order = new JobBook.Order(book.jobs().priority(slot), rank);
      JobBook.Wish wish = new JobBook.Recorded(book.classOf(slot).shape.record(names));
      book.change(slot, cluster.queue(queue), order, wish, book.account(slot));
    }
  }

  void gone(long number) {
    int slot = book.jobs().find(number);
    if (slot != JobTable.NONE) {
      if (book.jobs().has(slot, JobTable.PROPOSED)) {
        proposed--;
      }
      forget(number);
      book.remove(slot);
    }
    suspended.remove(number);
    preemption.gone(number);
    release(number);
  }

  void granted(long number, Allocation allocation, long atMs) {
    int slot = book.jobs().find(number);
    Sharing sharing = Sharing.UNSAID;
    long endMs = UsageProfile.FOREVER;
    if (slot != JobTable.NONE) {
      RequestShape shape = book.classOf(slot).shape;
      sharing = shape.placement.sharing();
      endMs = proposedEndMs(slot, UsageProfile.end(atMs, shape.walltimeMs));
      if (book.jobs().has(slot, JobTable.PROPOSED)) {
        proposed--;
      }
      forget(number);
      // Running first, so that the job never counts as waiting in between.
      book.flag(slot, JobTable.RUNNING, true);
      book.flag(slot, JobTable.PROPOSED, false);
      book.granted(slot, chunks(allocation.getShares()));
    }
    preemption.runs().add(number, atMs, RunBook.NOT_KILLED);
    preemption.touch();
    promises.touch();
    holdings.granted(number, allocation.getShares(), sharing, endMs);
  }

  private static int chunks(List<NodeShare> shares) {
    return shares.stream().mapToInt(NodeShare::getChunks).sum();
  }

  void requeued(long number) {
    SuspendedRuns.Run run = suspended.remove(number);
    int slot = book.jobs().find(number);
    if (run != null && slot != JobTable.NONE) {
      // It may even wait as one that goes on; as such it waits no longer.
      withdraw(number);
      flag(number, JobTable.SUSPENDED, true);
      rewish(slot, run.request());
      flag(number, JobTable.HELD, run.held());
      flag(number, JobTable.SUSPENDED, false);
    }
    preemption.gone(number);
    release(number);
    flag(number, JobTable.RUNNING, false);
  }

  void suspended(long number, RunSuspended fact) {
    preemption.gone(number);
    release(number);
    int slot = book.jobs().find(number);
    if (slot == JobTable.NONE) {
      return;
    }
    ResourceRequest asked = book.classOf(slot).shape.record(names);
    boolean held = book.jobs().has(slot, JobTable.HELD);
    SuspendedRuns.Run run =
        new SuspendedRuns.Run(fact.getRun(), asked, fact.getShares(), fact.getRanMs(), held);
    suspended.put(number, run);
    rewish(slot, run.asRequest());
    book.flag(slot, JobTable.SUSPENDED, fact.getSuspension() != Suspension.RESUMABLE);
    // Who holds a job keeps it from starting; this one has.
    book.flag(slot, JobTable.HELD, false);
    book.flag(slot, JobTable.RUNNING, false);
  }

  void resumable(long number) {
    flag(number, JobTable.SUSPENDED, false);
  }

  void resumed(long number, long atMs) {
    SuspendedRuns.Run run = suspended.remove(number);
    int slot = book.jobs().find(number);
    if (run == null || slot == JobTable.NONE) {
      return;
    }
    long leftS = Resumption.walltimeS(run.request().getWalltimeS(), run.ranMs());
    long endMs = proposedEndMs(slot, endMs(atMs, leftS));
    if (book.jobs().has(slot, JobTable.PROPOSED)) {
      proposed--;
    }
    forget(number);
    preemption.runs().add(number, atMs, RunBook.NOT_KILLED);
    preemption.touch();
    book.flag(slot, JobTable.RUNNING, true);
    book.flag(slot, JobTable.PROPOSED, false);
    book.flag(slot, JobTable.SUSPENDED, false);
    book.flag(slot, JobTable.HELD, run.held());
    rewish(slot, run.request());
    book.granted(slot, chunks(run.shares()));
    // The proposal holds it chunk by chunk of its nodes, not as it was granted.
    release(number);
    Sharing sharing = book.classOf(slot).shape.placement.sharing();
    holdings.granted(number, run.shares(), sharing, endMs);
  }

  /**
   * The end of a run: what a proposal said, by which others were promised the time after it, even
   * where the run holds less than was proposed.
   */
  private long proposedEndMs(int slot, long otherwiseMs) {
    boolean open = book.jobs().has(slot, JobTable.PROPOSED);
    Hold hold = open ? holdings.get(book.jobs().number(slot)) : null;
    return hold != null ? hold.endMs : otherwiseMs;
  }

  void ending(long number, long atMs) {
    if (suspended.get(number) != null) {
      flag(number, JobTable.SUSPENDED, true);
    }
    preemption.runs().killed(number, atMs);
    preemption.touch();
  }

  /** Number of the run that a job's start goes on with; 0 for a job that starts anew. */
  int suspendedRun(long number) {
    SuspendedRuns.Run run = suspended.get(number);
    return run == null ? 0 : run.number();
  }

  /** The job asks for something else, in the same place of the order. */
  private void rewish(int slot, ResourceRequest request) {
    JobBook.Order order = new JobBook.Order(book.jobs().priority(slot), book.jobs().rank(slot));
    QueueState queue = book.classOf(slot).queue;
    book.change(slot, queue, order, new JobBook.Recorded(request), book.account(slot));
  }

  /** When a run will have ended by what another state of the same scheduler knew. */
  void expect(long number, long endMs) {
    int slot = book.jobs().find(number);
    if (slot != JobTable.NONE) {
      holdings.terms(number, book.classOf(slot).shape.placement.sharing(), endMs);
    }
  }

  /** A cycle starts a job, which holds its nodes from now on. */
  void proposed(int slot, Held held, long endMs) {
    proposed++;
    book.chosen(slot);
    holdings.hold(book.jobs().number(slot), held, endMs);
  }

  /** Takes a job that a cycle started out of those that wait. */
  void taken(int slot) {
    boolean claimed = preemption.claim(book.jobs().number(slot)) != null;
    book.flag(slot, claimed ? JobTable.CLAIMED : JobTable.PROPOSED, true);
  }

  /** A cycle starts a job for which others were stopped. */
  void claimStarts(Claim claim, long nowMs) {
    proposed++;
    claims.end(claim, nowMs);
  }

  /** A start that was decided here has happened: for those who need no grant. */
  void started(long number) {
    int slot = book.jobs().find(number);
    if (slot != JobTable.NONE && book.jobs().has(slot, JobTable.PROPOSED)) {
      proposed--;
      book.flag(slot, JobTable.RUNNING, true);
      book.flag(slot, JobTable.PROPOSED, false);
    }
  }

  void withdraw(long number) {
    int slot = book.jobs().find(number);
    if (slot == JobTable.NONE || !book.jobs().has(slot, JobTable.PROPOSED)) {
      return;
    }
    proposed--;
    release(number);
    book.flag(slot, JobTable.PROPOSED, false);
    agenda.retry(book.classOf(slot));
  }

  /**
   * Leaves the class of a job out of cycles.
   *
   * @return canonical text of the class, or null when the job is not known
   */
  String backOff(long number, String code, long nowMs) {
    int slot = book.jobs().find(number);
    if (slot == JobTable.NONE) {
      return null;
    }
    promises.touch();
    return agenda.backOff(book.classOf(slot), code, nowMs);
  }

  /** Number of starts that are proposed and not yet answered. */
  int open() {
    return proposed;
  }

  /** What was planned for a job that waited holds no more. */
  private void forget(long number) {
    claims.forget(number);
    promises.forget(number);
  }

  private void release(long number) {
    promises.touch();
    holdings.release(number);
  }

  private void flag(long number, byte flag, boolean on) {
    int slot = book.jobs().find(number);
    if (slot != JobTable.NONE) {
      if (on) {
        forget(number);
      }
      book.flag(slot, flag, on);
    }
  }

  /** When the run of a job that runs will have ended. */
  private static long endMs(Job job) {
    long walltimeS = job.getSpec().getRequest().getWalltimeS();
    boolean again = job.getResumedMs() >= 0;
    return endMs(begunMs(job), again ? Resumption.walltimeS(walltimeS, job.getRanMs()) : walltimeS);
  }

  /** Since when the run of a job runs without a break. */
  private static long begunMs(Job job) {
    if (job.getResumedMs() >= 0) {
      return job.getResumedMs();
    }
    return job.getStartedMs() >= 0 ? job.getStartedMs() : job.getModifiedMs();
  }

  private static long endMs(long begunMs, long walltimeS) {
    return walltimeS < 0
        ? UsageProfile.FOREVER
        : UsageProfile.end(begunMs, RequestShape.milliseconds(walltimeS));
  }
}
