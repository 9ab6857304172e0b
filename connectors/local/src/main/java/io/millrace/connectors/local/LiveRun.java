package io.millrace.connectors.local;

import java.util.List;

/** What execution remembers of a run between its intent and its release. */
final class LiveRun {
  /** How far the run has come. */
  enum Stage {
    /** Its directory is being made or it waits for its turn. */
    WAITING,
    /** Handed to the supervisor program. */
    LAUNCHED,
    /** Its claim was seen. */
    RUNNING,
    /** Its outcome was seen. */
    ENDED
  }

  final RunId id;
  final String origin;
  volatile Stage stage = Stage.WAITING;
  boolean toldStarted;
  long launchedNanos;
  long supervisorPid;
  long supervisorStart;

  /** What its claim says; null before it was seen. */
  volatile RunStarted begun;

  /** Earlier runs of its job that were not over when it was taken on; it begins after them. */
  private List<LiveRun> earlier = List.of();

  LiveRun(RunId id, String origin) {
    this.id = id;
    this.origin = origin;
  }

  void supervisedBy(SpoolFields started) {
    supervisorPid = started.number("supervisor_pid");
    supervisorStart = started.number("supervisor_start");
    begun = new RunStarted(id, origin, started.number("session"), started.number("started_ms"));
  }

  void comesAfter(List<LiveRun> runs) {
    earlier = runs;
  }

  /** Whether an earlier run of its job is not over. */
  boolean mustWait() {
    return earlier.stream().anyMatch(run -> run.stage != Stage.ENDED);
  }

  boolean hasSupervisor() {
    return HostProcesses.lives(supervisorPid, supervisorStart);
  }
}
