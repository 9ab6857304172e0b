package io.millrace.connectors.bridge.run;

import io.millrace.connectors.bridge.question.DatabaseQuestions;
import io.millrace.connectors.bridge.question.QueryPace;
import io.millrace.connectors.bridge.question.QuestionTurns;
import io.millrace.connectors.bridge.system.OutsideCause;
import io.millrace.connectors.bridge.system.OutsideEnd;
import io.millrace.connectors.bridge.system.OutsideId;
import io.millrace.connectors.bridge.system.OutsideJob;
import io.millrace.connectors.bridge.system.OutsideTag;
import io.millrace.connectors.bridge.system.Submitted;
import io.millrace.connectors.bridge.system.Told;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Brings runs into the outside system, each once. After an unclear answer a run is looked for by
 * its tag; only when queue and accounting were read beyond the moment and know nothing of it, and
 * no wrapper has taken its claim, is it submitted again.
 */
final class RunSubmitter {

  /** So many runs at most are submitted in a step, beside which other things are to be done. */
  private static final int STEP = 32;

  /**
   * So often is a run submitted without a clear answer, in pauses that grow, before it is given up.
   */
  private static final int ATTEMPTS = 20;

  /** After a command that could not be started, which may be so for a moment only. */
  private static final Duration UNSENT_PAUSE = Duration.ofMillis(200);

  private final BridgeParts parts;
  private final CircuitBreaker breaker;
  private final AccountingReader accounting;
  private final QueryPace looks;
  private final QuestionTurns turns;

  /** Queues that were not there yet, and since when. */
  private final Map<Optional<String>, Instant> absent = new HashMap<>();

  private final LeftSubmissions left;

  /** Runs that are held here: they are not submitted. */
  private final Set<OutsideTag> kept = new HashSet<>();

  /** Noted as about to be submitted by a journal that then had no room; no command was started. */
  private final Set<OutsideTag> unsent = new HashSet<>();

  /** When a command could not be started last. */
  private Instant unstarted = Instant.MIN;

  private final AccountsAside aside;
  private final SubmissionsAtOnce submissions;
  private final OutsideArrays arrays;
  private final UnreadRuns unread;
  private final DatabaseQuestions database;

  /** Whether a run that is not heard of may wait outside. */
  private Predicate<OutsideRun> mayWait = run -> false;

  RunSubmitter(BridgeParts parts, CircuitBreaker breaker, AccountingReader accounting) {
    this(parts, breaker, accounting, new QuestionTurns(parts.terms().queryLeast()));
  }

  /**
   * @param turns of all who ask for the whole of something
   */
  RunSubmitter(
      BridgeParts parts, CircuitBreaker breaker, AccountingReader accounting, QuestionTurns turns) {
    this.parts = parts;
    this.turns = turns;
    this.breaker = breaker;
    this.accounting = accounting;
    this.looks = new QueryPace(parts.terms().queryLeast(), parts.terms().queryMost());
    this.submissions = new SubmissionsAtOnce(parts.system(), parts.terms().submissionsAtOnce());
    this.arrays = new OutsideArrays(parts.system(), parts.journal());
    this.aside = new AccountsAside(parts.terms().queryLeast(), parts.terms().queryMost());
    this.unread = new UnreadRuns(parts);
    this.database =
        new DatabaseQuestions(parts.system(), parts.clock(), parts.terms()::followingPace);
    this.left = new LeftSubmissions(parts);
    left.leave();
  }

  /**
   * @param known whether a run that is not heard of may wait outside
   */
  void countsToo(Predicate<OutsideRun> known) {
    mayWait = known;
  }

  /** Keeps a run from being submitted, or does not any more. */
  void keepBack(OutsideTag run, boolean held) {
    if (held) {
      kept.add(run);
    } else {
      kept.remove(run);
    }
  }

  /** Runs whose files could not be read, whoever has looked at them. */
  UnreadRuns unread() {
    return unread;
  }

  /** In whose name nothing can be submitted, and why; empty for nobody. */
  Optional<String> trouble() {
    return aside.trouble().or(database::trouble);
  }

  /** Why nothing can be submitted in the name of an account. */
  Optional<String> trouble(String account) {
    return aside.trouble(account);
  }

