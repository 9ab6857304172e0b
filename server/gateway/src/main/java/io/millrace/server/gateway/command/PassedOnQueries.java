package io.millrace.server.gateway.command;

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
import io.millrace.server.gateway.query.FreeNode;
import io.millrace.server.gateway.query.Queries;
import io.millrace.server.gateway.query.QueryException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** Queries that are the same whoever asks; those about jobs are for the classes below this one. */
abstract class PassedOnQueries implements Queries {

  final Queries all;

  PassedOnQueries(Queries all) {
    this.all = all;
  }

  @Override
  public List<Dependent> dependents(Job job) throws QueryException, InterruptedException {
    return all.dependents(job);
  }

  @Override
  public List<Queue> queues() throws QueryException, InterruptedException {
    return all.queues();
  }

  @Override
  public List<Node> nodes() throws QueryException, InterruptedException {
    return all.nodes();
  }

  @Override
  public List<Reservation> reservations() throws QueryException, InterruptedException {
    return all.reservations();
  }

  @Override
  public List<Reservation> reservationRows() throws QueryException, InterruptedException {
    return all.reservationRows();
  }

  @Override
  public List<FreeNode> freeNodes(long fromMs, long toMs)
      throws QueryException, InterruptedException {
    return all.freeNodes(fromMs, toMs);
  }

  @Override
  public List<NodeBooking> bookings(int shard, String node)
      throws QueryException, InterruptedException {
    return all.bookings(shard, node);
  }

  @Override
  public List<PastReservation> pastReservations() throws QueryException, InterruptedException {
    return all.pastReservations();
  }

  @Override
  public List<ReservationWhole> wholes() throws QueryException, InterruptedException {
    return all.wholes();
  }

  @Override
  public Optional<Reservation> reservation(long number)
      throws QueryException, InterruptedException {
    return all.reservation(number);
  }

  @Override
  public List<Scheduler> schedulers(int shard) throws QueryException, InterruptedException {
    return all.schedulers(shard);
  }

  @Override
  public List<Scheduler> schedulers() throws QueryException, InterruptedException {
    return all.schedulers();
  }

  @Override
  public List<EntityUsage> usages(int shard) throws QueryException, InterruptedException {
    return all.usages(shard);
  }

  @Override
  public Optional<Reason> reason(int shard, String scheduler, String classKey)
      throws QueryException, InterruptedException {
    return all.reason(shard, scheduler, classKey);
  }

  @Override
  public OptionalInt birth(long number) throws QueryException, InterruptedException {
    return all.birth(number);
  }

  @Override
  public boolean hides(long number) throws QueryException, InterruptedException {
    return all.hides(number);
  }
}
