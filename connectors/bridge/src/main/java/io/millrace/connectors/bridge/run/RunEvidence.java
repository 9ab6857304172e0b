package io.millrace.connectors.bridge.run;

import io.millrace.connectors.bridge.question.NumberQuestions;
import io.millrace.connectors.bridge.question.QueryPace;
import io.millrace.connectors.bridge.question.UnmarkedJobs;
import io.millrace.connectors.bridge.system.OutsideCause;
import io.millrace.connectors.bridge.system.OutsideChanges;
import io.millrace.connectors.bridge.system.OutsideEnd;
import io.millrace.connectors.bridge.system.OutsideId;
import io.millrace.connectors.bridge.system.OutsideJob;
import io.millrace.connectors.bridge.system.OutsideMove;
import io.millrace.connectors.bridge.system.OutsideRecord;
import io.millrace.connectors.bridge.system.OutsideState;
import io.millrace.connectors.bridge.system.OutsideTag;
import io.millrace.connectors.bridge.system.OutsideTask;
import io.millrace.connectors.bridge.system.Told;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
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

/** Makes states and ends of runs from what the outside system shows. */
final class RunEvidence {
  private static final Logger log = LoggerFactory.getLogger(RunEvidence.class);

  /** For how many delays of accounting an end waits for a reader that is behind. */
  private static final int DELAYS_BEHIND = 10;

  /** How long records whose files cannot be read wait for the next try. */
  private static final Duration KEPT_PAUSE = Duration.ofSeconds(5);

  private final BridgeParts parts;
  private final AccountingReader accounting;
  private final QueryPace pace;
  private final DoubtfulEnds doubtful;
  private final UnreadRuns unread;
  private final NumberedMoves numbered;
  private final NumberQuestions numbers;
  private final UnmarkedJobs unmarked;

  /** Records of runs whose files could not be read when they came. */
  private final Map<OutsideId, OutsideRecord> kept = new LinkedHashMap<>();

  /** When they were taken last. */
  private Instant keptAt = Instant.EPOCH;

  /** Since when the queue does not show a run that it should. */
  private final Map<OutsideTag, Instant> missed = new HashMap<>();

  /** Runs whose numbers the queue has shown last as those of jobs that wait. */
  private final Set<OutsideTag> waiting = new HashSet<>();

  RunEvidence(BridgeParts parts, AccountingReader accounting, QueryPace pace, UnreadRuns unread) {
    this.parts = parts;
    this.accounting = accounting;
    this.pace = pace;
    this.doubtful = new DoubtfulEnds(parts);
    this.unread = unread;
    this.numbered = new NumberedMoves(parts);
    BridgeTerms terms = parts.terms();
    this.numbers = new NumberQuestions(parts.system(), parts.clock(), terms::followingPace);
    this.unmarked = new UnmarkedJobs(parts.system(), parts.clock(), terms.followingPace());
  }

  void forget(OutsideTag tag) {
    missed.remove(tag);
    unread.forget(tag);
    unmarked.forget(tag);
  }

  /** Whether the queue shows a job that waits, which may be a run that is not heard of. */
  boolean mayWait(OutsideRun run) {
    return run.state() == OutsideRunState.NOT_HEARD_OF && waiting.contains(run.tag());
  }

  /** Why a run is not heard of, where that is for its files. */
  Optional<String> trouble(OutsideTag tag) {
    return unread.trouble(tag);
  }

  void take(OutsideChanges changes) throws IOException, InterruptedException {
    for (OutsideMove move : changes.moves()) {
      if (move.tag().isPresent()) {
        // One that cannot be taken is left to the queue.
        unread.passes(ofTag(move.tag().get(), move.id()), () -> take(move));
      } else if (parts.system().movesAreNumbered()) {
        numbered.take(move);
      }
    }
    for (OutsideRecord record : changes.records()) {
      take(record);
    }
  }

