package io.millrace.schedulers.engine;

import io.millrace.schemas.Envelope;
import io.millrace.schemas.common.CommandId;
import io.millrace.schemas.fact.RunGranted;
import io.millrace.schemas.fact.RunResumed;
import io.millrace.schemas.pbs.jobs.JobNumbers;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongPredicate;
import org.apache.avro.specific.SpecificRecord;

/** Unanswered proposals, oldest first; all have the same time to live. */
final class InFlight {

  /** Used in place of a job number for a RecordCycle. */
  private static final long NO_JOB = -1;

  /** What a proposal asks for. */
  enum ProposalKind {
    START,
    STOP,
    GIVE_UP,
    /** Of a reservation, which stands in the place of the job. */
    RESERVATION,
    RECORD
  }

  /** Number of the job that was proposed to start, to be stopped or given up, or a reservation. */
  record OpenProposal(ProposalKind kind, long jobNumber, long dueNanos) {}

  private final long lifeNanos;
  private final Map<CommandId, OpenProposal> open = new LinkedHashMap<>();
  private int records;

  InFlight(long lifeNanos) {
    this.lifeNanos = lifeNanos;
  }

  int records() {
    return records;
  }

  void add(CommandId id, ProposalKind kind, long jobNumber, long nowNanos) {
    open.put(id, new OpenProposal(kind, jobNumber, nowNanos + lifeNanos));
    if (kind == ProposalKind.RECORD) {
      records++;
    }
  }

  void addRecord(CommandId id, long nowNanos) {
    add(id, ProposalKind.RECORD, NO_JOB, nowNanos);
  }

  boolean isStart(CommandId id) {
    OpenProposal it = open.get(id);
    return it != null && it.kind == ProposalKind.START;
  }

  /** Removes and returns the entry of a command id; null when it is not in flight. */
  OpenProposal remove(CommandId id) {
    OpenProposal removed = open.remove(id);
    if (removed != null && removed.kind == ProposalKind.RECORD) {
      records--;
    }
    return removed;
  }

  /**
   * A fact has come that a proposal led to. When a run began for another one, which was given up,
   * the start that has been proposed since is of no use.
   */
  void confirmed(SpecificRecord fact) {
    boolean known = remove(Envelope.ofFact(fact).getCause()) != null;
    String began =
        fact instanceof RunGranted run
            ? run.getJobId()
            : fact instanceof RunResumed resumed ? resumed.getJobId() : null;
    if (!known && began != null) {
      long number = JobNumbers.of(began);
      takeStarts(it -> it == number);
    }
  }

  /** Removes the starts of some jobs, which it returns. */
  List<Long> takeStarts(LongPredicate some) {
    List<Long> taken = new ArrayList<>();
    open.values()
        .removeIf(
            it ->
                it.kind == ProposalKind.START
                    && some.test(it.jobNumber)
                    && taken.add(it.jobNumber));
    return taken;
  }

  /** Removes and returns the proposals that have expired; expired records are forgotten. */
  List<OpenProposal> expire(long nowNanos) {
    List<OpenProposal> expired = new ArrayList<>();
    Iterator<OpenProposal> oldest = open.values().iterator();
    while (oldest.hasNext()) {
      OpenProposal it = oldest.next();
      if (it.dueNanos - nowNanos > 0) {
        break;
      }
      oldest.remove();
      if (it.kind == ProposalKind.RECORD) {
        records--;
      } else {
        expired.add(it);
      }
    }
    return expired;
  }

  /** Nanoseconds until the oldest expires; {@code otherwise} when nothing is in flight. */
  long nanosToExpiry(long nowNanos, long otherwise) {
    Iterator<OpenProposal> oldest = open.values().iterator();
    return oldest.hasNext() ? oldest.next().dueNanos - nowNanos : otherwise;
  }
}
