package io.millrace.connectors.local.execution;

import io.millrace.connectors.local.host.HostProcesses;
import io.millrace.connectors.local.host.ProcessorSet;
import io.millrace.connectors.local.run.RunId;
import io.millrace.connectors.local.run.StartedRun;
import io.millrace.connectors.local.spool.SpoolFields;
import java.util.List;

/** A run in memory, from the making of its directory to its release. */
final class LiveRun {
  /** File of the run's directory that says who supervises it; also the name of the event. */
  static final String STARTED = "started";

  /** File that says how the run ended; also the name of the event. */
  static final String OUTCOME = "outcome";

  /** How far the run has come. */
  enum RunStage {
    /** Its directory is being made, or it waits to be started. */
    WAITING,
    /** Handed to the supervisor program. */
    LAUNCHED,
    /** Its supervisor has written {@code started}. */
    RUNNING,
    /** Its supervisor has written how it ended. */
    ENDED
  }

  final RunId id;
  final String origin;
  volatile RunStage stage = RunStage.WAITING;
  boolean toldStarted;
  long launchedNanos;
  long supervisorPid;
  long supervisorStart;

  /** Those that it is bound to; see {@link RunProcessors}. */
  ProcessorSet processors = ProcessorSet.NONE;

  /** Whether it stands still; known of runs that are bound to processors. */
  boolean suspended;

  /** What its supervisor wrote at the start; null before. */
  volatile StartedRun begun;

  /** Earlier runs of its job that had not ended when it was accepted; it starts after them. */
  private List<LiveRun> earlier = List.of();

  LiveRun(RunId id, String origin) {
    this.id = id;
    this.origin = origin;
  }

  void supervisedBy(SpoolFields started) {
    supervisorPid = started.number("supervisor_pid");
    supervisorStart = started.number("supervisor_start");
    begun = new StartedRun(id, origin, started.number("session"), started.number("started_ms"));
  }

  void comesAfter(List<LiveRun> runs) {
    earlier = runs;
  }

  /** Whether an earlier run of its job has not ended. */
  boolean mustWait() {
    return earlier.stream().anyMatch(run -> run.stage != RunStage.ENDED);
  }

  boolean hasSupervisor() {
    return HostProcesses.lives(supervisorPid, supervisorStart);
  }
}
