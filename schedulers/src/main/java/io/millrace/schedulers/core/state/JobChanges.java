package io.millrace.schedulers.core.state;

import io.millrace.reservations.timeline.UsageProfile;
import io.millrace.schedulers.core.model.JobOwner;
import io.millrace.schedulers.core.model.RequestShape;
import io.millrace.schedulers.core.model.ResourceNames;
import io.millrace.schedulers.core.state.job.ClassState;
import io.millrace.schedulers.core.state.job.JobBook;
import io.millrace.schedulers.core.state.job.JobRequest;
import io.millrace.schedulers.core.state.job.JobSlots;
import io.millrace.schedulers.core.state.job.PreemptedJobs;
import io.millrace.schedulers.core.state.job.QueuePlace;
import io.millrace.schedulers.core.state.job.QueueState;
import io.millrace.schedulers.core.state.job.RunDurations;
import io.millrace.schedulers.core.state.job.RunEnds;
import io.millrace.schedulers.core.state.job.ShareBook;
import io.millrace.schedulers.core.state.job.SuspendedJobRuns;
import io.millrace.schedulers.core.state.node.AllocationBook;
import io.millrace.schedulers.core.state.node.JobAllocation;
import io.millrace.schedulers.core.state.node.TimedAllocation;
import io.millrace.schedulers.core.state.preemption.PreemptionBook;
import io.millrace.schedulers.core.state.preemption.PreemptionClaim;
import io.millrace.schedulers.core.state.preemption.RunBook;
import io.millrace.schedulers.core.state.promise.PromiseChanges;
import io.millrace.schemas.common.Allocation;
import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.common.ResourceRequest;
import io.millrace.schemas.fact.RunSuspended;
import io.millrace.schemas.pbs.resources.PlaceRequest;
import io.millrace.schemas.pbs.resources.PlaceRequest.Sharing;
import io.millrace.schemas.pbs.resources.Resumption;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.KillPurpose;
import io.millrace.schemas.state.Suspension;
import java.util.List;

/**
 * What facts about jobs, and answers to proposals, change in the scheduler's state. Facts about
 * unknown jobs are ignored.
 */
public final class JobChanges {

  private final JobBook book;
  private final ClusterBook cluster;
  private final AllocationBook holdings;
  private final PromiseChanges promises;
  private final ReadyQueue ready;
  private final ResourceNames names;
  private final SuspendedJobRuns suspended = new SuspendedJobRuns();
  private final PreemptionClaims claims;
  private final PreemptionBook preemption;
  private final ShareBook shares;
  private final PreemptedJobs preempted;
  private final RunDurations durations = new RunDurations();
  private int proposed;

  JobChanges(SchedulerBooks books) {
    this.book = books.book();
    this.cluster = books.cluster();
    this.holdings = books.holdings();
    this.promises = books.promiseFacts();
    this.ready = books.ready();
    this.names = books.names();
    this.claims = books.claims();
    this.preemption = books.preemption();
    this.shares = books.shares();
    this.preempted = books.preempted();
  }

