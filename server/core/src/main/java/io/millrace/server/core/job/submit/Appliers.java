package io.millrace.server.core.job.submit;

import io.millrace.schemas.fact.JobQueued;
import io.millrace.schemas.fact.ScriptStored;
import io.millrace.schemas.state.ShardState;
import io.millrace.schemas.state.StoredScript;
import io.millrace.server.core.Copies;
import io.millrace.server.core.JobTable;
import io.millrace.server.core.Keys;
import io.millrace.server.core.Shard;
import io.millrace.server.core.State;
import io.millrace.server.core.shard.Blocks;

/** Applies submissions. */
public final class Appliers {

  public void apply(State state, JobQueued fact) {
    JobTable.replace(state, null, fact.getJob());
    ShardState numbers = Copies.of(Shard.numbers(state));
    numbers.setNextRank(fact.getJob().getRank() + 1);
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
