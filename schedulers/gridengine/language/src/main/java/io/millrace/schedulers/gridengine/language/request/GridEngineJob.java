package io.millrace.schedulers.gridengine.language.request;

import java.util.Optional;

/**
 * A job that waits or runs.
 *
 * @param identity its number, owner and project
 * @param reserve -R y: it is promised a start when it cannot start at once
 * @param urge what moves it up or down in the order
 * @param tasks its task numbers
 * @param behaviour what else matters for when it may start
 */
public record GridEngineJob(
    Identity identity,
    Needs needs,
    boolean reserve,
    Urge urge,
    TaskRange tasks,
    Behaviour behaviour) {

  /** Number, name, owner and project (empty for none). */
  public record Identity(long number, String name, String owner, String project) {}

  /**
   * -p, the time of submission and -dl, in seconds since 1970.
   *
   * @param deadline_s 0 for none
   */
  public record Urge(int priority, long submitted_s, long deadline_s) {}

  /**
   * What keeps it from starting, or must make it start at once.
   *
   * @param immediate -now y
   * @param waits why it may not be considered now
   * @param concurrent -tc: tasks that may run at once; 0 for any number
   * @param earliest_s -a; 0 for none
   */
  public record Behaviour(boolean immediate, Waits waits, int concurrent, long earliest_s) {

    public static final Behaviour PLAIN = new Behaviour(false, Waits.NO, 0, 0);
  }

  /** Why a job is not considered for a start. */
  public enum Waits {
    NO,
    HELD,
    DEPENDS
  }

  public long number() {
    return identity.number();
  }

  /** A copy with at most this many slots; empty when no requested number is that small. */
  public Optional<GridEngineJob> atMost(int slots) {
    return needs
        .atMost(slots)
        .map(
            it ->
                it == needs
                    ? this
                    : new GridEngineJob(identity, it, reserve, urge, tasks, behaviour));
  }

  /** The properties of a job that decide where it can be placed. */
  public record JobCategory(Needs needs, String owner, String project, boolean immediate) {}

  /** The job's category; jobs of one category can be placed in the same places. */
  public JobCategory category() {
    return new JobCategory(needs, identity.owner(), identity.project(), behaviour.immediate());
  }
}
