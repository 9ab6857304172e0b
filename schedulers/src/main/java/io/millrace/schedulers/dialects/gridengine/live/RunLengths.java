package io.millrace.schedulers.dialects.gridengine.live;

import io.millrace.schedulers.dialects.gridengine.schedule.decision.Assignment;
import io.millrace.schedulers.gridengine.language.cluster.QueueInstance;
import io.millrace.schedulers.gridengine.language.options.Numbers;
import io.millrace.schedulers.gridengine.language.request.AttributeRequest;
import io.millrace.schedulers.gridengine.language.request.Needs;
import io.millrace.schemas.pbs.jobs.RunWalltimes;
import java.util.function.ToLongFunction;

/**
 * How long a run may last by the queue instances that it starts in, in seconds, or {@link
 * RunWalltimes#NONE}. The least of them counts. The h_rt of the job is its walltime and not known
 * here.
 */
final class RunLengths {
  private RunLengths() {}

  /** After how long its queues end it. */
  static long hard(Assignment assignment) {
    return orNone(least(assignment, QueueInstance::hardLimit));
  }

  /** After how long it is warned, by its queues and by what the job asked for. */
  static long soft(Assignment assignment, Needs needs) {
    double asked = needs.hard("s_rt").map(AttributeRequest::amount).orElse(Double.MAX_VALUE);
    long least = least(assignment, QueueInstance::softLimit);
    return orNone(asked < least ? Math.max(1, (long) asked) : least);
  }

  private static long least(Assignment assignment, ToLongFunction<QueueInstance> limit) {
    return assignment.grants().stream()
        .mapToLong(grant -> limit.applyAsLong(grant.queue()))
        .min()
        .orElse(Numbers.UNLIMITED_S);
  }

  private static long orNone(long limitS) {
    return limitS < Numbers.UNLIMITED_S ? limitS : RunWalltimes.NONE;
  }
}
