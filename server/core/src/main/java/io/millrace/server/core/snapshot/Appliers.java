package io.millrace.server.core.snapshot;

import io.millrace.schemas.common.FactMeta;
import io.millrace.schemas.fact.SnapshotBegun;
import io.millrace.schemas.fact.SnapshotChunk;
import io.millrace.schemas.fact.SnapshotCompleted;
import io.millrace.schemas.state.ShardState;
import io.millrace.server.core.state.Copies;
import io.millrace.server.core.state.Keys;
import io.millrace.server.core.state.ShardNumbers;
import io.millrace.server.core.state.State;

/** Notes when the last snapshot was made; the records of a snapshot change nothing. */
public final class Appliers {

  public void apply(State state, SnapshotBegun fact) {
    note(state, fact.getMeta());
  }

  public void apply(State state, SnapshotChunk fact) {
    // The chunk is a copy of the state: nothing changes.
  }

  public void apply(State state, SnapshotCompleted fact) {
    note(state, fact.getMeta());
  }

  private static void note(State state, FactMeta meta) {
    ShardState numbers = Copies.of(ShardNumbers.of(state));
    numbers.setSnapshotSeq(meta.getSeq());
    state.numbers().put(Keys.NUMBERS, numbers);
  }
}
