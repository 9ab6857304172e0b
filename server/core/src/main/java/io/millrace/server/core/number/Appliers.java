package io.millrace.server.core.number;

import io.millrace.schemas.fact.BlockGranted;
import io.millrace.schemas.fact.BlockLeased;
import io.millrace.schemas.fact.BlockRequested;
import io.millrace.schemas.state.JobBlock;
import io.millrace.schemas.state.ShardState;
import io.millrace.server.core.state.Copies;
import io.millrace.server.core.state.Keys;
import io.millrace.server.core.state.ShardNumbers;
import io.millrace.server.core.state.State;

/** Applies leases of job numbers. */
public final class Appliers {

  public void apply(State state, BlockRequested fact) {
    ShardState numbers = Copies.of(ShardNumbers.of(state));
    numbers.setBlockRequested(true);
    state.numbers().put(Keys.NUMBERS, numbers);
  }

  public void apply(State state, BlockLeased fact) {
    state
        .blocks()
        .put(
            Keys.block(fact.getFirst()),
            new JobBlock(fact.getFirst(), fact.getEnd(), fact.getShard()));
    ShardState numbers = Copies.of(ShardNumbers.of(state));
    numbers.setUnleasedNumber(fact.getEnd());
    state.numbers().put(Keys.NUMBERS, numbers);
  }

  public void apply(State state, BlockGranted fact) {
    ShardState numbers = Copies.of(ShardNumbers.of(state));
    NumberBlocks.granted(numbers, fact.getFirst(), fact.getEnd());
    state.numbers().put(Keys.NUMBERS, numbers);
  }
}
