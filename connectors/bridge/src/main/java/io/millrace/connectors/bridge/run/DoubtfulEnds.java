package io.millrace.connectors.bridge.run;

import io.millrace.connectors.bridge.system.OutsideCause;
import io.millrace.connectors.bridge.system.OutsideEnd;
import io.millrace.connectors.bridge.system.RunWrapper;
import io.millrace.connectors.bridge.system.Told;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Ends that are told of runs of which it is not known whether their script has begun. */
final class DoubtfulEnds {
  private static final Logger log = LoggerFactory.getLogger(DoubtfulEnds.class);

  /** For how many delays of accounting a leap of the clock counts. */
  private static final int DELAYS_PAUSE = 10;

  /**
   * For how many delays of accounting an end that is told waits for its claim: where its account is
   * gone the claim can never be taken, and no script begins either.
   */
  private static final int DELAYS_IN_DOUBT = 120;

  /** Why the outside system sends signals. */
  private static final Set<OutsideCause> WHY =
      Set.of(OutsideCause.TIME_LIMIT, OutsideCause.MEMORY, OutsideCause.CANCELLED);

  /** A script can have ended by itself before the outside system lost its job. */
  static final Set<OutsideCause> LOST = Set.of(OutsideCause.NODE_LOST, OutsideCause.UNKNOWN);

  /** Statuses of wrappers that have begun nothing, which scripts can have too. */
  private static final Set<Integer> OF_WRAPPERS =
      Set.of(RunWrapper.EMPTY, RunWrapper.NO_FOLDER, RunWrapper.CUT_OFF);

  private final BridgeParts parts;

  DoubtfulEnds(BridgeParts parts) {
    this.parts = parts;
  }

  /**
   * Whether a run that has left no claim and ended so may yet begin: by another copy of it, or
   * itself, when its master forgets that it was deleted.
   */
  static boolean mayBegin(OutsideEnd how) {
    return how.cause() != OutsideCause.EXITED || OF_WRAPPERS.contains(how.status());
  }

  /**
   * The end of a run that has left no claim: where the claim can be taken the script has not begun,
   * and no copy of it will. A status that its wrapper can have is the script's where it cannot, and
   * two looks have found nobody who says that it is his.
   *
   * @return empty while that cannot be told, as when its spool is full, or a copy may have taken
   *     the claim a moment ago; not for ever, but of what is run again when it ends
   */
  Optional<OutsideEnd> ofUnbegun(OutsideRun run, OutsideEnd how, Instant now)
      throws IOException, InterruptedException {
    RunDoubt doubt = run.doubt().orElse(null);
    Duration delay = parts.terms().accountingDelay();
    if (doubt != null && doubt.isFresh(now, delay)) {
      return Optional.empty();
    }
    Told<RunFolders.RunClaim> told = parts.folders().close(run.tag(), run.account());
    boolean taken = false;
    if (told instanceof Told.Answered<RunFolders.RunClaim> claim) {
      if (claim.value() == RunFolders.RunClaim.CLOSED) {
        return Optional.of(closed(how));
      }
      taken = true;
    }
    if (taken && doubt != null && doubt.taken()) {
      return Optional.of(how);
    }
    String why = told instanceof Told.Nothing<RunFolders.RunClaim> nothing ? nothing.why() : "";
    if (doubt == null) {
      if (!why.isEmpty()) {
        log.warn("{}: whether its script has begun cannot be told: {}", run.tag(), why);
      }
      parts.journal().put(run.recorded(how).doubted(RunDoubt.of(now, taken)));
      return Optional.empty();
    }
    boolean gone = parts.folders().isAccountGone(run.account());
    RunDoubt looked = doubt.lookedAt(now, delay.multipliedBy(DELAYS_PAUSE), gone, taken);
    parts.journal().put(run.doubted(looked));
    // What is lost is run again, and what is wrong with a spool or a right is mended some day: a
    // copy could begin then.
    boolean patient = LOST.contains(how.cause()) && !run.delete();
    Duration hopeless = run.delete() ? looked.waited() : looked.gone();
    if (patient || hopeless.compareTo(delay.multipliedBy(DELAYS_IN_DOUBT)) < 0) {
      return Optional.empty();
    }
    log.warn(
        "{}: it ends as it was told there, and whether its script has begun was not told since {}:"
            + " {}; see that no copy of it is left there",
        run.tag(),
        doubt.first(),
        why);
    return Optional.of(how);
  }

