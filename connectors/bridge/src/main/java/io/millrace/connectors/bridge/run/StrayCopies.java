package io.millrace.connectors.bridge.run;

import io.millrace.connectors.bridge.command.AccountCommands;
import io.millrace.connectors.bridge.system.Controlled;
import io.millrace.connectors.bridge.system.OutsideAction;
import io.millrace.connectors.bridge.system.OutsideId;
import io.millrace.connectors.bridge.system.OutsideJob;
import io.millrace.connectors.bridge.system.OutsideState;
import io.millrace.connectors.bridge.system.OutsideTag;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
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

  /** Most whose claims are looked for at one look. */
  static final int LOOKS_AT_ONCE = 100;

  private final BridgeParts parts;
  private final RunEvidence evidence;
  private final Duration again;
  private final UnreadRuns unread;

  /** When one was deleted last. */
  private final Map<OutsideId, Instant> deleted = new HashMap<>();

  /** Those that are known, as the queue showed them when they were looked at. */
  private final Map<OutsideId, OutsideJob> strays = new LinkedHashMap<>();

  /** Copies of which the last look found that their claim was taken, and not by whom. */
  private final Set<OutsideId> taken = new HashSet<>();

  /** The last that was looked at where there are more than can be at once. */
  private OutsideId last = OutsideId.of(0);

  /** Whether there is more to delete, or to look at, than was in one go. */
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

  /** Looks for them among all jobs of the queue, at some of them each time. */
  void look(List<OutsideJob> jobs) throws IOException, InterruptedException {
    Instant now = parts.clock().instant();
    TreeMap<OutsideId, OutsideJob> copies = new TreeMap<>();
    Set<OutsideTag> copied = new HashSet<>();
    for (OutsideJob job : jobs) {
      if (isCopy(job)) {
        copies.put(job.id(), job);
        copied.add(job.tag().orElseThrow());
      }
    }
    strays.keySet().retainAll(copies.keySet());
    taken.retainAll(copies.keySet());
    for (OutsideJob job : turn(copies)) {
      strays.remove(job.id());
      boolean wasTaken = taken.remove(job.id());
      // Of one whose claim cannot be read nobody knows whether it may go.
      OutsideTag tag = job.tag().orElseThrow();
      unread.passes(tag, () -> look(tag, job, wasTaken));
    }
    unread.keep(copied);
    deleted.keySet().retainAll(strays.keySet());
    left = delete(now) || copies.size() > LOOKS_AT_ONCE;
  }

  /** Those whose turn it is, behind the last one. */
  private List<OutsideJob> turn(TreeMap<OutsideId, OutsideJob> copies) {
    List<OutsideJob> all = new ArrayList<>(copies.values());
    if (all.size() > LOOKS_AT_ONCE) {
      Collections.rotate(all, -copies.headMap(last, true).size());
      all.subList(LOOKS_AT_ONCE, all.size()).clear();
      last = all.get(all.size() - 1).id();
    }
    return all;
  }

  /** Finds out what a copy is. */
  private void look(OutsideTag tag, OutsideJob job, boolean wasTaken) throws IOException {
    Optional<OutsideId> begun = parts.folders().begunAs(tag, job.account());
    if (begun.equals(Optional.of(job.id()))) {
      adopt(tag, job);
    } else if (begun.isPresent()) {
      strays.put(job.id(), job);
    } else if (job.state().isYetToBegin() && parts.folders().isTaken(tag, job.account())) {
      taken.add(job.id());
      // One that waited after the claim was seen is not the one that has taken it.
      if (wasTaken) {
        strays.put(job.id(), job);
      }
    }
  }

  /** Whether it has the mark of a run that is another job, or over; that may be known no more. */
  private boolean isCopy(OutsideJob job) {
    if (!parts.scope().has(job)
        || job.state() == OutsideState.ENDED
        || job.state() == OutsideState.ENDING
        || job.id().task() != 0
        || !job.tasks().isEmpty()) {
      return false;
    }
    Optional<OutsideRun> run = parts.journal().run(job.tag().get());
    return run.isEmpty()
        // Nothing was ever submitted for others, and no command can be given in their names.
        ? AccountCommands.PLAIN_ACCOUNT.matcher(job.account()).matches()
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
   * Deletes those whose time it is, as many as can be in one go, of each account in turn.
   *
   * @return whether some were left for the next look
   */
  private boolean delete(Instant now) throws InterruptedException {
    Map<String, Deque<OutsideJob>> due = new LinkedHashMap<>();
    for (OutsideJob job : strays.values()) {
      Instant before = deleted.get(job.id());
      if (before == null || now.isBefore(before) || !now.isBefore(before.plus(again))) {
        due.computeIfAbsent(job.account(), it -> new ArrayDeque<>()).add(job);
      }
    }
    Deque<Deque<OutsideJob>> turns = new ArrayDeque<>(due.values());
    for (int orders = 0; orders < AT_ONCE && !turns.isEmpty(); orders++) {
      Deque<OutsideJob> account = turns.remove();
      if (delete(account.remove(), now) instanceof Controlled.ControlUnclear) {
        return true;
      }
      if (!account.isEmpty()) {
        turns.add(account);
      }
    }
    return !turns.isEmpty();
  }

  private Controlled delete(OutsideJob job, Instant now) throws InterruptedException {
    boolean first = deleted.put(job.id(), now) == null;
    Controlled said = parts.system().control(job.id(), job.account(), OutsideAction.DELETE);
    if (first) {
      log.warn(
          "job {} is a further copy of {}, and is deleted: {}",
          job.id(),
          job.tag().orElseThrow(),
          said);
    }
    return said;
  }
}