  /**
   * Takes the moves again that were of no run when they came, and the records that could not be
   * taken while files were not read.
   */
  void takeKept() throws IOException, InterruptedException {
    numbered.takeWaiting();
    Instant now = parts.clock().instant();
    if (kept.isEmpty() || !now.isBefore(keptAt) && now.isBefore(keptAt.plus(KEPT_PAUSE))) {
      return;
    }
    keptAt = now;
    for (OutsideRecord record : List.copyOf(kept.values())) {
      take(record);
    }
  }

  private void take(OutsideMove move) throws IOException {
    Optional<OutsideRun> run = runOf(move.tag(), move.account(), move.id());
    // What is new has its number from here on; what it does the queue may have shown since.
    if (run.isPresent() && move.name().isEmpty()) {
      see(run.get(), move.state());
    }
  }

  private void take(OutsideRecord record) throws IOException, InterruptedException {
    if (record.tag().isEmpty()) {
      return;
    }
    OutsideTag tag = ofTag(record.tag().get(), record.id());
    if (unread.passes(tag, () -> ends(record))) {
      kept.remove(record.id());
      return;
    }
    kept.put(record.id(), record);
    Optional<OutsideRun> run =
        parts.journal().run(tag).filter(it -> it.id().equals(Optional.of(record.id())));
    if (run.isPresent() && run.get().account().equals(record.account())) {
      OutsideRun now = run.get().recorded(record.end());
      if (now != run.get()) {
        // So that a process that begins anew knows of it.
        parts.journal().put(now);
      }
      unread(now, Optional.empty());
    }
  }

  private void ends(OutsideRecord record) throws IOException, InterruptedException {
    Optional<OutsideRun> run = runOf(record.tag(), record.account(), record.id());
    if (run.isPresent() && record.certain() && !doubtful.isClaimComing(run.get(), record.end())) {
      end(run.get(), doubtful.ofScript(run.get(), record.end()));
    } else if (run.isPresent()) {
      parts.journal().put(run.get().recorded(record.end()));
      pace.hurry();
    }
  }

  /** The tag of the run that a line with a tag says that it is about. */
  private OutsideTag ofTag(OutsideTag tag, OutsideId id) {
    return marked(tag, id.task()).map(OutsideRun::tag).orElse(tag);
  }

  /** The files of a run could not be read when it was to end; one to be deleted ends some day. */
  private void unread(OutsideRun before, Optional<OutsideEnd> told) throws IOException {
    Optional<OutsideRun> run =
        parts.journal().run(before.tag()).filter(it -> it.state().isOutside());
    Optional<OutsideEnd> how = told.or(() -> run.flatMap(OutsideRun::end));
    if (run.isPresent() && how.isPresent()) {
      Optional<OutsideEnd> end = doubtful.ofUnread(run.get(), how.get(), parts.clock().instant());
      if (end.isPresent()) {
        ended(run.get(), end.get());
      }
    }
  }

  /** The run that a line with a tag is about; it gets the number when it had none. */
  private Optional<OutsideRun> runOf(Optional<OutsideTag> tag, String account, OutsideId id)
      throws IOException {
    Optional<OutsideRun> run =
        tag.flatMap(it -> marked(it, id.task()).or(() -> begunEarlier(it, id)))
            .filter(it -> it.account().equals(account))
            .filter(it -> it.state() != OutsideRunState.ENDED);
    if (run.isEmpty() || run.get().id().equals(Optional.of(id))) {
      return run;
    }
    if (run.get().state() == OutsideRunState.ABOUT_TO_SUBMIT) {
      OutsideRun now = run.get().submittedAs(id, parts.clock().instant());
      parts.journal().put(now);
      return Optional.of(now);
    }
    return Optional.empty();
  }

  /** The run that a submission of another mark has come to first. */
  private Optional<OutsideRun> begunEarlier(OutsideTag mark, OutsideId id) {
    return parts.journal().run(id).filter(it -> it.state().isOutside() && isEarlier(mark, it));
  }

  private Optional<OutsideRun> marked(OutsideTag tag, long task) {
    return task == 0 ? parts.journal().run(tag) : parts.journal().run(new OutsideTask(tag, task));
  }

