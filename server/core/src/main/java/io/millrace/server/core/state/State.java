package io.millrace.server.core.state;

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

/** The whole state of a shard; only appliers write it. */
public interface State extends View {

  @Override
  <V extends SpecificRecord> Table<V> table(Class<V> type);

  @Override
  default Table<Job> jobs() {
    return table(Job.class);
  }

  @Override
  default Table<Node> nodes() {
    return table(Node.class);
  }

  @Override
  default Table<Queue> queues() {
    return table(Queue.class);
  }

  @Override
  default Table<Scheduler> schedulers() {
    return table(Scheduler.class);
  }

  @Override
  default Table<ClusterObject> objects() {
    return table(ClusterObject.class);
  }

  @Override
  default Table<Answer> answers() {
    return table(Answer.class);
  }

  @Override
  default Table<StoredScript> scripts() {
    return table(StoredScript.class);
  }

  @Override
  default Table<Timer> timers() {
    return table(Timer.class);
  }

  @Override
  default Table<Reason> reasons() {
    return table(Reason.class);
  }

  @Override
  default Table<JobBlock> blocks() {
    return table(JobBlock.class);
  }

  @Override
  default Table<Whereabouts> whereabouts() {
    return table(Whereabouts.class);
  }

  @Override
  default Table<OpenChange> changes() {
    return table(OpenChange.class);
  }

  @Override
  default Table<Parked> parked() {
    return table(Parked.class);
  }

  @Override
  default Table<Arrival> arrivals() {
    return table(Arrival.class);
  }

  @Override
  default Table<FormerQueue> formerQueues() {
    return table(FormerQueue.class);
  }

  @Override
  default Table<Queued> queued() {
    return table(Queued.class);
  }

  @Override
  default Table<Routed> routed() {
    return table(Routed.class);
  }

  @Override
  default Table<ShardState> numbers() {
    return table(ShardState.class);
  }

  @Override
  default Table<Dependent> dependents() {
    return table(Dependent.class);
  }

  /** The followers of job records. */
  RecordFollowers jobFollowers();

  /** All records of all tables as they are now. */
  Frozen<SpecificRecord> freeze();

  /** Puts a record of a snapshot into the table of its type, without an applier. */
  void restore(String key, SpecificRecord record);
}
