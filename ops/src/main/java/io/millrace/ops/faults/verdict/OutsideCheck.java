package io.millrace.ops.faults.verdict;

import io.millrace.connectors.bridge.system.RunWrapper;
import io.millrace.ops.faults.evidence.CommandNote;
import io.millrace.ops.faults.evidence.Evidence;
import io.millrace.ops.faults.evidence.JobHistories;
import io.millrace.ops.faults.evidence.JobHistory;
import io.millrace.ops.faults.evidence.JobLine;
import io.millrace.ops.faults.evidence.JobOperation;
import io.millrace.ops.faults.evidence.LedgerEntry;
import io.millrace.ops.faults.evidence.OutsideAccount;
import io.millrace.ops.faults.evidence.OutsideEvidence;
import io.millrace.ops.faults.evidence.RecordedRequest;
import io.millrace.schemas.fact.JobDeleted;
import io.millrace.schemas.fact.RunFinished;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * Checks that each run was submitted once to the outside system, is over only after its job was,
 * and has the end that its script and the system's accounting have. An end that the job did not
 * make itself must have been asked for, or be told in words.
 */
final class OutsideCheck {
  /** 256 + SIGTERM: deleted. */
  private static final int TERMINATED = 271;

  /** Accounting knows full seconds, and a script needs a moment after its last line. */
  private static final long SLACK_MS = 2_000;

  /** So soon is known how a job ended, once everything is back. */
  private static final long SOON_MS = 60_000;

  private final Evidence evidence;
  private final OutsideEvidence outside;
  private final JobHistories histories;
  private final Defects defects;
  private final Set<String> begun = new HashSet<>();
  private final Map<String, RecordedRequest> requests = new HashMap<>();

  /**
   * How a job is to end.
   *
   * @param exitStatus of its script when nobody ends it
   * @param deleted whether somebody has asked for its end
   * @param rerun whether somebody has asked for another run
   */
  private record DueEnd(int exitStatus, boolean deleted, boolean rerun) {}

  OutsideCheck(
      Evidence evidence, OutsideEvidence outside, JobHistories histories, Defects defects) {
    this.evidence = evidence;
    this.outside = outside;
    this.histories = histories;
    this.defects = defects;
    evidence.requests().forEach(it -> requests.put(it.token(), it));
  }

  void run() {
    for (JobLine line : evidence.lines()) {
      begun.add(line.jobId() + " " + line.run());
    }
    tags();
    for (JobHistory job : histories.all()) {
      Optional<DueEnd> due = due(job);
      if (!job.queued().isEmpty() && outside.has(job) && due.isPresent()) {
        ends(job, due.get());
        job.runEnds()
            .forEach((run, ends) -> new EndedRun(job, run, ends.get(0), due.get()).check());
        job.grants().keySet().forEach(run -> once(job, run));
      }
    }
    if (evidence.campaign().isPresent() && outside.accounts().stream().noneMatch(ran())) {
      defects.unexplained(outside.cluster(), "no task of the campaign ran there to its end");
    }
  }

  /** What is there under our tags are runs that were granted, and are what the tags say. */
  private void tags() {
    Set<String> known = new HashSet<>();
    for (JobHistory job : histories.all()) {
      job.grants().keySet().forEach(run -> known.add(outside.tag(job, run)));
    }
    for (OutsideAccount account : outside.accounts()) {
      if (!known.contains(account.tag())) {
        defects.unexplained(account.tag(), "was never granted, and is there: " + account);
      }
    }
  }

  private static Predicate<OutsideAccount> ran() {
    return account -> account.exited() && account.status() == 0;
  }

  /** Of a job of the harness what was asked for, and of a task's what the ledger tells. */
  private Optional<DueEnd> due(JobHistory job) {
    RecordedRequest request = requests.get(job.token());
    if (request != null) {
      return Optional.of(
          new DueEnd(
              request.exitStatus(),
              request.asked(JobOperation.DELETE),
              request.asked(JobOperation.RERUN)));
    }
    boolean deleted = job.ends().stream().anyMatch(it -> it.fact() instanceof JobDeleted);
    return job.campaignTag().isEmpty()
        ? Optional.empty()
        : Optional.of(new DueEnd(0, deleted || job.isToldToEnd(), false));
  }

  private void ends(JobHistory job, DueEnd due) {
    if (job.ends().isEmpty()) {
      defects.lost(job.id(), "never ended; last fact " + job.all().get(job.all().size() - 1));
    } else if (job.ends().size() > 1) {
      defects.twice(job.id(), "ended more than once: " + job.ends());
    }
    for (LedgerEntry end : job.ends()) {
      if (end.fact() instanceof JobDeleted && !due.deleted()) {
        defects.unexplained(job.id(), "deleted, and nobody asked for it: " + end);
      }
    }
  }

