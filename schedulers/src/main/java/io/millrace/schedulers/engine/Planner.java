package io.millrace.schedulers.engine;

import io.millrace.schedulers.core.cycle.CycleDecisions;
import io.millrace.schedulers.core.state.job.ReasonBook;
import io.millrace.schemas.command.PreemptJob;
import io.millrace.schemas.command.RejectJob;
import io.millrace.schemas.command.ResumeRun;
import io.millrace.schemas.command.RunJob;
import io.millrace.schemas.common.CommandId;
import io.millrace.schemas.pbs.PbsError;
import java.time.Instant;
import java.util.List;
import org.apache.avro.specific.SpecificRecord;

/** Decides for a scheduler object while its policy is in use. Used by the engine's thread. */
interface Planner {

  /** Follows one fact; the scheduler's state has followed it already. */
  void heard(SpecificRecord fact, long nowMs);

  /** Whether a cycle now would consider anything. */
  boolean due(long nowMs);

  /** Time at which a cycle is due even without another fact; {@code Long.MAX_VALUE} for never. */
  long dueMs();

  /**
   * Runs one cycle. The starts that it proposes count as allocated from now on.
   *
   * @param units work that it may do, where its decisions can be cut short
   */
  CyclePlan cycle(Proposals proposals, Instant now, long units);

  /**
   * Proposals of a cycle, the jobs to be rejected because they could not start at once, what it
   * looked at, and the work used.
   */
  record CyclePlan(
      List<Proposed> starts,
      List<Stopping> stops,
      List<Proposed> givenUp,
      Seen seen,
      CycleDecisions.CycleWork work) {}

  /**
   * What a cycle looked at.
   *
   * @param jobs that started or wait on; a class that was tried stands for all its jobs
   * @param classes of requests that were tried and of which jobs wait on; 0 where the policy goes
   *     by jobs
   * @param promises that were made or moved
   */
  record Seen(int jobs, int classes, int promises) {}

  /** A proposal, and the number of its job. */
  record Proposed(long number, CommandId id, SpecificRecord command) {

    static Proposed of(long number, RunJob run) {
      return new Proposed(number, run.getMeta().getId(), run);
    }

    static Proposed of(long number, ResumeRun resumption) {
      return new Proposed(number, resumption.getMeta().getId(), resumption);
    }

    static Proposed of(long number, RejectJob rejection) {
      return new Proposed(number, rejection.getMeta().getId(), rejection);
    }
  }

  /** A proposal to stop a job, and its number. */
  record Stopping(long number, PreemptJob command) {}

  /** Code for a start to which the shard has not answered in time. */
  int UNHEARD = 0;

  /** Code for a start that needs more of a resource of the server than the shard has leased. */
  int NO_LEASE = PbsError.INSUFFICIENT.code();

  /**
   * The shard refused a proposal that has been withdrawn.
   *
   * @param code code of the shard's answer; {@link #UNHEARD} when there was none
   */
  void refused(long number, int code, long nowMs);

  /** Called as time passes: ends pauses that are over. */
  void timers(long nowNanos);

  /**
   * Nanoseconds until {@link #timers} has something to do; {@code otherwise} when it has nothing.
   */
  long nanosToTimer(long nowNanos, long otherwise);

  boolean hasReasons();

  /** Takes at most {@code max} changed reasons and marks them as reported. */
  ReasonBook.ReasonChanges takeReasons(int max);

  /** Seconds for which a cycle after submissions alone may wait for more submissions. */
  long accumulationS();
}
