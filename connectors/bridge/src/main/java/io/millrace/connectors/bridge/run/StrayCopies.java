package io.millrace.connectors.bridge.run;

import io.millrace.connectors.bridge.system.OutsideAction;
import io.millrace.connectors.bridge.system.OutsideId;
import io.millrace.connectors.bridge.system.OutsideJob;
import io.millrace.connectors.bridge.system.OutsideState;
import io.millrace.connectors.bridge.system.OutsideTag;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Jobs that are further copies of runs, as of a command that came through long after it was taken
 * for lost. Their claim is another's, so that none of them can begin a script; they are deleted, as
 * they would wait for their turn for nothing. A task of an array is left to find that out itself.
 */
final class StrayCopies {
  private static final Logger log = LoggerFactory.getLogger(StrayCopies.class);

  private static final Set<OutsideState> WAITING = Set.of(OutsideState.WAITING, OutsideState.HELD);

  private final BridgeParts parts;
  private final Duration again;

  /** When one was deleted last. */
  private final Map<OutsideId, Instant> deleted = new HashMap<>();

  /** Copies of which the last look found that their claim was taken, and not by whom. */
  private Set<OutsideId> taken = Set.of();

  /**
   * @param again after which time one that is still there is deleted again
   */
  StrayCopies(BridgeParts parts, Duration again) {
    this.parts = parts;
    this.again = again;
  }

  /** Whether some were there at the last look. */
  boolean areThere() {
    return !deleted.isEmpty() || !taken.isEmpty();
  }

  /** Looks for them among all jobs of the queue. */
  void look(List<OutsideJob> jobs) throws IOException, InterruptedException {
    Instant now = parts.clock().instant();
    Set<OutsideId> there = new HashSet<>();
    Set<OutsideId> found = new HashSet<>();
    for (OutsideJob job : jobs) {
      if (!isCopy(job)) {
        continue;
      }
      OutsideTag tag = job.tag().orElseThrow();
      Optional<OutsideId> begun = parts.folders().begunAs(tag, job.account());
      if (begun.equals(Optional.of(job.id()))) {
        adopt(tag, job, now);
        continue;
      }
      boolean waits = WAITING.contains(job.state());
      // One that waited after the claim was seen is not the one that has taken it.
      boolean stray = begun.isPresent() || waits && taken.contains(job.id());
      if (stray) {
        there.add(job.id());
        delete(job, tag, now);
      } else if (waits && parts.folders().isTaken(tag, job.account())) {
        found.add(job.id());
      }
    }
    deleted.keySet().retainAll(there);
    taken = found;
    taken.addAll(there);
  }

  /** Whether it has the mark of a run that is another job, or over; that may be known no more. */
  private boolean isCopy(OutsideJob job) {
    if (job.tag().isEmpty()
        || job.state() == OutsideState.ENDED
        || job.state() == OutsideState.ENDING
        || job.id().task() != 0
        || !job.tasks().isEmpty()) {
      return false;
    }
    Optional<OutsideRun> run = parts.journal().run(job.tag().get());
    return run.isEmpty()
        || run.get().account().equals(job.account())
            && !run.get().id().equals(Optional.of(job.id()))
            && run.get().state() != OutsideRunState.ABOUT_TO_SUBMIT;
  }

  /** The copy that has begun is the run, and the job that was taken for it is a copy. */
  private void adopt(OutsideTag tag, OutsideJob job, Instant now) throws IOException {
    Optional<OutsideRun> run = parts.journal().run(tag).filter(it -> it.state().isOutside());
    if (run.isPresent()) {
      parts.journal().put(run.get().submittedAs(job.id(), now));
    }
  }

  private void delete(OutsideJob job, OutsideTag tag, Instant now) throws InterruptedException {
    Instant last = deleted.get(job.id());
    if (last == null) {
      log.warn("job {} is a further copy of {}, and is deleted", job.id(), tag);
    }
    if (last == null || !now.isBefore(last.plus(again))) {
      deleted.put(job.id(), now);
      parts.system().control(job.id(), job.account(), OutsideAction.DELETE);
    }
  }
}
