package io.millrace.server.core.job.move;

import io.millrace.schemas.fact.JobMoved;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.ShardState;
import io.millrace.server.core.state.ArrayStates;
import io.millrace.server.core.state.Copies;
import io.millrace.server.core.state.JobRecords;
import io.millrace.server.core.state.Keys;
import io.millrace.server.core.state.ShardNumbers;
import io.millrace.server.core.state.State;

/** Applies moves inside a shard. */
public final class Appliers {

  public void apply(State state, JobMoved fact) {
    Job before = state.jobs().get(Keys.number(Keys.jobNumber(fact.getJobId())));
    Job after = Copies.withEvent(before, fact.getMeta().getAtMs(), "moved", fact.getQueue());
    after.setSpec(Copies.inQueue(before.getSpec(), fact.getQueue()));
    after.setRank(fact.getRank());
    after.setRoute(fact.getRoute());
    if (before.getAllocation() == null) {
      after.setQueuedMs(fact.getMeta().getAtMs());
    }
    JobRecords.replace(state, before, after);
    ShardState numbers = Copies.of(ShardNumbers.of(state));
    numbers.setNextRank(fact.getRank() + ArrayStates.ranks(after));
    state.numbers().put(Keys.NUMBERS, numbers);
  }
}
