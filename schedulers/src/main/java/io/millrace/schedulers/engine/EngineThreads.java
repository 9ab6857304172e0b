package io.millrace.schedulers.engine;

import io.millrace.schedulers.core.SchedulerState;
import io.millrace.schedulers.core.policy.Policies;
import io.millrace.schemas.engine.EngineFactory;
import io.millrace.schemas.engine.EngineSeat;
import io.millrace.schemas.engine.EngineSnapshot;
import io.millrace.schemas.engine.SchedulingEngine;

/** Makes engines that sit beside their shard. */
public final class EngineThreads implements EngineFactory {

  private final EngineLimits limits;

  public EngineThreads() {
    this(EngineLimits.standard());
  }

  public EngineThreads(EngineLimits limits) {
    this.limits = limits;
  }

  @Override
  public SchedulingEngine start(EngineSeat seat, EngineSnapshot snapshot) {
    SchedulerState state =
        new SchedulerState(
            seat.scheduler(), seat.shard(), Policies.STANDARD, limits.proposalsInFlight());
    snapshot.objects(state::written);
    snapshot.nodes(state::node);
    snapshot.jobs(state::job);
    return start(seat, state);
  }

  /** Starts an engine over a state that was built from a ledger. */
  SchedulingEngine start(EngineSeat seat, SchedulerState state) {
    EngineThread engine = new EngineThread(seat, limits, state);
    engine.start();
    return engine;
  }
}