  /**
   * Checks that a run is one job outside, but for those that the harness has doubled, also where
   * its command was ended before it could say so, and those whose command outlived the connector
   * that had started it: nobody can look for them in time.
   */
  private void once(JobHistory job, int run) {
    String tag = outside.tag(job, run);
    Set<Long> numbers = new TreeSet<>();
    outside.accounts(tag).forEach(it -> numbers.add(it.number()));
    List<CommandNote> carried =
        outside.commands().stream().filter(it -> it.tag().equals(tag)).toList();
    long excused =
        carried.stream()
            .filter(it -> it.what().equals(CommandNote.DOUBLED) || isOrphan(it))
            .filter(it -> numbers.contains(it.number()))
            .count();
    long cutOff = count(carried, CommandNote.DOUBLING) - count(carried, CommandNote.DOUBLED);
    if (numbers.size() > 1 + excused + Math.max(0, cutOff)) {
      defects.submittedAgain(
          job.id(), tag + " is the jobs " + numbers + " there, and was carried out as " + carried);
    }
  }

  private static long count(List<CommandNote> notes, String what) {
    return notes.stream().filter(it -> it.what().equals(what)).count();
  }

  private boolean isOrphan(CommandNote note) {
    return note.what().equals(CommandNote.CARRIED)
        && outside.moments().connectorKills().stream()
            .anyMatch(it -> it.toMs() >= note.begunMs() && it.fromMs() <= note.atMs());
  }

  /** A run that the ledger calls ended. */
  private final class EndedRun {
    private final JobHistory job;
    private final int run;
    private final LedgerEntry end;
    private final DueEnd due;
    private final String tag;
    private final OptionalLong scriptEnd;
    private final Optional<OutsideAccount> account;

    EndedRun(JobHistory job, int run, LedgerEntry end, DueEnd due) {
      this.job = job;
      this.run = run;
      this.end = end;
      this.due = due;
      this.tag = outside.tag(job, run);
      this.scriptEnd = outside.scriptEnd(job.id(), run);
      // A job that the system begins again because it has lost its end is a copy that ends at once.
      this.account =
          outside
              .holder(tag)
              .filter(it -> scriptEnd.isEmpty() || it.status() != RunWrapper.SECOND_COPY);
    }

    private boolean hasBegun() {
      return begun.contains(job.id() + " " + run);
    }

    private boolean asked() {
      return due.deleted() || due.rerun();
    }

    void check() {
      alive();
      late();
      if (end.fact() instanceof RunFinished finished) {
        status(finished.getExitStatus(), finished.getMessage());
      }
    }

    private void alive() {
      long endedMs = end.meta().getAtMs();
      if (outside.lives(tag)) {
        defects.endedEarly(job.id(), tag + " is in the queue there: " + end);
      } else if (scriptEnd.isPresent() && scriptEnd.getAsLong() > endedMs + SLACK_MS) {
        defects.endedEarly(
            job.id(), tag + " ran for " + (scriptEnd.getAsLong() - endedMs) + " ms more: " + end);
      } else if (account.isPresent() && account.get().endMs() > endedMs + SLACK_MS) {
        defects.endedEarly(job.id(), tag + " ended there later, " + account.get() + ": " + end);
      }
    }

    private void late() {
      if (account.isPresent()) {
        long since = Math.max(account.get().endMs(), outside.moments().backMs());
        long tookMs = end.meta().getAtMs() - since;
        if (tookMs > SOON_MS) {
          defects.disagrees(
              job.id(), tag + " was called ended " + tookMs + " ms after it was: " + end);
        }
      }
    }

    private void status(int status, String told) {
      if (account.isPresent() && account.get().exited()) {
        exited(status, account.get());
      } else if (scriptEnd.isPresent()) {
        // Its last act was to exit; at most it was told to end at the same moment.
        if (status != due.exitStatus() && !(status == TERMINATED && asked())) {
          defects.disagrees(job.id(), "its script ran to its end, and the status is " + status());
        }
      } else if (!(status == TERMINATED && asked()) && told.isEmpty()) {
        wordless();
      }
    }

    private void exited(int status, OutsideAccount said) {
      if (status != said.status()) {
        defects.disagrees(job.id(), said + ", and the status is " + status());
      } else if (!hasBegun()) {
        defects.lost(job.id(), tag + " has exited, and its script never began: " + said);
      } else if (status != due.exitStatus() && !asked()) {
        defects.unexplained(
            job.id(), "its script ends with " + due.exitStatus() + ", not with " + status());
      }
    }

    private void wordless() {
      String what = "ended without a word, and nobody asked for it: " + status();
      if (hasBegun()) {
        defects.unexplained(job.id(), what);
      } else {
        defects.lost(job.id(), "its script never began; it " + what);
      }
    }

    private String status() {
      return ((RunFinished) end.fact()).getExitStatus() + " in " + end;
    }
  }
}