  void job(Job job) {
    JobStatus status = job.getStatus();
    if (status == JobStatus.FINISHED || job.getArray() != null) {
      // An array parent never runs; its subjobs do.
      return;
    }
    // It may be known, and back from a queue of others before the answer to its proposal.
    withdraw(job.getNumber());
    claims.forget(job.getNumber());
    JobSpec spec = job.getSpec();
    ResourceRequest request = spec.getRequest();
    byte flags = 0;
    suspended.remove(job.getNumber());
    durations.job(job);
    if (job.getSuspension() != Suspension.NONE) {
      SuspendedJobRuns.SuspendedRun run = SuspendedJobRuns.SuspendedRun.of(job);
      suspended.put(job.getNumber(), run);
      request = run.asRequest();
      flags |= SuspendedJobRuns.mayGoOn(job) ? 0 : JobSlots.SUSPENDED;
    } else if (status == JobStatus.RUNNING || status == JobStatus.EXITING) {
      flags |= JobSlots.RUNNING;
      Sharing sharing = PlaceRequest.of(request.getPlace()).sharing();
      holdings.terms(job.getNumber(), sharing, RunEnds.endMs(job));
      holdings.rehouse(job.getNumber(), spec.getQueue());
      boolean killed = job.getKilling() != KillPurpose.NONE || status == JobStatus.EXITING;
      long killedMs = killed ? job.getModifiedMs() : RunBook.NOT_KILLED;
      preemption.runs().add(job.getNumber(), RunEnds.begunMs(job), killedMs);
    }
    boolean held = !job.getHolds().equals("n") || status == JobStatus.HELD;
    if (held && suspended.get(job.getNumber()) == null) {
      flags |= JobSlots.HELD;
    }
    if (job.getOfferedTo() >= 0 || status == JobStatus.TRANSIT) {
      flags |= JobSlots.TRANSIT;
    }
    QueuePlace place = new QueuePlace(spec.getPriority(), job.getRank());
    JobRequest asked = new JobRequest.Recorded(request);
    promises.forget(job.getNumber());
    JobOwner account = shares.owner(spec);
    book.add(job.getNumber(), cluster.queue(spec.getQueue()), place, asked, account, flags);
    int slot = book.jobs().find(job.getNumber());
    if (job.getAllocation() != null && (flags & JobSlots.RUNNING) != 0) {
      book.granted(slot, chunks(job.getAllocation().getShares()));
    }
    book.jobs().once(slot, !spec.getRerunnable());
  }

  public void job(
      long number, QueuePlace place, String queue, JobOwner owner, RequestShape request) {
    JobRequest asked = new JobRequest.Shaped(request);
    JobOwner account = shares.owner(owner, queue);
    book.add(number, cluster.queue(queue), place, asked, account, (byte) 0);
  }

  void holds(long number, String holds) {
    boolean on = !holds.equals("n");
    if (!suspended.hold(number, on)) {
      flag(number, JobSlots.HELD, on);
    }
  }

  void transit(long number, boolean on) {
    flag(number, JobSlots.TRANSIT, on);
  }

  void altered(long number, JobSpec spec, boolean askedAnew) {
    int slot = book.jobs().find(number);
    if (slot == JobSlots.NONE) {
      return;
    }
    RequestShape before = book.classOf(slot).shape();
    long beforeMs = durations.lastsMs(number, before);
    QueuePlace place = new QueuePlace(spec.getPriority(), book.jobs().rank(slot));
    ResourceRequest request = suspended.altered(number, spec.getRequest(), askedAnew);
    JobRequest asked = new JobRequest.Recorded(request);
    forget(number);
    book.change(slot, cluster.queue(spec.getQueue()), place, asked, shares.owner(spec));
    book.jobs().once(slot, !spec.getRerunnable());
    preemption.touch();
    if (askedAnew) {
      durations.limit(number, 0); // the walltime was checked against what is booked
    }
    RequestShape shape = book.classOf(slot).shape();
    long afterMs = durations.lastsMs(number, shape);
    if (beforeMs != afterMs) {
      long endMs = holdings.endMs(number);
      long proposedMs = endMs == UsageProfile.FOREVER ? endMs : endMs - beforeMs;
      long sinceMs = preemption.runs().startMs(number, proposedMs);
      holdings.terms(number, shape.placement().sharing(), UsageProfile.end(sinceMs, afterMs));
    }
  }

  void began(long number, long toldMs) {
    if (!runs(number)) {
      return;
    }
    // One that was suspended before it began may go on only after that.
    long beganMs = Math.max(toldMs, preemption.runs().startMs(number, toldMs));
    int slot = book.jobs().find(number);
    RequestShape shape = book.classOf(slot).shape();
    long endMs = UsageProfile.end(beganMs, durations.lastsMs(number, shape));
    if (holdings.endMs(number) != endMs) {
      holdings.terms(number, shape.placement().sharing(), endMs);
      promises.touch();
    }
    preemption.runs().began(number, beganMs);
    preemption.touch();
  }

