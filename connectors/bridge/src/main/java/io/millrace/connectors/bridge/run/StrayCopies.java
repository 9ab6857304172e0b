package io.millrace.connectors.bridge.run;

import io.millrace.connectors.bridge.system.Controlled;
import io.millrace.connectors.bridge.system.OutsideAction;
import io.millrace.connectors.bridge.system.OutsideId;
import io.millrace.connectors.bridge.system.OutsideJob;
import io.millrace.connectors.bridge.system.OutsideState;
import io.millrace.connectors.bridge.system.OutsideTag;
import io.millrace.connectors.bridge.system.RunWrapper;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
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

  /** Most that are deleted at one look: anybody can give jobs of his own any marks. */
  static final int AT_ONCE = 20;

  private static final Set<OutsideState> WAITING = Set.of(OutsideState.WAITING, OutsideState.HELD);

  private final BridgeParts parts;
  private final RunEvidence evidence;
  private final Duration again;
  private final UnreadRuns unread;

  /** When one was deleted last. */
  private final Map<OutsideId, Instant> deleted = new HashMap<>();

  /** Copies of which the last look found that their claim was taken, and not by whom. */
  private Set<OutsideId> taken = Set.of();

  /** Whether more could be deleted than were in one go. */
  private boolean left;

  /**
   * @param again after which time one that is still there is deleted again
   */
  StrayCopies(BridgeParts parts, RunEvidence evidence, Duration again) {
    this.parts = parts;
    this.evidence = evidence;
    this.again = again;
    this.unread = new UnreadRuns(parts);
  }

  /** Whether some were there at the last look. */
  boolean areThere() {
    return left || !deleted.isEmpty() || !taken.isEmpty();
  }

  /** Looks for them among all jobs of the queue. */
  void look(List<OutsideJob> jobs) throws IOException, InterruptedException {
    Instant now = parts.clock().instant();
    Map<OutsideId, OutsideJob> strays = new LinkedHashMap<>();
    Set<OutsideId> found = new HashSet<>();
    Set<OutsideTag> copied = new HashSet<>();
    for (OutsideJob job : jobs) {
      if (isCopy(job)) {
        OutsideTag tag = job.tag().orElseThrow();
        copied.add(tag);
        // Of one whose claim cannot be read nobody knows whether it may go.
        unread.passes(tag, () -> look(tag, job, strays, found));
      }
    }
    unread.keep(copied);
    taken = found;
    deleted.keySet().retainAll(strays.keySet());
    left = delete(strays.values(), now);
  }

  /** Finds out what a copy is. */
  private void look(
      OutsideTag tag, OutsideJob job, Map<OutsideId, OutsideJob> strays, Set<OutsideId> found)
      throws IOException {
    Optional<OutsideId> begun = parts.folders().begunAs(tag, job.account());
    if (begun.equals(Optional.of(job.id()))) {
      adopt(tag, job);
    } else if (begun.isPresent()) {
      strays.put(job.id(), job);
    } else if (WAITING.contains(job.state()) && parts.folders().isTaken(tag, job.account())) {
      found.add(job.id());
      // One that waited after the claim was seen is not the one that has taken it.
      if (taken.contains(job.id())) {
        strays.put(job.id(), job);
      }
    }
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
        // Nothing was ever submitted for others, and no command can be given in their names.
        ? RunWrapper.PLAIN_ACCOUNT.matcher(job.account()).matches()
        : run.get().account().equals(job.account())
            && !run.get().id().equals(Optional.of(job.id()))
            && run.get().state() != OutsideRunState.ABOUT_TO_SUBMIT;
  }

  /** The copy that has begun is the run, and the job that was taken for it is a copy. */
  private void adopt(OutsideTag tag, OutsideJob job) throws IOException {
    Optional<OutsideRun> run = parts.journal().run(tag).filter(it -> it.state().isOutside());
    if (run.isPresent()) {
      evidence.becomes(run.get(), job.id());
    }
  }

  /**
   * Deletes those whose time it is, as many as can be in one go.
   *
   * @return whether some were left for the next look
   */
  private boolean delete(Collection<OutsideJob> strays, Instant now) throws InterruptedException {
    int orders = 0;
    for (OutsideJob job : strays) {
      Instant last = deleted.get(job.id());
      if (last != null && now.isBefore(last.plus(again))) {
        continue;
      }
      if (orders++ == AT_ONCE) {
        return true;
      }
      deleted.put(job.id(), now);
      Controlled said = parts.system().control(job.id(), job.account(), OutsideAction.DELETE);
      if (last == null) {
        log.warn(
            "job {} is a further copy of {}, and is deleted: {}",
            job.id(),
            job.tag().orElseThrow(),
            said);
      }
      if (said instanceof Controlled.ControlUnclear) {
        return true;
      }
    }
    return false;
  }
}
