package io.millrace.server.core.job.move;

import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.fact.JobMoved;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.ShardState;
import io.millrace.server.core.Copies;
import io.millrace.server.core.JobTable;
import io.millrace.server.core.Keys;
import io.millrace.server.core.Shard;
import io.millrace.server.core.State;
import io.millrace.server.core.job.array.Arrays;

/** Applies moves inside a shard. */
public final class Appliers {

  public void apply(State state, JobMoved fact) {
    Job before = state.jobs().get(Keys.number(Keys.jobNumber(fact.getJobId())));
    Job after = Copies.withEvent(before, fact.getMeta().getAtMs(), "moved", fact.getQueue());
    after.setSpec(inQueue(before.getSpec(), fact.getQueue()));
    after.setRank(fact.getRank());
    after.setRoute(fact.getRoute());
    after.setQueuedMs(fact.getMeta().getAtMs());
    JobTable.replace(state, before, after);
    ShardState numbers = Copies.of(Shard.numbers(state));
    numbers.setNextRank(fact.getRank() + Arrays.ranks(after));
    state.numbers().put(Keys.NUMBERS, numbers);
  }

  /** The specification in another queue. */
  public static JobSpec inQueue(JobSpec before, String queue) {
    JobSpec spec = Copies.of(before);
    spec.setQueue(queue);
    return spec;
  }
}
