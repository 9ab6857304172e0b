package io.millrace.connectors.local;

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

  LiveRun(RunId id, String origin) {
    this.id = id;
    this.origin = origin;
  }

  void supervisedBy(SpoolFields started) {
    supervisorPid = started.number("supervisor_pid");
    supervisorStart = started.number("supervisor_start");
  }

  boolean hasSupervisor() {
    return HostProcesses.lives(supervisorPid, supervisorStart);
  }
}
