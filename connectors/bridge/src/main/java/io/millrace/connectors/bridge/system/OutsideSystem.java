package io.millrace.connectors.bridge.system;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * An outside system as the bridge sees it. Each method is one command of the system or a look into
 * one of its files, bounded in time; none of them remembers anything between calls.
 */
public interface OutsideSystem {

  /** Submits a run once. */
  Submitted submit(OutsideSubmission submission) throws InterruptedException;

  /** So many runs one submission can have as tasks of an array; 1 where none can be. */
  default int tasksMost() {
    return 1;
  }

  /**
   * Submits runs that differ only in what they do, once, as the tasks 1 and following of an array.
   *
   * @param array its mark
   */
  default Submitted submitArray(OutsideTag array, List<OutsideSubmission> runs)
      throws InterruptedException {
    return new Submitted.SubmissionRefused("no arrays are submitted to this system");
  }

  /**
   * So many runs one submission can have as jobs each of which has the mark of its run; 1 where
   * none can be.
   */
  default int togetherMost() {
    return 1;
  }

  /**
   * Submits runs that differ only in name and in what they do, with one submission, each as a job
   * that is found by the mark of its run.
   *
   * @return that they were taken together, or what is said of all of them
   */
  default Submitted submitTogether(List<OutsideSubmission> runs) throws InterruptedException {
    return new Submitted.SubmissionRefused("no runs are submitted together to this system");
  }

  /**
   * Whether a command that submits a run is still under way on this machine, as one that was left
   * by a connector that was killed; one elsewhere is not seen.
   */
  default boolean isSubmitting(OutsideTag tag, String account) {
    return false;
  }

  /**
   * All jobs of the queue that have a tag of this cluster: those too that have ended and that the
   * queue still shows.
   */
  Told<List<OutsideJob>> tagged() throws InterruptedException;

  /** Does something to a job, in the name of its owner. */
  Controlled control(OutsideId id, String account, OutsideAction action)
      throws InterruptedException;

  /**
   * Gives a job another time limit, in the name of its owner.
   *
   * @param order as it was submitted
   * @param wallSeconds from its begin
   * @param begun whether it runs
   */
  default Controlled limit(OutsideId id, OutsideSubmission order, long wallSeconds, boolean begun)
      throws InterruptedException {
    return new Controlled.ControlRefused("this system changes no walltime of a job");
  }

  /** Sends a signal to the processes of a job that runs, in the name of its owner. */
  default Controlled signal(OutsideId id, String account, int signal) throws InterruptedException {
    return new Controlled.ControlRefused("this system passes no signals on");
  }

  /**
   * What was written since a cursor, and what a database has told of jobs that are over: it is
   * asked for these in a pace of its own.
   *
   * @param cursor of an earlier answer, or empty for the present end
   */
  Told<OutsideChanges> changes(String cursor) throws InterruptedException;

  /** Whether {@link #snapshot} shows all that {@link #tagged} does, tags too. */
  default boolean snapshotHasTags() {
    return false;
  }

  /** All jobs of the queue. */
  Told<List<OutsideJob>> snapshot() throws InterruptedException;

  /**
   * What is known of jobs of an account that the queue does not show, each asked for by its number,
   * before anything is concluded from that: where others' jobs are hidden, only the account itself
   * is told of its own. One that is not in the answer is asked for again later.
   *
   * @return the job, there or over; empty for one of which nothing more is known
   */
  Told<Map<OutsideId, Optional<OutsideJob>>> byNumber(String account, Collection<OutsideId> ids)
      throws InterruptedException;

  /**
   * Whether {@link #byNumber} tells how jobs have ended that the queue shows no more, and what they
   * have used, which no record will tell.
   */
  default boolean numbersTellEnds() {
    return false;
  }

  /** What is to be had of a database of jobs. */
  enum DatabaseState {
    /** There is none. */
    NONE,
    /** It did not answer, and is left alone for a while: nothing is told without a question. */
    SILENT,
    /** It is asked. */
    ASKED
  }

  /** Whether {@link #inDatabase} asks anybody. */
  default DatabaseState database() throws InterruptedException {
    return DatabaseState.NONE;
  }

  /**
   * Which of some marks a database of the system has, to which records may come late; it is asked
   * before a submission is made again that the queue does not show.
   *
   * @param since from how long ago on the submissions were made
   * @return numbers of jobs by marks; without those that it does not have, and empty where there is
   *     no database
   */
  default Told<Map<OutsideTag, OutsideId>> inDatabase(
      String account, Collection<OutsideTag> marks, Duration since) throws InterruptedException {
    return Told.of(Map.of());
  }

  Told<OutsideInventory> inventory() throws InterruptedException;

  /**
   * How hard pressed it says itself that it is, from 0 to 1; empty for one that does not say so, or
   * not now.
   */
  default OptionalDouble ownStress() throws InterruptedException {
    return OptionalDouble.empty();
  }

  /** Whether accounting is read, so that a job without any record was never there. */
  boolean hasAccounting();

  /**
   * Whether what it says of begins and ends of jobs names them by their numbers alone, so that a
   * move without a tag may be of a run.
   */
  default boolean movesAreNumbered() {
    return false;
  }

  /** Whether a record of accounting says what a job has used, so that it is worth waiting for. */
  boolean recordsUsage();
}
