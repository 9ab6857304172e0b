package io.millrace.schemas.engine;

import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.state.EntityUsage;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.Node;
import io.millrace.schemas.state.PastReservation;
import io.millrace.schemas.state.Reason;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.Scheduler;
import java.util.function.Consumer;

/** State of a shard at one point of its ledger. Valid only during {@link EngineFactory#start}. */
public interface EngineSnapshot {

  /** Shard time, milliseconds since 1970. */
  long timeMs();

  /** All cluster objects: server, queues, nodes, schedulers, resources, partitions. */
  void objects(Consumer<ClusterObject> each);

  /** Run-time records of the scheduler objects of this shard. */
  void schedulers(Consumer<Scheduler> each);

  /** What entities of fair share have used. */
  void usages(Consumer<EntityUsage> each);

  /** Why classes of jobs wait, as the engine of the scheduler object has said it. */
  void reasons(Consumer<Reason> each);

  /** Run-time records of the nodes of this shard. */
  void nodes(Consumer<Node> each);

  /** Jobs of this shard that have not finished. */
  void jobs(Consumer<Job> each);

  /** Reservations on nodes of this shard that have not ended. */
  void reservations(Consumer<Reservation> each);

  /** Reservations on nodes of this shard that have ended and are still known. */
  void past(Consumer<PastReservation> each);
}
