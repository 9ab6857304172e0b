package io.millrace.server.core.state;

import io.millrace.schemas.RecordCodec;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.state.Answer;
import io.millrace.schemas.state.Arrival;
import io.millrace.schemas.state.Dependent;
import io.millrace.schemas.state.FormerQueue;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobBlock;
import io.millrace.schemas.state.Node;
import io.millrace.schemas.state.OpenChange;
import io.millrace.schemas.state.Parked;
import io.millrace.schemas.state.Queue;
import io.millrace.schemas.state.Queued;
import io.millrace.schemas.state.Reason;
import io.millrace.schemas.state.Routed;
import io.millrace.schemas.state.Scheduler;
import io.millrace.schemas.state.ShardState;
import io.millrace.schemas.state.StoredScript;
import io.millrace.schemas.state.Timer;
import io.millrace.schemas.state.Whereabouts;
import org.apache.avro.specific.SpecificRecord;

/** What a decider may read. Keys are made by {@link Keys}. */
public interface View {

  /** Number of this shard. */
  int shard();

  /** Number of all shards. */
  int shards();

  /** The codec for records that are carried in other records as bytes. */
  RecordCodec codec();

  /** The table of records of this type, which their schema names (property "table"). */
  <V extends SpecificRecord> ReadTable<V> table(Class<V> type);

  /** What reservations have booked of nodes. */
  ReadBookings bookings();

  default ReadTable<Job> jobs() {
    return table(Job.class);
  }

  default ReadTable<Node> nodes() {
    return table(Node.class);
  }

  default ReadTable<Queue> queues() {
    return table(Queue.class);
  }

  default ReadTable<Scheduler> schedulers() {
    return table(Scheduler.class);
  }

  default ReadTable<ClusterObject> objects() {
    return table(ClusterObject.class);
  }

  default ReadTable<Answer> answers() {
    return table(Answer.class);
  }

  default ReadTable<StoredScript> scripts() {
    return table(StoredScript.class);
  }

  default ReadTable<Timer> timers() {
    return table(Timer.class);
  }

  default ReadTable<Reason> reasons() {
    return table(Reason.class);
  }

  default ReadTable<JobBlock> blocks() {
    return table(JobBlock.class);
  }

  default ReadTable<Whereabouts> whereabouts() {
    return table(Whereabouts.class);
  }

  default ReadTable<OpenChange> changes() {
    return table(OpenChange.class);
  }

  default ReadTable<Parked> parked() {
    return table(Parked.class);
  }

  default ReadTable<Arrival> arrivals() {
    return table(Arrival.class);
  }

  default ReadTable<FormerQueue> formerQueues() {
    return table(FormerQueue.class);
  }

  default ReadTable<Queued> queued() {
    return table(Queued.class);
  }

  default ReadTable<Routed> routed() {
    return table(Routed.class);
  }

  default ReadTable<ShardState> numbers() {
    return table(ShardState.class);
  }

  default ReadTable<Dependent> dependents() {
    return table(Dependent.class);
  }
}
