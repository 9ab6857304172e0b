package io.millrace.server.accounting.letter;

import io.millrace.schemas.common.FactMeta;
import io.millrace.schemas.common.Usage;
import io.millrace.schemas.fact.ArrayCut;
import io.millrace.schemas.fact.ArrayEnded;
import io.millrace.schemas.fact.JobDeleted;
import io.millrace.schemas.fact.RunFinished;
import io.millrace.schemas.fact.RunKillRequested;
import io.millrace.schemas.fact.RunRequeued;
import io.millrace.schemas.fact.RunStarted;
import io.millrace.schemas.pbs.ExitStatus;
import io.millrace.schemas.pbs.jobs.JobNumbers;
import io.millrace.schemas.state.KillPurpose;
import io.millrace.server.accounting.book.AccountBook;
import io.millrace.server.accounting.book.JobAccount;
import io.millrace.server.accounting.book.Submitter;
import io.millrace.server.accounting.book.UsageText;
import io.millrace.server.accounting.ledger.FactHandlers;
import io.millrace.server.accounting.ledger.FactReader;
import io.millrace.server.mail.MailMessage;
import java.util.ArrayList;
import java.util.List;
import org.apache.avro.specific.SpecificRecord;

/**
 * Who is written to about what, with PBS's texts. The job is as the book has it before the fact. A
 * job with Mail_Points n is written about never, also where PBS would do so all the same.
 */
public final class MailNotices implements FactReader {

  private static final String BEGUN = "Begun execution";
  private static final String ENDED = "Execution terminated";
  private static final String ABORTED = "Aborted by PBS Server ";
  private static final String STAGE_IN =
      "File stage in failed, see below.\n"
          + "Job will be retried later, please investigate and correct problem.";

  /** What a supervisor says of files that did not reach their places. */
  private static final List<String> UNDELIVERED =
      List.of("cannot deliver output", "cannot stage files out");

  /** What is written about: a letter of Mail_Points, or something that all are told. */
  private enum Point {
    BEGIN('b'),
    END('e'),
    ABORT('a'),
    FORCED(' ');

    private final char letter;

    Point(char letter) {
      this.letter = letter;
    }

    boolean wanted(String points) {
      return points.indexOf('n') < 0 && (this == FORCED || points.indexOf(letter) >= 0);
    }
  }

  private final FactHandlers handlers = new FactHandlers();
  private final AccountBook book;
  private final MailQueue box;

  public MailNotices(AccountBook book, MailQueue box) {
    this.book = book;
    this.box = box;
    handlers.on(RunStarted.class, this::started);
    handlers.on(RunFinished.class, this::finished);
    handlers.on(RunRequeued.class, this::requeued);
    handlers.on(ArrayEnded.class, this::arrayEnded);
    handlers.on(
        ArrayCut.class,
        (shard, meta, fact) -> {
          if (fact.getEnd() && !fact.getQuiet()) {
            deleted(shard, meta, fact.getJobId(), fact.getBy());
          }
        });
    handlers.on(
        RunKillRequested.class,
        (shard, meta, fact) -> {
          if (fact.getPurpose() == KillPurpose.DELETE && !fact.getQuiet()) {
            deleted(shard, meta, fact.getJobId(), fact.getBy());
          }
        });
    handlers.on(JobDeleted.class, this::gone);
  }

  @Override
  public boolean tells(String fact) {
    return handlers.tells(fact);
  }

  @Override
  public void follow(int shard, SpecificRecord fact) {
    handlers.follow(shard, fact);
  }

  private void started(int shard, FactMeta meta, RunStarted fact) {
    JobAccount job = job(shard, fact.getJobId());
    if (job != null && job.run() != null && !job.run().told()) {
      begun(shard, meta, job);
    }
  }

  private void begun(int shard, FactMeta meta, JobAccount job) {
    long number = FactHandlers.number(job.id());
    JobAccount array =
        JobNumbers.isSubjob(number) ? book.job(shard, JobNumbers.array(number)) : null;
    if (array != null && array.array() != null && array.array().startedMs() < 0) {
      write(Point.BEGIN, meta, array, BEGUN);
    }
    write(Point.BEGIN, meta, job, BEGUN);
  }

  private void finished(int shard, FactMeta meta, RunFinished fact) {
    JobAccount job = job(shard, fact.getJobId());
    if (job == null || job.run() == null) {
      return;
    }
    if (!job.run().told() && fact.getStartedMs() > 0) {
      // The report of the start was lost.
      begun(shard, meta, job);
    }
    String abort = abort(fact);
    if (!abort.isEmpty()) {
      write(Point.FORCED, meta, job, ABORTED + "\n" + abort);
    } else if (wanted(Point.END, job)) {
      write(Point.END, meta, job, ENDED + "\n" + status(fact.getExitStatus(), fact.getUsed()));
    }
    undelivered(meta, job, fact.getMessage());
  }

