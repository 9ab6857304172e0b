package io.millrace.server.core.job.submit;

import io.millrace.schemas.fact.JobQueued;
import io.millrace.schemas.fact.ScriptStored;
import io.millrace.schemas.pbs.jobs.JobNumbers;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.ShardState;
import io.millrace.schemas.state.StoredScript;
import io.millrace.server.core.job.array.Subjobs;
import io.millrace.server.core.number.NumberBlocks;
import io.millrace.server.core.state.ArrayStates;
import io.millrace.server.core.state.Copies;
import io.millrace.server.core.state.JobRecords;
import io.millrace.server.core.state.Keys;
import io.millrace.server.core.state.ShardNumbers;
import io.millrace.server.core.state.State;

/** Applies submissions. */
public final class Appliers {

  public void apply(State state, JobQueued fact) {
    Job job = Copies.of(fact.getJob());
    JobRecords.replace(state, null, job);
    if (JobNumbers.isSubjob(job.getNumber())) {
      // Its number is its array's, its rank one of those that were put aside with it.
      Subjobs.opened(state, job);
      return;
    }
    ShardState numbers = Copies.of(ShardNumbers.of(state));
    numbers.setNextRank(job.getRank() + ArrayStates.ranks(job));
    NumberBlocks.used(numbers, fact.getJob().getNumber());
    state.numbers().put(Keys.NUMBERS, numbers);
  }

  public void apply(State state, ScriptStored fact) {
    state
        .scripts()
        .put(
            Keys.script(fact.getScript().getHash()),
            new StoredScript(fact.getScript().getHash(), fact.getScript().getText(), 0L));
  }
}
