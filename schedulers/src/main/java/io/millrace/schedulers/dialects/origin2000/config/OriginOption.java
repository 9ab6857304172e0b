package io.millrace.schedulers.dialects.origin2000.config;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The table of options: parser, printer, explanation and the page of the documentation are made
 * from it.
 */
public enum OriginOption {
  SUBMIT_QUEUE(
      OriginType.QUEUES,
      List.of(),
      OriginEffect.DECIDES,
      "The queue whose waiting jobs are tried on the batch queues.",
      "Jobs of other queues are left alone."),
  BATCH_QUEUES(
      OriginType.QUEUES,
      List.of(),
      OriginEffect.DECIDES,
      "The queues in which jobs run, in the order in which they are tried.",
      "A job starts in the first of them that takes it."),
  SPECIAL_QUEUE(
      OriginType.QUEUES,
      List.of(),
      OriginEffect.DECIDES,
      "The queue whose jobs go before all others.",
      "Its jobs are tried first, the largest first, without limits of size, prime time and fragmentation."),
  DEDICATED_QUEUES(
      OriginType.QUEUES,
      List.of(),
      OriginEffect.DECIDES,
      "The queues, one for a host, whose jobs run in dedicated time of that host.",
      "Its jobs start in place while the host is in dedicated time, in the order of the server."),
  EXTERNAL_QUEUES(
      OriginType.QUEUES,
      List.of(),
      OriginEffect.DECIDES,
      "Queues whose jobs run where they are.",
      "Its jobs start in place, after those of the submit queue."),
  ENFORCE_PRIME_TIME(
      OriginType.BOOLEAN_OR_DATE,
      0L,
      OriginEffect.DECIDES,
      "Whether, or from when on, there is prime time.",
      "In prime time the shortest job is tried first, and jobs are limited."),
  PRIME_TIME_START(
      OriginType.TIMESPEC,
      0L,
      OriginEffect.DECIDES,
      "The time of day at which prime time begins, Monday to Friday.",
      "Prime time begins earlier or later."),
  PRIME_TIME_END(
      OriginType.TIMESPEC,
      0L,
      OriginEffect.DECIDES,
      "The time of day at which prime time ends; before its start: on the next day.",
      "Prime time ends earlier or later."),
  PRIME_TIME_WALLT_LIMIT(
      OriginType.TIMESPEC,
      0L,
      OriginEffect.DECIDES,
      "How much of a job may lie in prime time, over all days that it touches.",
      "Longer jobs wait."),
  PRIME_TIME_SMALL_NODE_LIMIT(
      OriginType.INTEGER,
      0L,
      OriginEffect.DECIDES,
      "Up to how many nodes a job has the limit of small jobs in prime time.",
      "Small jobs are held against PRIME_TIME_SMALL_WALLT_LIMIT."),
  PRIME_TIME_SMALL_WALLT_LIMIT(
      OriginType.TIMESPEC,
      0L,
      OriginEffect.DECIDES,
      "How much of a small job may lie in prime time.",
      "Longer small jobs wait."),
  SMALL_JOB_MAX(
      OriginType.INTEGER,
      0L,
      OriginEffect.DECIDES,
      "Up to how many nodes a job is small; 0: no job is deleted for its time.",
      "Jobs that are longer than the limit of their size are deleted."),
  WALLT_LIMIT_SMALL_JOB(
      OriginType.TIMESPEC,
      0L,
      OriginEffect.DECIDES,
      "The longest walltime of a small job.",
      "Small jobs that ask for more are deleted."),
  WALLT_LIMIT_LARGE_JOB(
      OriginType.TIMESPEC,
      0L,
      OriginEffect.DECIDES,
      "The longest walltime of a job that is not small.",
      "Other jobs that ask for more are deleted."),
  ENFORCE_DEDICATED_TIME(
      OriginType.BOOLEAN_OR_DATE,
      0L,
      OriginEffect.DECIDES,
      "Whether, or from when on, dedicated times count.",
      "Hosts are empty in their dedicated times but for the jobs of their dedicated queue."),
  DEDICATED_TIME_COMMAND(
      OriginType.WORD,
      null,
      OriginEffect.DECIDES,
      "The program that prints the dedicated times of a host, whose short name it is given.",
      "Its lines are the dedicated times."),
  DEDICATED_TIME_CACHE_SECS(
      OriginType.INTEGER,
      0L,
      OriginEffect.DECIDES,
      "How many seconds its answer is used before the program is asked again.",
      "A change is seen so much later."),
  SYSTEM_NAME(
      OriginType.NAME,
      null,
      OriginEffect.DECIDES,
      "The name of the whole system, for which the program is asked too.",
      "Its dedicated times count on every host, before those of the host."),
  NONPRIME_DRAIN_SYS(
      OriginType.BOOLEAN,
      0L,
      OriginEffect.DECIDES,
      "Whether no job may run over the end of prime time.",
      "Jobs that would be running at the end of prime time wait for it."),
  NP_DRAIN_BACKTIME(
      OriginType.TIMESPEC,
      0L,
      OriginEffect.DECIDES,
      "How long before its end prime time may be over for an idle queue.",
      "A queue without jobs stops observing prime time that early, if jobs wait for its end."),
  NP_DRAIN_IDLETIME(
      OriginType.TIMESPEC,
      0L,
      OriginEffect.DECIDES,
      "How long the queue must have been idle for that.",
      "A queue stops observing prime time only after so long without jobs."),
  MAX_JOBS(
      OriginType.INTEGER,
      0L,
      OriginEffect.DECIDES,
      "How many jobs may run on a host; 0: any number.",
      "A host with as many jobs starts none."),
  MIN_JOBS(
      OriginType.INTEGER,
      0L,
      OriginEffect.DECIDES,
      "Below how many jobs a host may start one whatever its load.",
      "A loaded host with fewer jobs starts one all the same."),
  TARGET_LOAD_PCT(
      OriginType.INTEGER,
      90L,
      OriginEffect.DECIDES,
      "The load that a host should have, in percent of its processors.",
      "With TARGET_LOAD_VARIANCE: above which load a host starts no job."),
  TARGET_LOAD_VARIANCE(
      OriginType.VARIANCE,
      new OriginVariance(15, 10),
      OriginEffect.DECIDES,
      "How far the load may lie below and above TARGET_LOAD_PCT.",
      "A host whose load is above both together starts no job."),
  ENFORCE_ALLOCATION(
      OriginType.BOOLEAN_OR_DATE,
      0L,
      OriginEffect.DECIDES,
      "Whether, or from when on, groups may not use more than their allocation.",
      "Jobs of groups that have used theirs are deleted."),
  SCHED_ACCT_DIR(
      OriginType.WORD,
      null,
      OriginEffect.DECIDES,
      "The folder with the files allocations and current.",
      "Allocations and their use are read there."),
  SORT_BY_PAST_USAGE(
      OriginType.BOOLEAN,
      1L,
      OriginEffect.DECIDES,
      "Whether users who started little lately go before those who started much.",
      "False: only the size of the jobs orders them."),
  DECAY_FACTOR(
      OriginType.REAL,
      0.75,
      OriginEffect.DECIDES,
      "By what past usage is multiplied each day.",
      "Usage is forgotten faster or more slowly."),
  OA_DECAY_FACTOR(
      OriginType.REAL,
      0.95,
      OriginEffect.DECIDES,
      "The same for users whose group is over its allocation.",
      "Their usage is forgotten faster or more slowly."),
  MAX_QUEUED_TIME(
      OriginType.TIMESPEC,
      0L,
      OriginEffect.DECIDES,
      "After which time of waiting a job is outstanding; 0: never.",
      "Outstanding jobs go before normal ones, and queues are drained for them."),
  INTERACTIVE_LONG_WAIT(
      OriginType.TIMESPEC,
      0L,
      OriginEffect.DECIDES,
      "How much longer than its walltime an interactive job waits in prime time before it is outstanding.",
      "Interactive jobs are outstanding earlier."),
  SORTED_JOB_DUMPFILE(
      OriginType.WORD,
      null,
      OriginEffect.DECIDES,
      "The file into which the sorted jobs are written in each cycle.",
      "The file is written."),
  MANAGE_HPM_COUNTERS(
      OriginType.BOOLEAN,
      0L,
      OriginEffect.DECIDES,
      "Whether hosts switch their performance counters for jobs that ask for hpm.",
      "A host is switched to user mode before such a job starts, and back after the last."),
  REVOKE_HPM_COUNTERS(
      OriginType.BOOLEAN,
      0L,
      OriginEffect.DECIDES,
      "Whether counters are revoked that cannot be switched back.",
      "A host that refuses global mode is asked to revoke."),
  SCHED_RESTART_ACTION(
      OriginType.RESTART,
      0L,
      OriginEffect.DECIDES,
      "What becomes of jobs that wait in a batch queue after a crash.",
      "RESUBMIT moves them back to their queue, RERUN starts them."),
  SMALL_QUEUED_TIME(
      OriginType.TIMESPEC,
      43200L,
      OriginEffect.DECIDES,
      "From which walltime on an outstanding job goes before those below it.",
      "Outstanding jobs change places."),
  AVOID_FRAGMENTATION(
      OriginType.BOOLEAN,
      1L,
      OriginEffect.DECIDES,
      "Whether jobs wait that would leave a queue in small pieces.",
      "False: they start."),
  TEST_ONLY(
      OriginType.BOOLEAN,
      0L,
      OriginEffect.DECIDES,
      "Whether nothing is done but said.",
      "Nothing is started, moved, deleted, changed or switched."),
  FAKE_MACHINE_MULT(
      OriginType.INTEGER,
      1L,
      OriginEffect.DECIDES,
      "By what load, memory and processors of the hosts are multiplied.",
      "Hosts look so many times as large."),
  SCHED_HOST(
      OriginType.NAME,
      null,
      OriginEffect.DECIDES,
      "The host on which SCHED_RESTART_ACTION RERUN starts jobs.",
      "RERUN starts jobs there instead of on the host of their queue."),
  HIGH_SYSTIME(
      OriginType.INTEGER,
      0L,
      OriginEffect.KEPT,
      "A share of system time.",
      "Nothing, as in the original: hosts do not report it."),
  MAX_DEDICATED_JOBS(
      OriginType.INTEGER,
      0L,
      OriginEffect.KEPT,
      "A number of jobs in dedicated time.",
      "Nothing, as in the original: max_running of the dedicated queue limits them."),
  MAX_USER_RUN_JOBS(
      OriginType.INTEGER,
      10L,
      OriginEffect.KEPT,
      "A number of jobs of a user.",
      "Nothing, as in the original: max_user_run of the queue limits them."),
  SERVER_HOST(
      OriginType.NAME,
      null,
      OriginEffect.KEPT,
      "The host of the server.",
      "Nothing, as in the original.");

  private final OriginType type;
  private final Object usual;
  private final OriginEffect effect;
  private final String meaning;
  private final String changes;

  OriginOption(OriginType type, Object usual, OriginEffect effect, String meaning, String changes) {
    this.type = type;
    this.usual = usual;
    this.effect = effect;
    this.meaning = meaning;
    this.changes = changes;
  }

  public OriginType type() {
    return type;
  }

  /** The value when nobody sets it; null when there is none. */
  public Object usual() {
    return usual;
  }

  /** The usual value as it is written; empty when there is none. */
  public Optional<String> written(OriginPlace place) {
    return usual == null || usual.equals(List.of())
        ? Optional.empty()
        : Optional.of(type.write(usual, place));
  }

  public OriginEffect effect() {
    return effect;
  }

  /** What the value says, one sentence. */
  public String meaning() {
    return meaning;
  }

  /** What another value changes, one sentence. */
  public String changes() {
    return changes;
  }

  static Optional<OriginOption> named(String name) {
    return Arrays.stream(values()).filter(it -> it.name().equals(name)).findFirst();
  }

  static List<String> names() {
    return Arrays.stream(values()).map(Enum::name).toList();
  }
}