  /** Begins to submit what is ordered and has a place, and takes the answers that have come. */
  void submitDue() throws IOException, InterruptedException {
    takeAnswers();
    deleteUnsubmitted();
    aside.keep(this::hasToSubmit);
    boolean goesOn = true;
    for (int begun = 0; goesOn && begun < STEP && submissions.room() > 0; ) {
      Instant now = parts.clock().instant();
      if (breaker.isOpen() || !isOver(unstarted, UNSENT_PAUSE, now)) {
        return;
      }
      takeBack();
      List<List<OutsideRun>> next = arrays.of(due(STEP - begun), now, submissions.room());
      note(next);
      for (List<OutsideRun> runs : next) {
        submissions.begin(runs);
        begun += runs.size();
      }
      goesOn = takeAnswers() && !next.isEmpty();
    }
  }

  /**
   * Takes the answers of submissions that have come.
   *
   * @return whether there were some
   */
  boolean takeAnswers() throws IOException, InterruptedException {
    boolean taken = false;
    try {
      boolean some = submissions.take(this::take);
      taken = true;
      return some;
    } finally {
      if (!taken) {
        left.leave();
      }
    }
  }

  /**
   * @param then called by some thread when there is an answer to take
   */
  void onAnswer(Runnable then) {
    submissions.onAnswer(then);
  }

  /** Takes all answers that are not taken yet, and waits for them. */
  void awaitAnswers() throws IOException, InterruptedException {
    boolean taken = false;
    try {
      submissions.await(this::take);
      taken = true;
    } finally {
      if (!taken) {
        submissions.leave();
        left.leave();
      }
    }
  }

  /** Whether there are runs of which nobody knows whether they were submitted. */
  boolean isUnclear() {
    return !unclear().isEmpty();
  }

  /** Those that were submitted and have no answer; the command of none of them lives here. */
  private List<OutsideRun> unclear() {
    return parts.journal().runs(OutsideRunState.ABOUT_TO_SUBMIT).stream()
        .filter(it -> !submissions.has(it.tag()))
        .toList();
  }

  private boolean hasToSubmit(String account) {
    return Stream.of(OutsideRunState.ORDERED, OutsideRunState.ABOUT_TO_SUBMIT)
        .flatMap(it -> parts.journal().runs(it).stream())
        .anyMatch(it -> it.account().equals(account));
  }

  /** Nothing of them is outside, whether somebody answers there or not. */
  void deleteUnsubmitted() throws IOException, InterruptedException {
    for (OutsideRun run : parts.journal().toDelete()) {
      if (run.state() == OutsideRunState.ORDERED && run.attempts() == 0) {
        giveUp(run);
      }
    }
  }

  /** Brings it to the disk that runs are about to be submitted. */
  private void note(List<List<OutsideRun>> next) throws IOException {
    List<OutsideTag> noted = new ArrayList<>();
    boolean synced = false;
    try {
      for (List<OutsideRun> runs : next) {
        for (OutsideRun run : runs) {
          parts.journal().put(run);
          left.forget(run.tag());
          noted.add(run.tag());
        }
      }
      parts.journal().sync();
      synced = true;
    } finally {
      if (!synced) {
        unsent.addAll(noted);
      }
    }
  }

  /** Runs that a journal without room has kept here wait as before; that was no attempt. */
  private void takeBack() throws IOException {
    for (OutsideTag tag : List.copyOf(unsent)) {
      Optional<OutsideRun> run =
          parts.journal().run(tag).filter(it -> it.state() == OutsideRunState.ABOUT_TO_SUBMIT);
      if (run.isPresent()) {
        parts.journal().put(run.get().notSent(parts.clock().instant()));
      }
      unsent.remove(tag);
    }
  }

  /**
   * @param went the runs as they were when they went
   */
  private void take(List<OutsideRun> went, Submitted answer) throws IOException {
    Instant now = parts.clock().instant();
    if (went.size() > 1
        && (answer instanceof Submitted.SubmissionRefused
            || answer instanceof Submitted.LimitReached)) {
      // It may be the array that is not wanted, or one of its runs.
      breaker.answered();
      arrays.split(went);
      for (OutsideRun run : stillAbout(went)) {
        parts.journal().put(run.notSent(now));
      }
      return;
    }
    heard(went.get(0), answer, now);
    for (OutsideRun run : stillAbout(went)) {
      parts.journal().put(after(run, answer, now));
    }
  }

  /**
   * As they are now: one may be to delete since, or its job was found, as by a line of its begin
   * that came before the answer.
   */
  private List<OutsideRun> stillAbout(List<OutsideRun> went) {
    return went.stream()
        .flatMap(it -> parts.journal().run(it.tag()).stream())
        .filter(it -> it.state() == OutsideRunState.ABOUT_TO_SUBMIT)
        .toList();
  }

