package io.millrace.server.core.job.purge;

import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.fact.JobPurged;
import io.millrace.schemas.pbs.attributes.AttributeTable;
import io.millrace.schemas.pbs.attributes.AttributeType;
import io.millrace.schemas.pbs.jobs.JobAttributes;
import io.millrace.schemas.pbs.resources.Amounts;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.decision.Decision;
import io.millrace.server.core.handover.message.BirthShardNotice;
import io.millrace.server.core.state.Keys;
import io.millrace.server.core.state.State;
import io.millrace.server.core.state.Timers;

/** When and how finished jobs are forgotten. */
public final class Purge {
  /** Kind of the timer; its subject is the key of the job. */
  private static final String TIMER = "purge";

  /**
   * Kept so long for a qsub that waits for the job's end. It looks at one every second; at ten
   * thousand tasks of an array, on a machine that is busy with their ends, less than once in ten.
   */
  private static final long AWAITED_MS = 120_000;

  private Purge() {}

  /**
   * Sets the timer by which a finished job is purged: after job_history_duration, or soon without
   * history.
   */
  public static void setTimer(State state, Job job) {
    ClusterObject server = state.objects().get(Keys.object(ObjectKind.SERVER, Keys.SERVER));
    boolean history = "True".equals(value(server, "job_history_enable"));
    long durationS = AttributeType.parseSeconds(value(server, "job_history_duration")).orElse(0L);
    boolean awaited = !JobAttributes.passed(job.getSpec(), JobAttributes.BLOCK, "").isEmpty();
    long keptMs = Math.max(history ? Amounts.milliseconds(durationS) : 0, awaited ? AWAITED_MS : 0);
    long dueMs = job.getFinishedMs() + keptMs;
    Timers.set(state, dueMs, TIMER, Keys.number(job.getNumber()));
  }

  private static String value(ClusterObject server, String name) {
    return Context.attribute(server, name, AttributeTable.defaultOf(ObjectKind.SERVER, name));
  }

  /** Handles a due timer; nothing to do when the job was purged by qdel -x before. */
  static void due(Context c, String key, Decision decision) {
    Job job = c.view().jobs().get(key);
    if (job != null && job.getStatus() == JobStatus.FINISHED) {
      purge(c, job, decision);
    }
  }

  public static void purge(Context c, Job job, Decision decision) {
    decision.fact(new JobPurged(c.stamp(), job.getId()));
    BirthShardNotice.tell(c, job, true, decision);
  }
}
