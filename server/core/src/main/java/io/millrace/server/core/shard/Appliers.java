package io.millrace.server.core.shard;

import io.millrace.schemas.common.CommandId;
import io.millrace.schemas.fact.AnswersForgotten;
import io.millrace.schemas.fact.BlockGranted;
import io.millrace.schemas.fact.BlockLeased;
import io.millrace.schemas.fact.BlockRequested;
import io.millrace.schemas.fact.CommandAnswered;
import io.millrace.schemas.fact.CommandParked;
import io.millrace.schemas.fact.CommandsReleased;
import io.millrace.schemas.fact.TimerFailed;
import io.millrace.schemas.fact.TimerFired;
import io.millrace.schemas.state.JobBlock;
import io.millrace.schemas.state.Parked;
import io.millrace.schemas.state.ShardState;
import io.millrace.schemas.state.Timer;
import io.millrace.server.core.Copies;
import io.millrace.server.core.Keys;
import io.millrace.server.core.Shard;
import io.millrace.server.core.State;

/** Applies answers, blocks and timers. */
public final class Appliers {
  public void apply(State state, CommandAnswered fact) {
    AnswerMemory.remember(state, fact.getAnswer());
  }

  public void apply(State state, CommandParked fact) {
    Parked parked = fact.getParked();
    state.parked().put(parked.getPlace(), parked);
    Timers.set(state, parked.getUntilMs(), Timers.PARKED, parked.getPlace());
  }

  public void apply(State state, CommandsReleased fact) {
    for (String place : fact.getPlaces()) {
      Parked parked = state.parked().get(place);
      state.parked().remove(place);
      state.timers().remove(Keys.timer(parked.getUntilMs(), Timers.PARKED, place));
    }
  }

  public void apply(State state, AnswersForgotten fact) {
    for (CommandId id : fact.getIds()) {
      state.answers().remove(Keys.command(id));
    }
  }

  public void apply(State state, TimerFired fact) {
    remove(state, fact.getTimer());
  }

  public void apply(State state, TimerFailed fact) {
    Timer timer = fact.getTimer();
    remove(state, timer);
    if (fact.getAgainMs() >= 0) {
      String key = Keys.timer(fact.getAgainMs(), timer.getKind(), timer.getSubject());
      int failures = timer.getFailures() + 1;
      state
          .timers()
          .put(key, new Timer(fact.getAgainMs(), timer.getKind(), timer.getSubject(), failures));
    }
  }

  private static void remove(State state, Timer timer) {
    state.timers().remove(Keys.timer(timer.getDueMs(), timer.getKind(), timer.getSubject()));
  }

  public void apply(State state, BlockRequested fact) {
    ShardState numbers = Copies.of(Shard.numbers(state));
    numbers.setBlockRequested(true);
    state.numbers().put(Keys.NUMBERS, numbers);
  }

  public void apply(State state, BlockLeased fact) {
    state
        .blocks()
        .put(
            Keys.block(fact.getFirst()),
            new JobBlock(fact.getFirst(), fact.getEnd(), fact.getShard()));
    ShardState numbers = Copies.of(Shard.numbers(state));
    numbers.setUnleasedNumber(fact.getEnd());
    state.numbers().put(Keys.NUMBERS, numbers);
  }

  public void apply(State state, BlockGranted fact) {
    ShardState numbers = Copies.of(Shard.numbers(state));
    Blocks.granted(numbers, fact.getFirst(), fact.getEnd());
    state.numbers().put(Keys.NUMBERS, numbers);
  }
}
