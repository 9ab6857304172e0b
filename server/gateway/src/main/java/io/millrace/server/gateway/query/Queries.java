package io.millrace.server.gateway.query;

import io.millrace.schemas.state.Dependent;
import io.millrace.schemas.state.EntityUsage;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.Node;
import io.millrace.schemas.state.NodeBooking;
import io.millrace.schemas.state.PastReservation;
import io.millrace.schemas.state.Queue;
import io.millrace.schemas.state.Reason;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.ReservationWhole;
import io.millrace.schemas.state.Scheduler;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** What can be asked of the shards. Thread-safe. */
public interface Queries {

  /** Receives records one after the other; false ends the list. */
  interface RecordReceiver<T> {
    boolean accept(T item) throws QueryException, InterruptedException;
  }

  /** A job wherever it lives now, finished or not; empty when there is none of this number. */
  Optional<Job> job(long number) throws QueryException, InterruptedException;

  /** Whether there is a job of this number that the caller may not see. */
  default boolean hides(long number) throws QueryException, InterruptedException {
    return false;
  }

  /** Jobs that wait, or waited, for a job; none when it has gone meanwhile. */
  List<Dependent> dependents(Job job) throws QueryException, InterruptedException;

  /** Most subjobs in one answer. */
  int SUBJOBS_AT_ONCE = 1000;

  /**
   * The subjobs of an array that have a record, from an index on, in the order of their indices.
   */
  List<Job> subjobs(Job array, int from) throws QueryException, InterruptedException;

  /** Jobs of all shards in ascending number, without subjobs. */
  void jobs(JobFilter filter, RecordReceiver<Job> each) throws QueryException, InterruptedException;

  /** Run-time side of all queues; a queue that is moving may be told by two shards. */
  List<Queue> queues() throws QueryException, InterruptedException;

  /** Run-time side of all nodes; a node that is moving may be told by two shards. */
  List<Node> nodes() throws QueryException, InterruptedException;

  /** All reservations, in no order. */
  List<Reservation> reservations() throws QueryException, InterruptedException;

  /**
   * All reservations, in no order, each with what a row of a list shows: not where it lies, nor
   * what it asks for.
   */
  List<Reservation> reservationRows() throws QueryException, InterruptedException;

  /** All nodes that are up and of which nothing is booked in a window, in no order. */
  List<FreeNode> freeNodes(long fromMs, long toMs) throws QueryException, InterruptedException;

  /** What reservations have booked of a node, in the order of their starts. */
  List<NodeBooking> bookings(int shard, String node) throws QueryException, InterruptedException;

  /** What is kept of reservations that have ended, in no order. */
  List<PastReservation> pastReservations() throws QueryException, InterruptedException;

  /** Those that have parts, in no order. */
  List<ReservationWhole> wholes() throws QueryException, InterruptedException;

  /** The reservation with this number. */
  Optional<Reservation> reservation(long number) throws QueryException, InterruptedException;

  /** Run-time side of all scheduler objects. */
  List<Scheduler> schedulers() throws QueryException, InterruptedException;

  /** Run-time side of the scheduler objects of a shard. */
  List<Scheduler> schedulers(int shard) throws QueryException, InterruptedException;

  /** What entities of fair share have used, of all scheduler objects of a shard. */
  List<EntityUsage> usages(int shard) throws QueryException, InterruptedException;

  /** Why a class of requests waits, as its scheduler last said. */
  Optional<Reason> reason(int shard, String scheduler, String classKey)
      throws QueryException, InterruptedException;

  /** The shard that gave this job number; empty when no shard has it. */
  OptionalInt birth(long number) throws QueryException, InterruptedException;
}