  /** The queue has answered with all of its jobs, to a question that began at a moment. */
  void take(List<OutsideJob> jobs, Instant begun) throws IOException, InterruptedException {
    Map<OutsideId, OutsideJob> byId = new HashMap<>();
    List<OutsideJob> arrays = new ArrayList<>();
    for (OutsideJob job : jobs) {
      byId.put(job.id(), job);
      if (!job.tasks().isEmpty()) {
        arrays.add(job);
      }
    }
    waiting.clear();
    List<OutsideRun> gone = new ArrayList<>();
    Map<OutsideRun, OutsideJob> doubted = new LinkedHashMap<>();
    for (OutsideRun run : parts.journal().outside()) {
      // One that was submitted later than now was so before the clock was put back.
      Instant submitted = run.submitted().orElse(begun);
      if (!submitted.isBefore(begun) && !submitted.isAfter(parts.clock().instant())) {
        continue;
      }
      OutsideId id = run.id().orElseThrow();
      Optional<OutsideJob> job =
          Optional.ofNullable(byId.get(id))
              .or(() -> arrays.stream().filter(it -> it.isOrCovers(id)).findFirst());
      if (job.filter(it -> it.state().isYetToBegin() && isMarked(it, run)).isPresent()) {
        waiting.add(run.tag());
      }
      boolean lost = run.state() == OutsideRunState.NOT_HEARD_OF;
      if (job.filter(it -> unmarked.isDoubtful(run.tag(), it, latest(run), lost)).isPresent()) {
        doubted.put(run, job.get());
      } else {
        look(run, job, () -> missing(run, begun).ifPresent(gone::add));
      }
    }
    Set<OutsideTag> others = new HashSet<>();
    for (OutsideRun run : ofOthers(doubted)) {
      others.add(run.tag());
      waiting.remove(run.tag());
      look(run, Optional.empty(), () -> missing(run, begun).ifPresent(gone::add));
    }
    if (!gone.isEmpty()) {
      askByNumber(gone, others);
    }
  }

  /** When the job of a run was submitted at the latest, by a clock that goes as ours. */
  private Instant latest(OutsideRun run) {
    Instant answered = run.submitted().orElse(Instant.MAX);
    return answered.equals(Instant.MAX)
        ? answered
        : answered.plus(parts.terms().commandLimit()).plus(parts.terms().settle());
  }

  /**
   * Looks at runs whose numbers may be other jobs' by the marks of these.
   *
   * @return those that are, as the time of these says too; without that a run is not heard of
   */
  private List<OutsideRun> ofOthers(Map<OutsideRun, OutsideJob> doubted)
      throws IOException, InterruptedException {
    List<OutsideRun> others = new ArrayList<>();
    boolean first =
        doubted.keySet().stream().anyMatch(it -> it.state() != OutsideRunState.NOT_HEARD_OF);
    Optional<Map<Long, OutsideTag>> marks =
        doubted.isEmpty() ? Optional.empty() : unmarked.marks(first);
    for (Map.Entry<OutsideRun, OutsideJob> each : doubted.entrySet()) {
      OutsideRun run = each.getKey();
      Optional<OutsideTag> mark = marks.map(it -> it.get(run.id().orElseThrow().number()));
      if (mark.filter(it -> it.equals(run.mark()) || isEarlier(it, run)).isPresent()) {
        unmarked.isSure(run.tag());
        look(run, Optional.of(each.getValue()), () -> {});
      } else if (marks.isPresent() && UnmarkedJobs.isLater(each.getValue(), latest(run))) {
        others.add(run);
      } else if (run.state() != OutsideRunState.NOT_HEARD_OF) {
        parts.journal().put(run.seen(OutsideRunState.NOT_HEARD_OF, parts.clock().instant()));
      }
    }
    return others;
  }

  /**
   * Looks at a run as its job is shown.
   *
   * @param otherwise what is done when none of its own is
   */
  private void look(OutsideRun run, Optional<OutsideJob> job, UnreadRuns.RunLook otherwise)
      throws IOException, InterruptedException {
    UnreadRuns.RunLook look =
        () -> {
          if (job.filter(it -> isOf(it, run)).isPresent()) {
            missed.remove(run.tag());
            shown(run, job.get());
          } else {
            otherwise.look();
          }
        };
    if (!unread.passes(run.tag(), look)) {
      unread(run, job.filter(it -> isMarked(it, run)).flatMap(OutsideJob::end));
    }
  }