  private void undelivered(FactMeta meta, JobAccount job, String message) {
    if (UNDELIVERED.stream().anyMatch(message::contains)) {
      String host = job.run().place().replaceFirst("^exec_host=([^/ ]*).*", "$1").strip();
      String where = "Post job file processing error; job " + job.id() + " on host " + host;
      write(Point.FORCED, meta, job, where + "\n" + message);
    }
  }

  private static String status(int exitStatus, Usage used) {
    return "Exit_status=" + exitStatus + "\n" + String.join("\n", UsageText.of(used));
  }

  /** PBS's words for a run that did not end by itself; empty for others. */
  private static String abort(RunFinished fact) {
    return switch (fact.getExitStatus()) {
      case -1 -> "Job cannot be executed\nSee Administrator for help";
      case -2 -> "Job cannot be executed\nSee job standard error file";
      case -4 -> "Job aborted on PBS Server initialization";
      case -10 -> "Bad UID for job execution";
      case -11 -> "Its host was shut down, and it may not be run again";
      case -20 -> fact.getMessage().isEmpty() ? "Its node was lost" : fact.getMessage();
      case -26 -> "Job exceeded resource vmem\nSee job standard error file";
      case -27 -> "Job exceeded resource mem\nSee job standard error file";
      case -28 -> "Job exceeded resource cput\nSee job standard error file";
      case -29 -> "Job exceeded resource walltime\nSee job standard error file";
      case ExitStatus.PREEMPTED -> "Job was " + fact.getMessage();
      case ExitStatus.OUTPUT_EXCEEDED -> "Job printed too much\nSee job standard error file";
      default -> "";
    };
  }

  private void requeued(int shard, FactMeta meta, RunRequeued fact) {
    JobAccount job = job(shard, fact.getJobId());
    if (job != null && fact.getExitStatus() == ExitStatus.STAGE_IN_FAILED) {
      write(Point.FORCED, meta, job, STAGE_IN + "\n" + fact.getWhy());
    } else if (job != null && job.run() != null) {
      undelivered(meta, job, fact.getWhy());
    }
  }

  private void arrayEnded(int shard, FactMeta meta, ArrayEnded fact) {
    JobAccount array = job(shard, fact.getJobId());
    if (array != null && array.array() != null && array.array().startedMs() >= 0) {
      write(Point.END, meta, array, ENDED + "\nExit_status=" + fact.getExitStatus());
    }
  }

  private void gone(int shard, FactMeta meta, JobDeleted fact) {
    if (fact.getWhy().isEmpty()) {
      String by = fact.getBy().isEmpty() ? meta.getPrincipal() : fact.getBy();
      if (!fact.getQuiet()) {
        deleted(shard, meta, fact.getJobId(), by);
      }
      return;
    }
    JobAccount job = job(shard, fact.getJobId());
    if (job != null) {
      write(Point.ABORT, meta, job, ABORTED + "\n" + fact.getWhy());
    }
  }

  /** Who deletes a job of his own knows it. */
  private void deleted(int shard, FactMeta meta, String jobId, String by) {
    JobAccount job = job(shard, jobId);
    if (job != null && !user(by).equals(user(job.submitter().address()))) {
      write(Point.FORCED, meta, job, "Job to be deleted at request of " + by);
    }
  }

  private static String user(String address) {
    int at = address.indexOf('@');
    return at < 0 ? address : address.substring(0, at);
  }

  private JobAccount job(int shard, String jobId) {
    return book.job(shard, FactHandlers.number(jobId));
  }

  private static boolean wanted(Point point, JobAccount job) {
    Submitter submitter = job.submitter();
    if (!point.wanted(submitter.points())) {
      return false;
    }
    boolean subjob = JobNumbers.isSubjob(FactHandlers.number(job.id()));
    return (!subjob || submitter.points().indexOf('j') >= 0)
        && !(submitter.users().isEmpty() && submitter.address().isEmpty());
  }

  private void write(Point point, FactMeta meta, JobAccount job, String text) {
    Submitter submitter = job.submitter();
    if (!wanted(point, job)) {
      return;
    }
    List<String> to = new ArrayList<>();
    if (submitter.users().isEmpty()) {
      to.add(submitter.address());
    } else {
      to.addAll(List.of(submitter.users().split(",")));
    }
    box.put(
        new MailMessage(
            meta.getAtMs(),
            to,
            "PBS JOB " + job.id(),
            "PBS Job Id: " + job.id() + "\nJob Name:   " + submitter.name() + "\n" + text + "\n"));
  }
}