  /** The end of a run of which no copy can begin any more. */
  private static OutsideEnd closed(OutsideEnd how) {
    return how.cause() != OutsideCause.EXITED
        ? how
        : OutsideEnd.of(
            OutsideCause.WRAPPER_FAILED,
            "its script was not begun, for want of room in its spool or because it did not arrive"
                + " whole: "
                + how.words());
  }

  /**
   * The end of a run whose files cannot be read: nothing follows from what is told of it, but that
   * one which is to be deleted is not run again, and ends so after a long time.
   */
  Optional<OutsideEnd> ofUnread(OutsideRun run, OutsideEnd how, Instant now) throws IOException {
    return ofDeleted(run, how, true, now);
  }

  /**
   * The end of a run that has begun, is not known outside and has left no record, where there need
   * not be one: as for {@link #ofUnread}, only one that is to be deleted ends some day.
   */
  Optional<OutsideEnd> ofUntold(OutsideRun run, OutsideEnd how, Instant now) throws IOException {
    return ofDeleted(run, how, false, now);
  }

  private Optional<OutsideEnd> ofDeleted(
      OutsideRun run, OutsideEnd how, boolean isTold, Instant now) throws IOException {
    Duration delay = parts.terms().accountingDelay();
    RunDoubt doubt = run.doubt().orElse(null);
    if (!run.delete() || doubt != null && doubt.isFresh(now, delay)) {
      return Optional.empty();
    }
    RunDoubt looked =
        doubt == null
            ? RunDoubt.of(now, false)
            : doubt.lookedAt(now, delay.multipliedBy(DELAYS_PAUSE), false, false);
    // A record of it would be taken for one of the cluster, where its files can be read.
    parts.journal().put((isTold ? run.recorded(how) : run).doubted(looked));
    if (looked.waited().compareTo(delay.multipliedBy(DELAYS_IN_DOUBT)) < 0) {
      return Optional.empty();
    }
    log.warn(
        "{}: it was to be deleted and ends so: {} since {}; see that no copy of it is left there",
        run.tag(),
        isTold ? "its files could not be read" : "nothing was told of it, nor is in its files,",
        looked.first());
    return Optional.of(how);
  }

  /** A copy found the claim taken by one that has not written yet which job it is. */
  boolean isClaimComing(OutsideRun run, OutsideEnd said) {
    return isSecondCopy(said)
        && parts.folders().exit(run.tag(), run.account()).isEmpty()
        && parts.folders().begunAs(run.tag(), run.account()).isEmpty();
  }

  private static boolean isSecondCopy(OutsideEnd said) {
    return said.cause() == OutsideCause.EXITED && said.status() == RunWrapper.SECOND_COPY;
  }

  /**
   * How a run that no queue shows has ended; empty where nobody has said that. The wrapper knows
   * best how its script has ended, and the record what that has used. Of a script that a signal
   * ended the wrapper does not know why; the record may.
   */
  Optional<OutsideEnd> known(OutsideRun run) {
    Optional<OutsideEnd> exit = parts.folders().exit(run.tag(), run.account());
    if (exit.filter(it -> it.cause() == OutsideCause.SIGNALLED).isPresent()
        && run.end().filter(it -> WHY.contains(it.cause())).isPresent()) {
      return run.end();
    }
    return exit.map(it -> run.end().flatMap(OutsideEnd::usage).map(it::withUsage).orElse(it))
        .or(() -> run.end().map(it -> ofScript(run, it)));
  }

  /**
   * An end by itself, as the wrapper knows it: it had to give the outside system another status
   * where that takes some for orders, and knows an end by a signal. A job that was lost there,
   * perhaps only in the books of its master, may have done all of its work before; so may one that
   * was cancelled, as by a master that has found it again and begun it once more.
   */
  OutsideEnd ofScript(OutsideRun run, OutsideEnd said) {
    boolean cancelled = said.cause() == OutsideCause.CANCELLED;
    if (said.cause() != OutsideCause.EXITED && !LOST.contains(said.cause()) && !cancelled) {
      return said;
    }
    Optional<OutsideEnd> exit =
        parts
            .folders()
            .exit(run.tag(), run.account())
            .filter(it -> !cancelled || it.cause() == OutsideCause.EXITED);
    if (exit.isEmpty() && isSecondCopy(said)) {
      return OutsideEnd.of(
          OutsideCause.UNKNOWN, "its script was broken off, and the job was begun again there");
    }
    OutsideEnd end = exit.orElse(said);
    return said.usage().map(end::withUsage).orElse(end);
  }
}