  /**
   * Runs that were missed for long enough: a list can lack a job that its number still finds.
   *
   * @param others those whose numbers other jobs have, which show no mark
   */
  private void askByNumber(List<OutsideRun> runs, Set<OutsideTag> others)
      throws IOException, InterruptedException {
    TreeMap<String, List<OutsideId>> owned = new TreeMap<>();
    for (OutsideRun run : runs) {
      owned.computeIfAbsent(run.account(), it -> new ArrayList<>()).add(run.id().orElseThrow());
    }
    Map<OutsideId, Optional<OutsideJob>> told = numbers.ask(owned);
    for (OutsideRun run : runs) {
      Optional<OutsideJob> said = told.get(run.id().orElseThrow());
      if (said != null) {
        boolean other = others.contains(run.tag());
        look(run, said.filter(it -> !other || it.tag().isPresent()), () -> gone(run));
      }
    }
  }

  /** Numbers are used again: the same number of another account or tag is another job. */
  private boolean isOf(OutsideJob job, OutsideRun run) {
    return isMarked(job, run)
        || job.account().equals(run.account())
            && job.tag().filter(it -> isEarlier(it, run)).isPresent();
  }

  private static boolean isMarked(OutsideJob job, OutsideRun run) {
    return job.account().equals(run.account())
        && job.tag().filter(it -> !it.equals(run.mark())).isEmpty();
  }

  /** A submission that was taken for lost, with a mark of its own, has come to the claim first. */
  private boolean isEarlier(OutsideTag mark, OutsideRun run) {
    boolean ofJob = mark.equals(run.tag()) || run.tag().job().startsWith(mark.job() + "-");
    return ofJob
        && mark.cluster().equals(run.tag().cluster())
        && mark.home().equals(run.tag().home())
        && parts.folders().begunAs(run.tag(), run.account()).equals(run.id());
  }

  private void shown(OutsideRun run, OutsideJob job) throws IOException, InterruptedException {
    if (job.state() == OutsideState.ENDED) {
      OutsideEnd end = job.end().orElse(OutsideEnd.of(OutsideCause.UNKNOWN, job.word()));
      if (!doubtful.isClaimComing(run, end)) {
        end(run, doubtful.ofScript(run, end));
      }
    } else {
      see(run.withoutRecord(), job.state());
    }
  }

  private void see(OutsideRun run, OutsideState state) throws IOException {
    OutsideRunState to =
        switch (state) {
          case WAITING, HELD -> OutsideRunState.WAITING;
          case RUNNING -> OutsideRunState.RUNNING;
          case SUSPENDED -> OutsideRunState.SUSPENDED;
          case ENDING, ENDED -> OutsideRunState.ENDING;
        };
    boolean lives = to != OutsideRunState.ENDING;
    OutsideRun now = (lives ? run.withoutDoubt() : run).seen(to, parts.clock().instant());
    if (!now.equals(parts.journal().run(run.tag()).orElse(null))) {
      parts.journal().put(now);
    }
  }

  /**
   * The queue answers and does not show a run.
   *
   * @return the run, when it is to be asked for by its number: it was missed for so long that it is
   *     over, or its files say that it is and the system says more
   */
  private Optional<OutsideRun> missing(OutsideRun run, Instant begun)
      throws IOException, InterruptedException {
    // Where the clock was put back the wait begins anew.
    Instant since =
        missed.merge(run.tag(), begun, (before, at) -> before.isAfter(at) ? at : before);
    Instant sure = since.plus(parts.terms().accountingDelay());
    Optional<OutsideEnd> known = doubtful.known(run);
    if (known.isPresent() && run.end().isEmpty() && awaitsUsage(begun, sure)) {
      see(run, OutsideState.ENDING);
      return Optional.empty();
    }
    if (known.isPresent() && begun.isBefore(sure) && parts.system().numbersTellEnds()) {
      // The system knows what it has used, and why a signal has ended it, and is asked first.
      see(run, OutsideState.ENDING);
      return parts.journal().run(run.tag());
    }
    if (known.isPresent()) {
      end(run, known.get());
      return Optional.empty();
    }
    OutsideRun now = run.seen(OutsideRunState.NOT_HEARD_OF, parts.clock().instant());
    if (now != run) {
      parts.journal().put(now);
    }
    return begun.isBefore(sure) || !accounting.isReadSince(sure)
        ? Optional.empty()
        : Optional.of(now);
  }