  void shortened(long number, long beganMs, long walltimeS) {
    if (runs(number)) {
      durations.limit(number, walltimeS);
      began(number, beganMs);
    }
  }

  private boolean runs(long number) {
    int slot = book.jobs().find(number);
    return slot != JobSlots.NONE && book.jobs().has(slot, JobSlots.RUNNING);
  }

  void moved(long number, String queue, long rank) {
    int slot = book.jobs().find(number);
    if (slot != JobSlots.NONE) {
      forget(number);
      QueuePlace place = new QueuePlace(book.jobs().priority(slot), rank);
      JobRequest asked = new JobRequest.Recorded(book.classOf(slot).shape().record(names));
      JobOwner account = shares.owner(book.account(slot), queue);
      book.change(slot, cluster.queue(queue), place, asked, account);
      holdings.rehouse(number, queue);
    }
  }

  /** Takes a waiting job out, so that another state can have it; null when none waits here. */
  public WaitingJob take(long number) {
    int slot = book.jobs().find(number);
    if (slot == JobSlots.NONE || book.jobs().has(slot, JobSlots.RUNNING)) {
      return null;
    }
    byte flags = 0;
    flags |= book.jobs().has(slot, JobSlots.HELD) ? JobSlots.HELD : 0;
    flags |= book.jobs().has(slot, JobSlots.TRANSIT) ? JobSlots.TRANSIT : 0;
    WaitingJob job =
        new WaitingJob(
            new QueuePlace(book.jobs().priority(slot), book.jobs().rank(slot)),
            book.classOf(slot).shape().record(names),
            book.account(slot),
            flags,
            book.jobs().once(slot));
    gone(number);
    return job;
  }

  /** Puts a job in that waited in another state. */
  public void put(long number, String queue, WaitingJob job) {
    JobOwner account = shares.owner(job.owner(), queue);
    JobRequest asked = new JobRequest.Recorded(job.request());
    book.add(number, cluster.queue(queue), job.place(), asked, account, job.flags());
    book.jobs().once(book.jobs().find(number), job.once());
  }

  void gone(long number) {
    int slot = book.jobs().find(number);
    if (slot != JobSlots.NONE) {
      if (book.jobs().has(slot, JobSlots.PROPOSED)) {
        proposed--;
      }
      if (book.jobs().has(slot, JobSlots.RUNNING)) {
        holdings.ended(number);
      }
      forget(number);
      book.remove(slot);
    }
    suspended.remove(number);
    durations.remove(number);
    preempted.remove(number);
    preemption.gone(number);
    release(number);
  }

  void granted(long number, Allocation allocation, long atMs) {
    int slot = book.jobs().find(number);
    Sharing sharing = Sharing.UNSAID;
    long endMs = UsageProfile.FOREVER;
    if (slot != JobSlots.NONE) {
      RequestShape shape = book.classOf(slot).shape();
      sharing = shape.placement().sharing();
      endMs = proposedEndMs(slot, UsageProfile.end(atMs, shape.walltimeMs()));
      if (book.jobs().has(slot, JobSlots.PROPOSED)) {
        proposed--;
      }
      forget(number);
      // Set RUNNING first, so that the job never counts as waiting in between.
      book.flag(slot, JobSlots.RUNNING, true);
      book.flag(slot, JobSlots.PROPOSED, false);
      book.granted(slot, chunks(allocation.getShares()));
    }
    preempted.remove(number);
    durations.remove(number);
    preemption.runs().add(number, atMs, RunBook.NOT_KILLED);
    preemption.touch();
    promises.touch();
    String queue = slot == JobSlots.NONE ? "" : book.classOf(slot).queue().name();
    holdings.granted(number, queue, allocation.getShares(), sharing, endMs);
    holdings.terms(number, sharing, endMs);
  }

