package io.millrace.server.core.state;

import io.millrace.schemas.state.ShardState;

/** The counters and the time of a shard, which are one record. */
public final class ShardNumbers {
  private static final ShardState FIRST = ShardState.newBuilder().build();

  private ShardNumbers() {}

  /** The record of the shard, or the initial one when nothing has happened yet. */
  public static ShardState of(View view) {
    ShardState numbers = view.numbers().get(Keys.NUMBERS);
    return numbers == null ? FIRST : numbers;
  }
}
