package io.millrace.schedulers.engine;

import io.millrace.schedulers.core.cycle.SchedulerState;
import io.millrace.schedulers.core.model.ShardFollower;
import io.millrace.schedulers.core.policy.Policies;
import io.millrace.schedulers.dialects.gridengine.live.LiveState;
import io.millrace.schemas.engine.EngineSnapshot;
import java.util.List;
import java.util.function.Consumer;
import org.apache.avro.specific.SpecificRecord;

/**
 * What a scheduler object knows of its shard, once for the core's policies and once for the Grid
 * Engine dialect. Both follow every fact, so that the policy can change at any time.
 */
record Followers(SchedulerState core, LiveState gridEngine) {

  private static final FactFollower FACTS = new FactFollower();

  static Followers of(String scheduler, int shard, int proposalsMax) {
    return new Followers(
        new SchedulerState(scheduler, shard, Policies.STANDARD, proposalsMax),
        new LiveState(scheduler, shard));
  }

  void each(Consumer<ShardFollower> told) {
    List.of(core.facts(), gridEngine).forEach(told);
  }

  void follow(SpecificRecord fact) {
    each(state -> FACTS.follow(state, fact));
  }

  void read(EngineSnapshot snapshot) {
    snapshot.objects(object -> each(state -> state.written(object)));
    snapshot.nodes(node -> each(state -> state.node(node)));
    snapshot.jobs(job -> each(state -> state.job(job)));
    snapshot.reservations(one -> each(state -> state.reservation(one)));
  }
}
