package io.millrace.server.core.job.submit;

import io.millrace.schemas.JobNumbers;
import io.millrace.schemas.fact.JobQueued;
import io.millrace.schemas.fact.ScriptStored;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.ShardState;
import io.millrace.schemas.state.StoredScript;
import io.millrace.server.core.Copies;
import io.millrace.server.core.JobTable;
import io.millrace.server.core.Keys;
import io.millrace.server.core.Shard;
import io.millrace.server.core.State;
import io.millrace.server.core.job.array.Arrays;
import io.millrace.server.core.job.array.Subjobs;
import io.millrace.server.core.shard.Blocks;

/** Applies submissions. */
public final class Appliers {

  public void apply(State state, JobQueued fact) {
    Job job = Copies.of(fact.getJob());
    JobTable.replace(state, null, job);
    if (JobNumbers.isSubjob(job.getNumber())) {
      // Its number is its array's, its rank one of those that were put aside with it.
      Subjobs.opened(state, job);
      return;
    }
    ShardState numbers = Copies.of(Shard.numbers(state));
    numbers.setNextRank(job.getRank() + Arrays.ranks(job));
    Blocks.used(numbers, fact.getJob().getNumber());
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