  private static int chunks(List<NodeShare> shares) {
    return shares.stream().mapToInt(NodeShare::getChunks).sum();
  }

  void requeued(long number) {
    durations.remove(number);
    SuspendedJobRuns.SuspendedRun run = suspended.remove(number);
    int slot = book.jobs().find(number);
    if (run != null && slot != JobSlots.NONE) {
      // The job may already be waiting as a suspended run that can be resumed; it no longer is.
      withdraw(number);
      flag(number, JobSlots.SUSPENDED, true);
      askFor(slot, run.request());
      flag(number, JobSlots.HELD, run.held());
      flag(number, JobSlots.SUSPENDED, false);
    }
    leavesFor(number);
    release(number);
    flag(number, JobSlots.RUNNING, false);
  }

  /** A run has ended and the job waits again, perhaps because another one was to start. */
  private void leavesFor(long number) {
    holdings.ended(number);
    if (preemption.stopped(number)) {
      preempted.add(number);
    }
    preemption.gone(number);
  }

  void suspended(long number, RunSuspended fact) {
    leavesFor(number);
    release(number);
    int slot = book.jobs().find(number);
    if (slot == JobSlots.NONE) {
      return;
    }
    ResourceRequest request = book.classOf(slot).shape().record(names);
    boolean held = book.jobs().has(slot, JobSlots.HELD);
    SuspendedJobRuns.SuspendedRun run =
        new SuspendedJobRuns.SuspendedRun(
            fact.getRun(),
            request,
            fact.getShares(),
            fact.getRanMs(),
            held,
            durations.limitS(number));
    suspended.put(number, run);
    durations.remove(number);
    askFor(slot, run.asRequest());
    book.flag(slot, JobSlots.SUSPENDED, fact.getSuspension() != Suspension.RESUMABLE);
    // A held job cannot start, so a job that did start is not held.
    book.flag(slot, JobSlots.HELD, false);
    book.flag(slot, JobSlots.RUNNING, false);
  }

  void resumable(long number) {
    flag(number, JobSlots.SUSPENDED, false);
  }

  void resumed(long number, long atMs) {
    SuspendedJobRuns.SuspendedRun run = suspended.remove(number);
    int slot = book.jobs().find(number);
    if (run == null || slot == JobSlots.NONE) {
      return;
    }
    durations.limit(number, run.limitS());
    durations.resumed(number, run.ranMs());
    long leftS = Resumption.walltimeS(run.walltimeS(), run.ranMs());
    // Nothing tells later when it went on, so that the shard's time counts at once.
    long endMs = RunEnds.endMs(atMs, leftS);
    if (book.jobs().has(slot, JobSlots.PROPOSED)) {
      proposed--;
    }
    forget(number);
    preempted.remove(number);
    preemption.runs().add(number, atMs, RunBook.NOT_KILLED);
    preemption.touch();
    book.flag(slot, JobSlots.RUNNING, true);
    book.flag(slot, JobSlots.PROPOSED, false);
    book.flag(slot, JobSlots.SUSPENDED, false);
    book.flag(slot, JobSlots.HELD, run.held());
    askFor(slot, run.request());
    book.granted(slot, chunks(run.shares()));
    // The proposal's allocation is kept by chunks of its nodes, which can differ from what was
    // granted.
    release(number);
    ClassState owner = book.classOf(slot);
    Sharing sharing = owner.shape().placement().sharing();
    holdings.granted(number, owner.queue().name(), run.shares(), sharing, endMs);
  }

