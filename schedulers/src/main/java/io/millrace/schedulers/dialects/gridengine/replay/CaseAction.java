package io.millrace.schedulers.dialects.gridengine.replay;

/** Something that an administrator or user does during a session, at a time from its begin. */
public sealed interface CaseAction {

  long at_s();

  /** qdel: the job leaves; tasks that run end at once. */
  record Delete(long at_s, String job) implements CaseAction {}

  /** qhold or qrls. */
  record Hold(long at_s, String job, boolean held) implements CaseAction {}

  /** qalter -p. */
  record Prioritise(long at_s, String job, int priority) implements CaseAction {}

  /** qalter -R. */
  record Reserve(long at_s, String job, boolean reserve) implements CaseAction {}

  /** qmod -d or -e: queue instances whose names fit. */
  record Open(long at_s, String queues, boolean open) implements CaseAction {}
}