  /** Runs that can be submitted now, in their order, within the bounds; ends those given up. */
  private List<OutsideRun> due(int most) throws IOException, InterruptedException {
    for (OutsideRun run : parts.journal().toDelete()) {
      if (run.state() == OutsideRunState.ORDERED) {
        unread.passes(run.tag(), () -> giveUp(run));
      }
    }
    List<OutsideRun> due = new ArrayList<>();
    if (parts.journal().count(OutsideRunState.ORDERED) == 0) {
      return due;
    }
    Instant now = parts.clock().instant();
    absent.values().removeIf(it -> isOver(it, parts.terms().queryLeast(), now));
    Map<String, Integer> waiting = new HashMap<>(parts.journal().waiting());
    int all = waiting.values().stream().mapToInt(it -> it).sum();
    for (OutsideRun run : parts.journal().runs(OutsideRunState.NOT_HEARD_OF)) {
      if (mayWait.test(run)) {
        waiting.merge(run.account(), 1, Integer::sum);
        all++;
      }
    }
    for (OutsideRun run : parts.journal().runs(OutsideRunState.ORDERED)) {
      if (due.size() == most || all >= parts.terms().waitingMost()) {
        break;
      }
      if (run.attempts() >= ATTEMPTS) {
        unread.passes(run.tag(), () -> giveUp(run));
      } else if (!kept.contains(run.tag())
          && !isAside(run)
          && isOver(run.since(), pause(run), now)
          && waiting.getOrDefault(run.account(), 0) < parts.terms().waitingMostAccount()) {
        waiting.merge(run.account(), 1, Integer::sum);
        all++;
        due.add(run);
      }
    }
    return due;
  }

  /** Whether its queue is not there, or nothing is carried out in its account's name. */
  private boolean isAside(OutsideRun run) {
    return absent.containsKey(run.order().place().queue())
        || aside.has(run.account(), parts.clock().instant());
  }

  private Duration pause(OutsideRun run) {
    return parts.terms().settle().multipliedBy(Math.max(0, run.attempts() - 1));
  }

  /** Whether a pause is over, also where the clock was put back to before it began. */
  private static boolean isOver(Instant begin, Duration pause, Instant now) {
    return now.isBefore(begin) || !now.isBefore(begin.plus(pause));
  }

  /** Ends a run that is not outside, once it is sure that no copy of it can begin. */
  private void giveUp(OutsideRun run) throws IOException, InterruptedException {
    OutsideEnd end =
        run.delete()
            ? OutsideEnd.of(OutsideCause.CANCELLED, "deleted before it was submitted")
            : OutsideEnd.of(
                OutsideCause.REFUSED, "no clear answer to " + run.attempts() + " submissions");
    Instant now = parts.clock().instant();
    if (run.attempts() == 0) {
      parts.journal().put(run.ended(end, now));
      return;
    }
    if (parts.folders().close(run.tag(), run.account())
        instanceof Told.Answered<RunFolders.RunClaim> claim) {
      if (claim.value() == RunFolders.RunClaim.CLOSED) {
        parts.journal().put(run.ended(end, now));
      } else {
        adoptBegun(run, now);
      }
    }
  }

  /** What an answer says of the system, of an account and of a queue, whatever the run did. */
  private void heard(OutsideRun run, Submitted answer, Instant now) {
    String account = run.account();
    if (answer instanceof Submitted.NotSent not) {
      unstarted = now;
      breaker.silent(not.why(), now);
    } else if (answer instanceof Submitted.AccountRefused refused) {
      aside.refused(account, refused.why(), now);
    } else if (answer instanceof Submitted.SubmissionUnclear unclear && !unclear.full()) {
      // Several in a row of one account are its trouble; of several accounts the system's.
      if (aside.unclear(account, unclear.why(), now)) {
        breaker.silent(unclear.why(), now);
      }
    } else {
      breaker.answered();
      if (answer instanceof Submitted.LimitReached reached) {
        aside.full(account, reached.why(), now);
      } else if (answer instanceof Submitted.SubmissionUnclear full) {
        aside.full(account, full.why(), now);
      } else if (answer instanceof Submitted.NotYet) {
        // Of this queue only: others go on.
        absent.put(run.order().place().queue(), now);
      } else {
        aside.answered(account);
      }
    }
  }

