package io.millrace.connectors.bridge.run;

import io.millrace.connectors.bridge.system.Controlled;
import io.millrace.connectors.bridge.system.OutsideAction;
import io.millrace.connectors.bridge.system.OutsideId;
import io.millrace.connectors.bridge.system.OutsideJob;
import io.millrace.connectors.bridge.system.OutsideSubmission;
import io.millrace.connectors.bridge.system.OutsideTag;
import io.millrace.connectors.bridge.system.Told;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The runs of one outside cluster. One thread calls it; {@link #step} does what is due and returns.
 * All that must outlive the process is in the journal before it counts.
 */
public final class OutsideBridge {

  /** After which time an order to delete is given again to a job that is still there. */
  private static final Duration DELETE_AGAIN = Duration.ofSeconds(10);

  private final BridgeParts parts;
  private final CircuitBreaker breaker = new CircuitBreaker();
  private final QueryPace pace;
  private final AccountingReader accounting;
  private final RunSubmitter submitter;
  private final RunEvidence evidence;
  private final Map<OutsideTag, Instant> deleted = new HashMap<>();
  private Instant seen = Instant.MIN;

  public OutsideBridge(BridgeParts parts) {
    this.parts = parts;
    this.pace = new QueryPace(parts.terms().queryLeast(), parts.terms().queryMost());
    this.accounting = new AccountingReader(parts);
    this.submitter = new RunSubmitter(parts, breaker, accounting);
    this.evidence = new RunEvidence(parts, accounting, pace);
  }

  /**
   * Takes an order. The same order a second time changes nothing.
   *
   * @return false when there are as many runs as there may be
   */
  public boolean order(OutsideSubmission submission) throws IOException {
    if (parts.journal().run(submission.tag()).isPresent()) {
      return true;
    }
    if (parts.journal().size() >= parts.terms().runsMost()) {
      return false;
    }
    parts.journal().put(OutsideRun.ordered(submission, parts.clock().instant()));
    parts.journal().sync();
    return true;
  }

  /** Has a run deleted, wherever it is; the order is repeated until the run has ended. */
  public void delete(OutsideTag tag) throws IOException {
    Optional<OutsideRun> run = parts.journal().run(tag);
    if (run.isPresent() && !run.get().delete() && run.get().state() != OutsideRunState.ENDED) {
      parts.journal().put(run.get().toDelete());
      parts.journal().sync();
    }
  }

  /** Passes an order about a run on, and says what the outside system said. */
  public Controlled control(OutsideTag tag, OutsideAction action) throws InterruptedException {
    Optional<OutsideId> id =
        parts.journal().run(tag).filter(it -> it.state().isOutside()).flatMap(OutsideRun::id);
    if (id.isEmpty()) {
      return new Controlled.ControlUnclear("the run has no number outside");
    }
    String account = parts.journal().run(tag).orElseThrow().account();
    Controlled said = parts.system().control(id.get(), account, action);
    pace.hurry();
    return said;
  }

  /** The end of a run is known where it has to be. */
  public void forget(OutsideTag tag) throws IOException {
    if (parts.journal().run(tag).filter(it -> it.state() == OutsideRunState.ENDED).isPresent()) {
      parts.journal().forget(tag);
      evidence.forget(tag);
      deleted.remove(tag);
    }
  }

  public Collection<OutsideRun> runs() {
    return parts.journal().runs();
  }

  public Optional<OutsideRun> run(OutsideTag tag) {
    return parts.journal().run(tag);
  }

  /** When the last question for the queue began that was answered: what runs do is as of then. */
  public Instant seenAt() {
    return seen;
  }

  /** Since when the outside system is silent; empty when it speaks. */
  public Optional<Instant> silentSince() {
    return breaker.silentSince();
  }

  /**
   * Why it is silent, why accounting cannot be read, or in whose name nothing can be submitted;
   * empty when nothing is so.
   */
  public Optional<String> trouble() {
    return breaker
        .silentSince()
        .map(it -> breaker.reason())
        .or(accounting::trouble)
        .or(submitter::trouble);
  }

  /** Does what is due. */
  public void step() throws IOException, InterruptedException {
    accounting.read(evidence::take);
    submitter.lookDue();
    submitter.submitDue();
    lookAtQueue();
    deleteDue();
    if (breaker.isOpen()) {
      evidence.silent();
    }
    parts.journal().sync();
  }

  private void lookAtQueue() throws IOException, InterruptedException {
    Instant begun = parts.clock().instant();
    boolean wanted = breaker.isOpen() || !parts.journal().outside().isEmpty();
    if (!wanted || !breaker.lets(begun) || !pace.isDue(begun)) {
      return;
    }
    Told<List<OutsideJob>> told = parts.system().snapshot();
    Instant now = parts.clock().instant();
    pace.asked(begun, Duration.between(begun, now));
    if (told instanceof Told.Nothing<List<OutsideJob>> nothing) {
      breaker.silent(nothing.why(), now);
      // One that ran into its time limit is no load; the breaker sees to pauses.
      pace.hurry();
    } else if (told instanceof Told.Answered<List<OutsideJob>> answer) {
      breaker.answered();
      evidence.take(answer.value(), begun);
      seen = begun;
    }
  }

  private void deleteDue() throws InterruptedException {
    Instant now = parts.clock().instant();
    for (OutsideRun run : parts.journal().toDelete()) {
      Instant last = deleted.get(run.tag());
      if (run.state().isOutside()
          && !breaker.isOpen()
          && (last == null || !now.isBefore(last.plus(DELETE_AGAIN)))) {
        deleted.put(run.tag(), now);
        Controlled said =
            parts.system().control(run.id().orElseThrow(), run.account(), OutsideAction.DELETE);
        if (said instanceof Controlled.ControlUnclear unclear) {
          breaker.silent(unclear.why(), now);
        }
        pace.hurry();
      }
    }
  }
}