  /**
   * Expected end of a granted run until it is told to have begun. The proposal's end is kept even
   * when less was granted than proposed, because promises were made for the time after it.
   */
  private long proposedEndMs(int slot, long otherwiseMs) {
    boolean open = book.jobs().has(slot, JobSlots.PROPOSED);
    TimedAllocation hold = open ? holdings.get(book.jobs().number(slot)) : null;
    // Without an end it was proposed for a job that has got a walltime since, or has none.
    boolean ends = hold != null && hold.endMs() != UsageProfile.FOREVER;
    return ends ? hold.endMs() : otherwiseMs;
  }

  void ending(long number, long atMs) {
    if (suspended.get(number) != null) {
      flag(number, JobSlots.SUSPENDED, true);
    }
    preemption.runs().killed(number, atMs);
    preemption.touch();
  }

  /**
   * Number of the suspended run that a start of the job would resume; 0 when it would begin a new
   * run.
   */
  public int suspendedRun(long number) {
    SuspendedJobRuns.SuspendedRun run = suspended.get(number);
    return run == null ? 0 : run.number();
  }

  /** Changes the request of a job, which keeps its place in the order. */
  private void askFor(int slot, ResourceRequest request) {
    QueuePlace place = new QueuePlace(book.jobs().priority(slot), book.jobs().rank(slot));
    QueueState queue = book.classOf(slot).queue();
    book.change(slot, queue, place, new JobRequest.Recorded(request), book.account(slot));
  }

  /** Takes over the expected end of a run from an earlier state of the same scheduler. */
  public void expect(long number, long endMs) {
    int slot = book.jobs().find(number);
    if (slot != JobSlots.NONE) {
      holdings.terms(number, book.classOf(slot).shape().placement().sharing(), endMs);
    }
  }

  /** A cycle starts a job: its nodes are allocated from now on. */
  public void proposed(int slot, JobAllocation held, long endMs) {
    proposed++;
    book.chosen(slot);
    holdings.hold(book.jobs().number(slot), held, endMs);
  }

  /** Removes a job that a cycle started from the ready queue. */
  public void taken(int slot) {
    boolean claimed = preemption.claim(book.jobs().number(slot)) != null;
    book.flag(slot, claimed ? JobSlots.CLAIMED : JobSlots.PROPOSED, true);
  }

  /** A cycle starts a job whose preempted runs have ended. */
  public void claimStarts(PreemptionClaim claim, long nowMs) {
    proposed++;
    claims.end(claim, nowMs);
  }

  /**
   * Records a start that was decided here as having happened; for callers without a shard that
   * would grant it, such as the simulator.
   */
  public void started(long number) {
    int slot = book.jobs().find(number);
    if (slot != JobSlots.NONE && book.jobs().has(slot, JobSlots.PROPOSED)) {
      proposed--;
      book.flag(slot, JobSlots.RUNNING, true);
      book.flag(slot, JobSlots.PROPOSED, false);
    }
  }

  void withdraw(long number) {
    int slot = book.jobs().find(number);
    if (slot == JobSlots.NONE || !book.jobs().has(slot, JobSlots.PROPOSED)) {
      return;
    }
    proposed--;
    release(number);
    book.flag(slot, JobSlots.PROPOSED, false);
    ready.retry(book.classOf(slot));
  }

  /**
   * Leaves the class of a job out of cycles.
   *
   * @param telling whether that is told as the reason why its jobs wait
   * @return canonical text of the class, or null when the job is not known
   */
  public String backOff(long number, String code, boolean telling, long nowMs) {
    int slot = book.jobs().find(number);
    if (slot == JobSlots.NONE) {
      return null;
    }
    promises.touch();
    return ready.backOff(book.classOf(slot), code, telling, nowMs);
  }

  /** Number of starts that are proposed and not yet answered. */
  public int open() {
    return proposed;
  }

  /** Drops what was planned for a waiting job: its promise or its claim. */
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
    if (slot != JobSlots.NONE) {
      if (on) {
        forget(number);
      }
      book.flag(slot, flag, on);
    }
  }
}
