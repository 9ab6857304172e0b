package io.millrace.connectors.bridge.run;

import io.millrace.connectors.bridge.question.QueryPace;
import io.millrace.connectors.bridge.question.QuestionTurns;
import io.millrace.connectors.bridge.system.Controlled;
import io.millrace.connectors.bridge.system.OutsideAction;
import io.millrace.connectors.bridge.system.OutsideId;
import io.millrace.connectors.bridge.system.OutsideJob;
import io.millrace.connectors.bridge.system.OutsideState;
import io.millrace.connectors.bridge.system.OutsideSubmission;
import io.millrace.connectors.bridge.system.OutsideTag;
import io.millrace.connectors.bridge.system.Told;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The runs of one outside cluster. One thread calls it but for {@link #order}; {@link #step} does
 * what is due and returns. All that must outlive the process is in the journal before it counts.
 */
public final class OutsideBridge {
  private static final Logger log = LoggerFactory.getLogger(OutsideBridge.class);

  /** After which time an order to delete is given again to a job that is still there. */
  private static final Duration DELETE_AGAIN = Duration.ofSeconds(10);

  /** Orders to delete of one step: each is a command, for which submissions wait. */
  private static final int DELETED_AT_ONCE = 20;

  /** So often is the queue not told, and its runs are not heard of. */
  private static final int UNANSWERED = 3;

  /** How often the queue is asked for what others hold while no run is there. */
  private static final Duration OTHERS = Duration.ofSeconds(15);

  private final BridgeParts parts;
  private final CircuitBreaker breaker;
  private final QueryPace pace;
  private final QuestionTurns turns;
  private final AccountingReader accounting;
  private final RunSubmitter submitter;
  private final RunEvidence evidence;
  private final StrayCopies strays;
  private final ReleasedFolders released;
  private final OtherJobs others;
  private final Map<OutsideTag, GivenDeletion> deleted = new HashMap<>();
  private Instant seen = Instant.MIN;
  private QueueReader reader = (jobs, asked) -> {};

  /** Runs that wait outside and are held there, as of {@link #seen}. */
  private Set<OutsideTag> held = Set.of();

  /** Whether the queue's own answer says which runs were submitted whose answers were unclear. */
  private final boolean tagsAreShown;

  private boolean leftAlone;

  /** Questions for the queue in a row without an answer, and why; others may be answered. */
  private int unanswered;

  private String untold = "";

  /** Whether nobody knows which runs wait outside, as after a silence: no more are submitted. */
  private boolean unseen;

  public OutsideBridge(BridgeParts parts) {
    this(parts, new CircuitBreaker());
  }

  /**
   * @param breaker of all who ask the outside system anything
   */
  public OutsideBridge(BridgeParts parts, CircuitBreaker breaker) {
    this(parts, breaker, new QuestionTurns(parts.terms().queryLeast()));
  }

  /**
   * @param breaker of all who ask the outside system anything
   * @param turns of all who ask for the whole of something
   */
  public OutsideBridge(BridgeParts parts, CircuitBreaker breaker, QuestionTurns turns) {
    this.parts = parts;
    this.turns = turns;
    this.breaker = breaker;
    this.pace = new QueryPace(parts.terms().queryLeast(), parts.terms().queryMost());
    this.accounting = new AccountingReader(parts);
    this.submitter = new RunSubmitter(parts, breaker, accounting, turns);
    this.evidence = new RunEvidence(parts, accounting, pace, submitter.unread());
    submitter.countsToo(evidence::mayWait);
    this.strays = new StrayCopies(parts, evidence, DELETE_AGAIN);
    this.released = new ReleasedFolders(parts, breaker);
    this.others = new OtherJobs(parts.journal());
    this.tagsAreShown = parts.system().snapshotHasTags();
    this.unseen = parts.journal().count(OutsideRunState.NOT_HEARD_OF) > 0;
  }

  /**
   * Takes an order; any thread may call it. The same order a second time changes nothing.
   *
   * @return false when there are as many runs as there may be
   */
  public boolean order(OutsideSubmission submission) throws IOException {
    OutsideRun run = OutsideRun.ordered(submission, parts.clock().instant());
    return parts.journal().order(run, parts.terms().runsMost());
  }

  /**
   * @param then called by some thread when an answer to a submission has come for a step to take
   */
  public void onAnswer(Runnable then) {
    submitter.onAnswer(then);
  }

  /** Takes the answers of submissions that are under way, which takes as long as their commands. */
  public void awaitSubmissions() throws IOException, InterruptedException {
    submitter.awaitAnswers();
    parts.journal().sync();
  }

  /** The last order to delete a job. */
  private record GivenDeletion(Instant at, Controlled said) {}

  /** Keeps a run from being submitted, or does not any more; it may be outside already. */
  public void keepBack(OutsideTag tag, boolean kept) {
    submitter.keepBack(tag, kept);
  }

  /**
   * Runs are kept back, until it is said of each whether it is: those that are not submitted yet,
   * and those of which it shows later only that they are not.
   */
  public void keepAllBack() {
    parts.journal().runs().stream()
        .filter(it -> it.state() != OutsideRunState.ENDED)
        .forEach(it -> keepBack(it.tag(), true));
  }

  /** Has a run deleted, wherever it is; the order is repeated until the run has ended. */
  public void delete(OutsideTag tag) throws IOException {
    Optional<OutsideRun> run = parts.journal().run(tag);
    if (run.isPresent() && run.get().state() != OutsideRunState.ENDED) {
      if (!run.get().delete()) {
        parts.journal().put(run.get().toDelete());
      }
      parts.journal().sync();
    }
  }

  /** Passes an order about a run on, and says what the outside system said. */
  public Controlled control(OutsideTag tag, OutsideAction action) throws InterruptedException {
    return order(tag, (id, account) -> parts.system().control(id, account, action));
  }

  /** Sends a signal to a run, once. */
  public Controlled signal(OutsideTag tag, int signal) throws InterruptedException {
    return order(tag, (id, account) -> parts.system().signal(id, account, signal));
  }

  /** Gives a run that is outside another walltime, in seconds from its begin. */
  public Controlled limit(OutsideTag tag, long wallSeconds) throws InterruptedException {
    Optional<OutsideRun> run = parts.journal().run(tag);
    boolean begun = run.filter(it -> !it.state().isWaitingOutside()).isPresent();
    return order(
        tag,
        (id, account) -> parts.system().limit(id, run.orElseThrow().order(), wallSeconds, begun));
  }

  private interface OutsideOrder {
    Controlled give(OutsideId id, String account) throws InterruptedException;
  }

  private Controlled order(OutsideTag tag, OutsideOrder order) throws InterruptedException {
    Optional<OutsideRun> run =
        parts
            .journal()
            .run(tag)
            .filter(it -> it.state().isOutside())
            .filter(it -> it.id().isPresent());
    if (run.isEmpty()) {
      return new Controlled.ControlUnclear("the run has no number outside");
    }
    if (isNumberInDoubt(run.get())) {
      return new Controlled.ControlUnclear("nobody knows whether its number is another job's");
    }
    Controlled said = order.give(run.get().id().orElseThrow(), run.get().account());
    pace.hurry();
    return said;
  }

  /** The end of a run is known where it has to be. */
  public void forget(OutsideTag tag) throws IOException {
    Optional<OutsideRun> run =
        parts.journal().run(tag).filter(it -> it.state() == OutsideRunState.ENDED);
    if (run.isPresent()) {
      released.add(run.get());
      parts.journal().forget(tag);
      released.isNoted(tag);
      evidence.forget(tag);
      deleted.remove(tag);
      submitter.keepBack(tag, false);
    }
  }

  public Collection<OutsideRun> runs() {
    return parts.journal().runs();
  }

  public Optional<OutsideRun> run(OutsideTag tag) {
    return parts.journal().run(tag);
  }

  /** Whether a run waits outside and is held there, as of {@link #seenAt}. */
  public boolean isHeld(OutsideTag tag) {
    return held.contains(tag);
  }

  /** What was said to the last order to delete a run's job; empty while there was none. */
  public Optional<Controlled> deletion(OutsideTag tag) {
    return Optional.ofNullable(deleted.get(tag)).map(GivenDeletion::said);
  }

  /** When the last question for the queue began that was answered: what runs do is as of then. */
  public Instant seenAt() {
    return seen;
  }

  /** Who wants to read the whole queue when it is asked for anyhow. */
  public interface QueueReader {
    /**
     * @param asked when the question for it began
     */
    void read(List<OutsideJob> jobs, Instant asked);
  }

  /** From now on each answer of the queue is handed on, once: it is large, and not kept here. */
  public void hands(QueueReader to) {
    reader = to;
  }

  /**
   * What jobs hold which are no runs of ours, by host without its domain and by the resource's name
   * here, as of {@link #seenAt}.
   */
  public Map<String, Map<String, Long>> heldByOthers() {
    return others.held();
  }

  /** Why nothing was answered for some questions in a row; empty when something was. */
  public Optional<String> silence() {
    return breaker.isOpen() ? Optional.of(breaker.reason()) : Optional.empty();
  }

  /** Why the queue was not told for some questions in a row, though others may be answered. */
  public Optional<String> untold() {
    return unanswered >= UNANSWERED ? Optional.of(untold) : Optional.empty();
  }

  /** Since when the outside system is silent; empty when it speaks. */
  public Optional<Instant> silentSince() {
    return breaker.silentSince();
  }

  /**
   * Why it is silent, why its queue or accounting cannot be read, or in whose name nothing can be
   * submitted; empty when nothing is so.
   */
  public Optional<String> trouble() {
    return breaker
        .silentSince()
        .map(it -> breaker.reason())
        .or(() -> Optional.of(untold).filter(it -> !it.isEmpty()))
        .or(accounting::trouble)
        .or(submitter::trouble);
  }

  /** The same as far as it is about a run; why one that waits here is not submitted. */
  public Optional<String> trouble(OutsideRun run) {
    return run.state() == OutsideRunState.ORDERED
        ? submitter
            .trouble(run.account())
            .or(() -> breaker.silentSince().map(it -> breaker.reason()))
        : evidence.trouble(run.tag()).or(this::trouble);
  }

  /** Does what is due. */
  public void step() throws IOException, InterruptedException {
    try {
      evidence.takeKept();
      accounting.read(evidence::take);
      if (!tagsAreShown) {
        submitter.lookDue();
      }
      if (unseen) {
        submitter.takeAnswers();
        submitter.deleteUnsubmitted();
      } else {
        submitter.submitDue();
      }
      lookAtQueue();
    } catch (UncheckedIOException e) {
      // Files of runs are not reached: what was about to be concluded is when they are.
      breaker.silent(e.getCause().getMessage(), parts.clock().instant());
    }
    // Nothing of it is in a file.
    deleteDue();
    if (breaker.isOpen() || unanswered >= UNANSWERED) {
      evidence.silent();
      unseen = parts.journal().count(OutsideRunState.NOT_HEARD_OF) > 0;
    }
    tellBreaker();
    released.removeDue();
    parts.journal().sync();
  }

  private void tellBreaker() {
    boolean open = breaker.isOpen();
    if (open && !leftAlone) {
      log.warn("the cluster does not answer and is asked in pauses only: {}", breaker.reason());
    } else if (!open && leftAlone) {
      log.info("the cluster answers again");
    }
    leftAlone = open;
  }

  private void lookAtQueue() throws IOException, InterruptedException {
    Instant begun = parts.clock().instant();
    boolean wanted =
        breaker.isOpen()
            || unseen
            || tagsAreShown && submitter.isUnclear()
            || unanswered > 0
            || !parts.journal().outside().isEmpty()
            || strays.areThere()
            || isLookAtOthersDue(begun);
    if (!wanted || !breaker.lets(begun) || !pace.isDue(begun) || !turns.takes(pace, begun)) {
      return;
    }
    Told<List<OutsideJob>> told = parts.system().snapshot();
    Instant now = parts.clock().instant();
    pace.asked(begun, Duration.between(begun, now));
    if (told instanceof Told.Nothing<List<OutsideJob>> nothing) {
      breaker.silent(nothing.why(), now);
      unanswered++;
      untold = nothing.why();
      // One that ran into its time limit is no load; the breaker sees to pauses.
      pace.hurry();
    } else if (told instanceof Told.Answered<List<OutsideJob>> answer) {
      breaker.answered();
      unanswered = 0;
      unseen = false;
      untold = "";
      // Of those that were submitted meanwhile the numbers are known, as far as they were told.
      submitter.takeAnswers();
      evidence.take(answer.value(), begun);
      if (tagsAreShown) {
        submitter.settle(answer.value(), begun);
      }
      strays.look(answer.value());
      others.take(answer.value());
      held = held(answer.value());
      seen = begun;
      reader.read(answer.value(), begun);
    }
  }

  private Set<OutsideTag> held(List<OutsideJob> jobs) {
    Set<OutsideId> numbers = new HashSet<>();
    List<OutsideJob> arrays = new ArrayList<>();
    for (OutsideJob job : jobs) {
      if (job.state() == OutsideState.HELD) {
        numbers.add(job.id());
        if (!job.tasks().isEmpty()) {
          arrays.add(job);
        }
      }
    }
    Set<OutsideTag> runs = new HashSet<>();
    for (OutsideRun run : parts.journal().runs(OutsideRunState.WAITING)) {
      OutsideId id = run.id().orElseThrow();
      if (numbers.contains(id) || arrays.stream().anyMatch(it -> it.isOrCovers(id))) {
        runs.add(run.tag());
      }
    }
    return runs;
  }

  /** Also where the clock was put back since the last answer. */
  private boolean isLookAtOthersDue(Instant now) {
    return seen.equals(Instant.MIN) || now.isBefore(seen) || !now.isBefore(seen.plus(OTHERS));
  }

  /** Those that were not ordered to go yet, or longest ago, come first; the others wait a step. */
  private void deleteDue() throws InterruptedException {
    Instant now = parts.clock().instant();
    List<OutsideRun> due =
        parts.journal().toDelete().stream()
            .filter(it -> it.state().isOutside() && isDeletionDue(it, now))
            .sorted(Comparator.comparing(this::deletedAt))
            .toList();
    int orders = 0;
    for (OutsideRun run : due) {
      if (orders == DELETED_AT_ONCE || breaker.isOpen()) {
        return;
      }
      if (!isNumberInDoubt(run)) {
        orders++;
        Controlled said =
            parts.system().control(run.id().orElseThrow(), run.account(), OutsideAction.DELETE);
        deleted.put(run.tag(), new GivenDeletion(now, said));
        if (said instanceof Controlled.ControlUnclear unclear) {
          breaker.silent(unclear.why(), now);
        }
        pace.hurry();
      }
    }
  }

  private Instant deletedAt(OutsideRun run) {
    GivenDeletion last = deleted.get(run.tag());
    return last == null ? Instant.MIN : last.at();
  }

  /** Also where the clock was put back since the last order. */
  private boolean isDeletionDue(OutsideRun run, Instant now) {
    Instant last = deletedAt(run);
    return last.equals(Instant.MIN) || now.isBefore(last) || !now.isBefore(last.plus(DELETE_AGAIN));
  }

  /**
   * Whether the number of a run may be another job's: a system that has lost its last jobs gives
   * their numbers out again.
   */
  private boolean isNumberInDoubt(OutsideRun run) {
    return run.state() == OutsideRunState.NOT_HEARD_OF
        || parts.journal().outside().stream()
            .anyMatch(it -> !it.tag().equals(run.tag()) && it.id().equals(run.id()));
  }
}
