package io.millrace.schedulers.core;

import io.millrace.reservations.resources.Placement;
import io.millrace.reservations.resources.Placement.Sharing;
import io.millrace.reservations.timeline.UsageProfile;
import io.millrace.schemas.common.Allocation;
import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;

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
  }

  void job(Job job) {
    JobStatus status = job.getStatus();
    if (status == JobStatus.FINISHED) {
      return;
    }
    JobSpec spec = job.getSpec();
    byte flags = 0;
    if (status == JobStatus.RUNNING || status == JobStatus.EXITING) {
      flags |= JobTable.RUNNING;
      Sharing sharing = Placement.of(spec.getRequest().getPlace()).sharing();
      long begunMs = job.getStartedMs() >= 0 ? job.getStartedMs() : job.getModifiedMs();
      holdings.terms(job.getNumber(), sharing, endMs(begunMs, spec.getRequest().getWalltimeS()));
    }
    if (!job.getHolds().equals("n") || status == JobStatus.HELD) {
      flags |= JobTable.HELD;
    }
    if (job.getOfferedTo() >= 0 || status == JobStatus.TRANSIT) {
      flags |= JobTable.TRANSIT;
    }
    JobBook.Order order = new JobBook.Order(spec.getPriority(), job.getRank());
    JobBook.Wish wish = new JobBook.Recorded(spec.getRequest());
    promises.forget(job.getNumber());
    Account account = Account.of(spec);
    book.add(job.getNumber(), cluster.queue(spec.getQueue()), order, wish, account, flags);
    if (job.getAllocation() != null && (flags & JobTable.RUNNING) != 0) {
      book.granted(book.jobs().find(job.getNumber()), chunks(job.getAllocation()));
    }
  }

  void job(long number, long rank, int priority, String queue, RequestShape request) {
    JobBook.Order order = new JobBook.Order(priority, rank);
    JobBook.Wish wish = new JobBook.Shaped(request);
    book.add(number, cluster.queue(queue), order, wish, Account.ANYBODY, (byte) 0);
  }

  void holds(long number, String holds) {
    flag(number, JobTable.HELD, !holds.equals("n"));
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
    JobBook.Wish wish = new JobBook.Recorded(spec.getRequest());
    promises.forget(number);
    book.change(slot, cluster.queue(spec.getQueue()), order, wish, Account.of(spec));
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
      promises.forget(number);
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
      promises.forget(number);
      book.remove(slot);
    }
    release(number);
  }

  void granted(long number, Allocation allocation, long atMs) {
    int slot = book.jobs().find(number);
    Sharing sharing = Sharing.SHARED;
    long endMs = UsageProfile.FOREVER;
    if (slot != JobTable.NONE) {
      RequestShape shape = book.classOf(slot).shape;
      sharing = shape.placement.sharing();
      endMs = UsageProfile.end(atMs, shape.walltimeMs);
      if (book.jobs().has(slot, JobTable.PROPOSED)) {
        proposed--;
      }
      promises.forget(number);
      // Running first, so that the job never counts as waiting in between.
      book.flag(slot, JobTable.RUNNING, true);
      book.flag(slot, JobTable.PROPOSED, false);
      book.granted(slot, chunks(allocation));
    }
    promises.touch();
    holdings.granted(number, allocation.getShares(), sharing, endMs);
  }

  private static int chunks(Allocation allocation) {
    return allocation.getShares().stream().mapToInt(NodeShare::getChunks).sum();
  }

  void requeued(long number) {
    release(number);
    flag(number, JobTable.RUNNING, false);
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
    book.flag(slot, JobTable.PROPOSED, true);
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

  private void release(long number) {
    promises.touch();
    holdings.release(number);
  }

  private void flag(long number, byte flag, boolean on) {
    int slot = book.jobs().find(number);
    if (slot != JobTable.NONE) {
      if (on) {
        promises.forget(number);
      }
      book.flag(slot, flag, on);
    }
  }

  private static long endMs(long begunMs, long walltimeS) {
    return walltimeS < 0
        ? UsageProfile.FOREVER
        : UsageProfile.end(begunMs, RequestShape.milliseconds(walltimeS));
  }
}
