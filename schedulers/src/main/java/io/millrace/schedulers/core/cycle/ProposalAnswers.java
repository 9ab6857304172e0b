package io.millrace.schedulers.core.cycle;

import io.millrace.schedulers.core.state.SchedulerBooks;
import java.util.List;

/** What became of proposals that the shard did not simply accept, and what is still open. */
public final class ProposalAnswers {

  private final SchedulerBooks books;

  ProposalAnswers(SchedulerBooks books) {
    this.books = books;
  }

  /**
   * The shard refused what was proposed about a reservation: nothing more is proposed until {@link
   * #resumes}.
   */
  public void refused(long number) {
    books.reservationFacts().refused(number);
  }

  /** What was proposed about a reservation was never answered. */
  public void unanswered(long number) {
    books.reservationFacts().unanswered(number);
  }

  /** Proposals about a reservation that was refused may be made again. */
  public void resumes(long number) {
    books.reservationFacts().resume(number);
  }

  /**
   * Number of the suspended run that a job's start would resume; 0 for a job that would begin a new
   * run.
   */
  public int suspendedRun(long number) {
    return books.jobFacts().suspendedRun(number);
  }

  /**
   * The shard did not stop a job.
   *
   * @return the jobs that do not start for that reason
   */
  public List<Long> notStopped(long number) {
    return books.claims().notStopped(number);
  }

  /**
   * Leaves the class of a job out of cycles until {@link #endBackOff}.
   *
   * @param telling whether that is told as the reason why its jobs wait
   * @return canonical text of the class, or null when the job is not known
   */
  public String backOff(long number, String code, boolean telling, long nowMs) {
    return books.jobFacts().backOff(number, code, telling, nowMs);
  }

  /** Ends the pause of a class. */
  public void endBackOff(String classKey) {
    books.ready().endBackOff(classKey);
  }

  /** Number of starts that are proposed and not yet answered. */
  public int proposalsOpen() {
    return books.jobFacts().open();
  }
}
