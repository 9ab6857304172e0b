package io.millrace.schedulers.engine;

import io.millrace.schedulers.core.cycle.BestEffort;
import io.millrace.schedulers.core.cycle.SchedulerState;
import io.millrace.schedulers.core.model.ShardFollower;
import io.millrace.schedulers.core.policy.Policies;
import io.millrace.schedulers.dialects.gridengine.live.LiveState;
import io.millrace.schedulers.dialects.origin2000.live.OriginFollower;
import io.millrace.schedulers.dialects.schedconfig.live.LiveSitePolicy;
import io.millrace.schedulers.engine.accrue.EligibleTimes;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.engine.EngineSnapshot;
import io.millrace.schemas.fact.ObjectWritten;
import io.millrace.schemas.state.EntityUsage;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.Scheduler;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import org.apache.avro.specific.SpecificRecord;

/**
 * What a scheduler object knows of its shard, once for the core's policies, where the jobs of
 * best-effort queues are kept apart, and once for each dialect that decides by itself. All follow
 * every fact, so that the policy can change at any time; where it becomes one that needs what was
 * not kept, the engine is replaced by one that begins anew.
 */
record Followers(
    SchedulerState core,
    BestEffort bestEffort,
    LiveState gridEngine,
    OriginFollower origin,
    LiveSitePolicy site,
    EligibleTimes waited) {

  private static final FactFollower FACTS = new FactFollower();

  static Followers of(String scheduler, int shard, int proposalsMax) {
    SchedulerState core = new SchedulerState(scheduler, shard, Policies.STANDARD, proposalsMax);
    EligibleTimes waited = new EligibleTimes(scheduler, core.waiting()::classKey);
    core.inputs().waited(waited);
    return new Followers(
        core,
        new BestEffort(core, shard, proposalsMax),
        new LiveState(scheduler, shard),
        new OriginFollower(scheduler, shard),
        new LiveSitePolicy(scheduler, core),
        waited);
  }

  void each(Consumer<ShardFollower> told) {
    List.of(bestEffort, gridEngine, origin).forEach(told);
  }

  /** A cluster object of a snapshot. */
  void written(ClusterObject object) {
    waited.written(object);
    each(state -> state.written(object));
    site.written(object);
  }

  /** A job of a snapshot. */
  void job(Job job) {
    waited.job(job);
    each(state -> state.job(job));
  }

  /** The run-time record of a scheduler object, from a snapshot; before the usages. */
  void scheduler(Scheduler record) {
    site.scheduler(record);
    origin.scheduler(record);
  }

  /** What an entity has used, from a snapshot. */
  void usage(EntityUsage record) {
    site.usage(record);
    origin.usage(record);
  }

  void follow(SpecificRecord fact) {
    waited.follow(fact, () -> followOthers(fact));
  }

  private void followOthers(SpecificRecord fact) {
    if (fact instanceof ObjectWritten written) {
      waited.written(written.getObject());
    }
    each(state -> FACTS.follow(state, fact));
    site.follow(fact);
    origin.follow(fact);
  }

  void read(EngineSnapshot snapshot) {
    snapshot.objects(this::written);
    if (origin.chosen()) {
      origin.keepJobs();
    }
    snapshot.schedulers(this::scheduler);
    snapshot.usages(this::usage);
    snapshot.reasons(waited::reason);
    snapshot.nodes(node -> each(state -> state.node(node)));
    snapshot.jobs(this::job);
    reservations(snapshot);
    snapshot.past(core.inputs()::past);
  }

  /**
   * In the order of their starts: what is booked of a node is kept in the order of time, and each
   * is put behind those before it instead of between them.
   */
  private void reservations(EngineSnapshot snapshot) {
    List<Reservation> all = new ArrayList<>();
    snapshot.reservations(all::add);
    all.sort(Comparator.comparingLong(it -> it.getSpec().getStartMs()));
    all.forEach(one -> each(state -> state.reservation(one)));
  }
}
