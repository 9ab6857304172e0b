package io.millrace.server.core.job.depend.waiting;

import io.millrace.schemas.state.DependencyKind;
import io.millrace.schemas.state.Dependent;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.WaitedJob;
import io.millrace.schemas.state.Whereabouts;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.state.ArrayStates;
import io.millrace.server.core.state.Keys;

/** Finds the shard to which a message about a job is sent, and names jobs in such messages. */
public final class DependencyAddress {
  /** There is no such job. */
  public static final int NOWHERE = -1;

  /**
   * A message that has gone on so often is about no job: shards that each think another one has it
   * would send it round for ever.
   */
  private static final int HOPS_MAX = 100;

  private DependencyAddress() {}

  /** Where a message goes on that others have passed on already. */
  public static int onward(int shard, int hops) {
    return hops >= HOPS_MAX ? NOWHERE : shard;
  }

  /**
   * This shard when the job is here and stays; otherwise one that is nearer to it. For a job in
   * transit it is the shard that it goes to: the offer stands before the message in that inbox, and
   * after a refusal the message comes back.
   */
  public static int to(Context c, long number, int birthShard) {
    if (number < 0) {
      return NOWHERE; // no job ever had such a number, whatever is said of where it is
    }
    String key = Keys.number(number);
    Job job = c.view().jobs().get(key);
    if (job != null) {
      return job.getStatus() == JobStatus.TRANSIT ? job.getOfferedTo() : c.shard();
    }
    Whereabouts where = c.view().whereabouts().get(key);
    if (where != null && where.getShard() != c.shard()) {
      return where.getShard();
    }
    return birthShard == c.shard() ? NOWHERE : birthShard;
  }

  public static int to(Context c, WaitedJob job) {
    return to(c, job.getNumber(), job.getBirthShard());
  }

  public static Job job(Context c, long number) {
    return c.view().jobs().get(Keys.number(number));
  }

  public static WaitedJob name(Job job) {
    return new WaitedJob(job.getNumber(), job.getBirthShard(), ArrayStates.is(job));
  }

  /** The waiting job. */
  public static WaitedJob child(Dependent one) {
    return new WaitedJob(one.getChild(), one.getBirthShard(), one.getChildArray());
  }

  /** The record that another job waits for a job. */
  public static Dependent dependent(WaitedJob on, WaitedJob child, DependencyKind kind) {
    return new Dependent(
        on.getNumber(),
        child.getNumber(),
        child.getBirthShard(),
        kind,
        on.getArray(),
        child.getArray());
  }

  /** Whether the job is an array exactly when its name says so. */
  public static boolean isMeant(Job job, boolean array) {
    return ArrayStates.is(job) == array;
  }

  /** Number and server of another job of the same server, as a history shows it. */
  public static String id(Job ours, long number) {
    return number + ours.getId().substring(ours.getId().indexOf('.'));
  }

  /** Id of another job of the same server. */
  public static String id(Context c, long number, boolean array) {
    return number + (array ? "[]." : ".") + c.serverName();
  }
}
