package io.millrace.connectors.local.run;

import io.millrace.connectors.local.execution.LocalExecution;
import io.millrace.connectors.local.execution.NullExecution;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** What carries out runs; see {@link LocalExecution} and {@link NullExecution}. */
public interface Execution extends AutoCloseable {

  /**
   * Accepts a run; blocks while too many are unfinished. It does not start before all earlier runs
   * of its job that are known here have ended.
   *
   * @return false when the run is known already; nothing was done then
   * @throws IOException when it could not be taken on; nothing was done, the call may be repeated
   */
  boolean start(RunRequest request) throws IOException, InterruptedException;

  /**
   * Sends a signal to a run; 15 (TERM) is followed by 9 (KILL) after the run's kill delay, and both
   * cancel a run that has not started.
   *
   * @return false when there is no such run here, it is over, or it is too young for a signal other
   *     than 9 and 15
   */
  boolean kill(RunId id, int signal) throws IOException;

  /**
   * Ends a run at once that was given up, or cancels it. What it printed is kept in the spool and
   * not brought to where its owner wanted it: another run of the job may have been there since.
   *
   * @return false when there is no such run here, or it is over
   */
  boolean discard(RunId id) throws IOException;

  /**
   * Has a run carry out an order once: a signal's number, {@code suspend}, {@code resume}, {@code
   * hold} and {@code release} where it may not have begun, {@code limit} with the seconds that it
   * may last from its start, or {@code cput} with those of processor time that it has used on all
   * its hosts, by which it ends when it may not. Unlike with {@link #kill} nothing follows a
   * signal, and one that comes before the start waits for it.
   *
   * @param number grows from order to order; a signal whose number is not larger than one given was
   *     given before, while all others are a state that the last of them tells
   * @return false when there is no such run here, or it is over
   * @throws IOException when it could not be passed on; the call may be repeated
   */
  boolean order(RunId id, int number, String order) throws IOException;

  /**
   * Writes a line into a run's output; of a run whose streams are one file into that.
   *
   * @param output standard output, not standard error
   * @throws IOException when it could not be written
   */
  void write(RunId id, boolean output, String line) throws IOException;

  /** Forgets a run whose end was safely handed over. */
  void release(RunId id) throws IOException;

  boolean knows(RunId id);

  /** All runs that were taken on and not released. */
  List<RunId> runs();

  /** The runs whose programs are executing, as far as is known. */
  List<StartedRun> begun();

  /** Whether it can tell what runs have used before they end. */
  default boolean tellsUsage() {
    return true;
  }

  /**
   * What a run has used until its last sample, which is some seconds old; empty before the first.
   *
   * @throws IOException when it cannot be read now
   */
  Optional<RunUsage> sample(RunId id) throws IOException;

  /** Whether runs that were taken on survive the death of this process. */
  boolean survives();

  @Override
  void close() throws IOException;
}
