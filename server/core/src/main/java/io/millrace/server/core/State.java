package io.millrace.server.core;

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
  Table<Job> jobs();

  @Override
  Table<Node> nodes();

  @Override
  Table<Queue> queues();

  @Override
  Table<Scheduler> schedulers();

  @Override
  Table<ClusterObject> objects();

  @Override
  Table<Answer> answers();

  @Override
  Table<StoredScript> scripts();

  @Override
  Table<Timer> timers();

  @Override
  Table<Reason> reasons();

  @Override
  Table<JobBlock> blocks();

  @Override
  Table<Whereabouts> whereabouts();

  @Override
  Table<OpenChange> changes();

  @Override
  Table<Parked> parked();

  @Override
  Table<Arrival> arrivals();

  @Override
  Table<FormerQueue> formerQueues();

  @Override
  Table<Queued> queued();

  @Override
  Table<Routed> routed();

  @Override
  Table<ShardState> numbers();

  @Override
  Table<Dependent> dependents();

  /** All records of all tables as they are now. */
  Frozen<SpecificRecord> freeze();

  /** Puts a record into the table of its type, past all appliers: the beginning of a rebuilding. */
  void restore(String key, SpecificRecord record);
}