  /** What a run is after an answer to its submission. */
  private static OutsideRun after(OutsideRun run, Submitted answer, Instant now) {
    if (answer instanceof Submitted.Accepted accepted) {
      return run.submittedAs(run.in(accepted.id().number()), now);
    } else if (answer instanceof Submitted.AcceptedTogether all) {
      // One that is not among those that were taken is looked for.
      OutsideId id = all.ids().get(run.tag());
      return id == null ? run.unclearSince(now) : run.submittedAs(run.in(id.number()), now);
    } else if (answer instanceof Submitted.SubmissionRefused refused) {
      return run.ended(OutsideEnd.of(OutsideCause.REFUSED, refused.words()), now);
    } else if (answer instanceof Submitted.SubmissionUnclear unclear) {
      return unclear.full() ? run.unclearWhileFull(now) : run.unclearSince(now);
    }
    // Behind all others: a run too large for a limit is refused in the words of a full one.
    return run.notSent(now);
  }

  /** Looks for runs of which nobody knows whether they were submitted. */
  void lookDue() throws IOException, InterruptedException {
    takeBack();
    Instant begun = parts.clock().instant();
    if (unclear().isEmpty()) {
      left.trim();
      return;
    }
    if (!breaker.lets(begun) || !looks.isDue(begun) || !turns.takes(looks, begun)) {
      return;
    }
    Told<List<OutsideJob>> told = parts.system().tagged();
    Instant now = parts.clock().instant();
    looks.asked(begun, Duration.between(begun, now));
    if (told instanceof Told.Nothing<List<OutsideJob>> nothing) {
      breaker.silent(nothing.why(), now);
      looks.hurry();
    } else if (told instanceof Told.Answered<List<OutsideJob>> answer) {
      breaker.answered();
      settle(answer.value(), begun);
    }
  }

  /** All jobs with their tags are known, as of a question that began at a moment. */
  void settle(List<OutsideJob> jobs, Instant begun) throws IOException, InterruptedException {
    takeBack();
    left.trim();
    List<OutsideRun> missed = new ArrayList<>();
    for (OutsideRun run : unclear()) {
      // One about to be submitted since then is not in the answer, and is so for too short.
      unread.passes(run.tag(), () -> settle(run, jobs, begun, missed));
    }
    againOrFound(missed);
  }

  /** A system that has a database may know of submissions that its queue has forgotten. */
  private void againOrFound(List<OutsideRun> missed) throws IOException, InterruptedException {
    TreeMap<String, Map<OutsideTag, Instant>> wanted = new TreeMap<>();
    for (OutsideRun run : missed) {
      wanted
          .computeIfAbsent(run.account(), it -> new HashMap<>())
          .merge(run.mark(), run.since(), (one, other) -> one.isBefore(other) ? one : other);
    }
    Map<OutsideTag, Optional<OutsideId>> told = database.ask(wanted);
    Instant now = parts.clock().instant();
    for (OutsideRun run : missed) {
      Optional<OutsideId> found = told.get(run.mark());
      if (found != null) {
        parts
            .journal()
            .put(
                found
                    .map(it -> run.submittedAs(run.in(it.number()), now))
                    .orElseGet(() -> run.orderedAgain(now)));
      }
    }
  }

  /**
   * @param missed gets the run where nothing says that it was submitted
   */
  private void settle(OutsideRun run, List<OutsideJob> jobs, Instant begun, List<OutsideRun> missed)
      throws IOException {
    Instant now = parts.clock().instant();
    Optional<OutsideId> found =
        jobs.stream()
            .filter(it -> it.tag().equals(Optional.of(run.mark())))
            .filter(it -> it.account().equals(run.account()))
            .map(OutsideJob::id)
            .min(OutsideId::compareTo);
    if (found.isPresent()) {
      parts.journal().put(run.submittedAs(run.in(found.get().number()), now));
      return;
    }
    Instant sure = left.lived(run, now).plus(parts.terms().settle());
    if (!adoptBegun(run, now)
        && !begun.isBefore(sure)
        && accounting.isReadSince(sure)
        // One to be deleted is not submitted again: whatever comes of it, its claim will be ours.
        && (run.delete() || !parts.system().isSubmitting(run.mark(), run.account()))) {
      missed.add(run);
    }
  }

  /** A wrapper has taken the claim: the job that runs it is the one. */
  private boolean adoptBegun(OutsideRun run, Instant now) throws IOException {
    Optional<OutsideId> begun = parts.folders().begunAs(run.tag(), run.account());
    if (begun.isPresent()) {
      parts.journal().put(run.submittedAs(begun.get(), now));
    }
    return begun.isPresent();
  }
}