  /**
   * Neither the queue nor its number shows a run, which has ended as its files say. Of a task of an
   * array the record may have come before it was known whose it is; one that was to be deleted has
   * most likely ended by that.
   */
  private void gone(OutsideRun run) throws IOException, InterruptedException {
    Optional<OutsideEnd> known = doubtful.known(run);
    if (known.isPresent()) {
      end(run, known.get());
    } else if (parts.folders().close(run.tag(), run.account())
        instanceof Told.Answered<RunFolders.RunClaim> claim) {
      if (claim.value() == RunFolders.RunClaim.CLOSED) {
        ended(run, OutsideEnd.of(OutsideCause.NOT_BEGUN, "removed outside before it began"));
      } else if (accounting.isCompleteSince(run.submitted().orElse(run.since()))) {
        ended(run, OutsideEnd.of(cause(run), "not known outside, and no record of it"));
      } else {
        OutsideEnd deleted =
            OutsideEnd.of(OutsideCause.CANCELLED, "deleted, and not known outside");
        Optional<OutsideEnd> end = doubtful.ofUntold(run, deleted, parts.clock().instant());
        if (end.isPresent()) {
          ended(run, end.get());
        }
      }
    }
  }

  private static OutsideCause cause(OutsideRun run) {
    return run.delete() ? OutsideCause.CANCELLED : OutsideCause.UNKNOWN;
  }

  /**
   * Its record, which says what it has used, is to be expected yet: it may be written until a
   * moment, and one who reads far behind comes to it later.
   */
  private boolean awaitsUsage(Instant begun, Instant sure) {
    Instant most = sure.plus(parts.terms().accountingDelay().multipliedBy(DELAYS_BEHIND));
    boolean behind = accounting.trouble().isEmpty() && !accounting.isReadSince(sure);
    return parts.system().recordsUsage()
        && (begun.isBefore(sure) || behind && begun.isBefore(most));
  }

  /**
   * Ends a run, unless another copy of it holds the claim: then the end is that of a copy which has
   * run nothing, and the other one is the run.
   */
  private void end(OutsideRun run, OutsideEnd how) throws IOException, InterruptedException {
    Optional<OutsideId> begun = parts.folders().begunAs(run.tag(), run.account());
    if (begun.isPresent() && !begun.equals(run.id())) {
      becomes(run, begun.get());
      return;
    }
    Optional<OutsideEnd> end =
        begun.isEmpty() && DoubtfulEnds.mayBegin(how)
            ? doubtful.ofUnbegun(run, how, parts.clock().instant())
            : Optional.of(how);
    if (end.isPresent()) {
      ended(run, end.get());
    }
  }

  /**
   * The copy of a run that holds the claim is the run, and the job that was taken for it is not.
   */
  void becomes(OutsideRun run, OutsideId copy) throws IOException {
    parts.journal().put(run.submittedAs(copy, parts.clock().instant()));
    forget(run.tag());
  }

  private void ended(OutsideRun run, OutsideEnd how) throws IOException {
    parts.journal().put(run.ended(how, parts.clock().instant()));
    forget(run.tag());
  }

  /** The outside system is silent: its runs are not heard of, and that is all that is known. */
  void silent() throws IOException {
    unmarked.forgetAll();
    numbers.hurry();
    for (OutsideRun run : parts.journal().outside()) {
      if (run.state() != OutsideRunState.NOT_HEARD_OF) {
        parts.journal().put(run.seen(OutsideRunState.NOT_HEARD_OF, parts.clock().instant()));
      }
    }
  }
}
