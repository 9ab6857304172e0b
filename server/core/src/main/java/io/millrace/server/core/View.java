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

/** What a decider may read. Keys are made by {@link Keys}. */
public interface View {

  /** Number of this shard. */
  int shard();

  /** Number of all shards. */
  int shards();

  ReadTable<Job> jobs();

  ReadTable<Node> nodes();

  ReadTable<Queue> queues();

  ReadTable<Scheduler> schedulers();

  ReadTable<ClusterObject> objects();

  ReadTable<Answer> answers();

  ReadTable<StoredScript> scripts();

  ReadTable<Timer> timers();

  ReadTable<Reason> reasons();

  ReadTable<JobBlock> blocks();

  ReadTable<Whereabouts> whereabouts();

  ReadTable<OpenChange> changes();

  ReadTable<Parked> parked();

  ReadTable<Arrival> arrivals();

  ReadTable<FormerQueue> formerQueues();

  ReadTable<Queued> queued();

  ReadTable<Routed> routed();

  ReadTable<ShardState> numbers();

  ReadTable<Dependent> dependents();
}
