package io.millrace.server.core.snapshot;

import io.millrace.schemas.common.FactMeta;
import io.millrace.schemas.fact.SnapshotBegun;
import io.millrace.schemas.fact.SnapshotChunk;
import io.millrace.schemas.fact.SnapshotCompleted;
import io.millrace.schemas.state.ShardState;
import io.millrace.server.core.Copies;
import io.millrace.server.core.Keys;
import io.millrace.server.core.Shard;
import io.millrace.server.core.State;

/** Notes when the last snapshot was. Its records say what is so already. */
public final class Appliers {

  public void apply(State state, SnapshotBegun fact) {
    note(state, fact.getMeta());
  }

  public void apply(State state, SnapshotChunk fact) {
    // A copy of what the state was.
  }

  public void apply(State state, SnapshotCompleted fact) {
    note(state, fact.getMeta());
  }

  private static void note(State state, FactMeta meta) {
    ShardState numbers = Copies.of(Shard.numbers(state));
    numbers.setSnapshotSeq(meta.getSeq());
    state.numbers().put(Keys.NUMBERS, numbers);
  }
}
