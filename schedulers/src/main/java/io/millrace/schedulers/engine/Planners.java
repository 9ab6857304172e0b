package io.millrace.schedulers.engine;

import io.millrace.schedulers.core.cycle.ServerLeases;
import io.millrace.schedulers.engine.measure.ScheduleFile;
import java.util.List;
import org.apache.avro.specific.SpecificRecord;

/** The planners of a scheduler object. That one decides whose policy is in use. */
final class Planners {

  private final Followers states;
  private final CorePlanner core;
  private final GridEnginePlanner gridEngine;
  private final OriginPlanner origin;
  private final List<Planner> all;

  /**
   * @param launchesMax starts that may be proposed and not yet answered
   * @param monitor takes what a Grid Engine policy with MONITOR=1 writes
   * @param notes are told what cycles of the core decided
   */
  Planners(Followers states, int launchesMax, ScheduleFile monitor, CycleNotes notes) {
    this.states = states;
    core = new CorePlanner(states.core(), states.bestEffort(), notes);
    gridEngine =
        new GridEnginePlanner(states.gridEngine(), launchesMax, states.core().limits(), monitor);
    origin = new OriginPlanner(states.origin(), launchesMax, states.core().limits());
    all = List.of(core, gridEngine, origin);
  }

  CorePlanner core() {
    return core;
  }

  List<Planner> all() {
    return all;
  }

  /** The planner of the policy in use; the policy may change with any fact. */
  Planner inUse() {
    boolean asGridEngine = gridEngine.chosen();
    boolean asOrigin = origin.chosen();
    return asGridEngine ? gridEngine : asOrigin ? origin : core;
  }

  void heard(SpecificRecord fact, long nowMs) {
    all.forEach(it -> it.heard(fact, nowMs));
  }

  /**
   * Takes the starts that the shard has probably refused when it tells of the lease of a resource:
   * those that need it and were not granted before.
   */
  List<Long> refusedBefore(SpecificRecord fact, InFlight open) {
    String resource = ServerLeases.resource(fact);
    return resource == null
        ? List.of()
        : open.takeStarts(it -> states.bestEffort().stateOf(it).limits().needs(it, resource));
  }

  /** The shard did not accept the rejection of a job. */
  void notGivenUp(long number) {
    states.gridEngine().notGivenUp(number);
    states.origin().notGivenUp(number);
  }

  boolean haveReasons() {
    return all.stream().anyMatch(Planner::hasReasons);
  }
}
