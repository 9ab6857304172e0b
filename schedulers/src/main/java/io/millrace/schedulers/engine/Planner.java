package io.millrace.schedulers.engine;

import io.millrace.schedulers.core.cycle.CycleDecisions;
import io.millrace.schedulers.core.state.job.ReasonBook;
import io.millrace.schemas.command.PreemptJob;
import io.millrace.schemas.command.RejectJob;
import io.millrace.schemas.command.ResumeRun;
import io.millrace.schemas.command.RunJob;
import io.millrace.schemas.common.CommandId;
import java.time.Instant;
import java.util.List;
import org.apache.avro.specific.SpecificRecord;

/** What decides for a scheduler object while its policy holds. Used by the engine's thread. */
interface Planner {

  /** Follows one fact. The state behind has followed it already. */
  void heard(SpecificRecord fact, long nowMs);

  /** Whether a cycle now would consider anything. */
  boolean due(long nowMs);

  /** When a cycle is due without another fact; {@code Long.MAX_VALUE} for never. */
  long dueMs();

  /**
   * One cycle. What it starts holds its resources from now on.
   *
   * @param units work that it may do, where its decisions can be cut short
   */
  Plan cycle(Proposals proposals, Instant now, long units);

  /** Proposals of a cycle, the jobs among them that are to go unstarted, and what it cost. */
  record Plan(
      List<Proposed> starts,
      List<Stopping> stops,
      List<Proposed> givenUp,
      CycleDecisions.Work work) {}

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

  /** Code of a start of which the shard has said nothing for long. */
  int UNHEARD = 0;

  /**
   * The shard refused a proposal that has been withdrawn.
   *
   * @param code what it answered; {@link #UNHEARD} when it did not
   */
  void refused(long number, int code, long nowMs);

  /** Time has passed: pauses may be over. */
  void timers(long nowNanos);

  /** Nanoseconds until {@link #timers} has something to do; {@code otherwise} when it has not. */
  long nanosToTimer(long nowNanos, long otherwise);

  boolean hasReasons();

  /** Takes at most so many changed reasons, and counts them as told. */
  ReasonBook.Changes takeReasons(int max);

  /** Seconds for which submissions alone may wait for others to join them. */
  long accumulationS();
}
