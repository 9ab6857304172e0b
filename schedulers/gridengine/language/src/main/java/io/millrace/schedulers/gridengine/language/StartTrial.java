package io.millrace.schedulers.gridengine.language;

import io.millrace.schedulers.gridengine.language.cluster.Cluster;
import io.millrace.schedulers.gridengine.language.cluster.QueueInstance;
import io.millrace.schedulers.gridengine.language.options.OptionValues;
import io.millrace.schedulers.gridengine.language.request.GridEngineJob;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * Whether a job could start on a cluster that is empty: what {@code qsub -w e} asks. The dialect's
 * scheduler implements it as a service, so that the command line need not depend on the scheduler.
 */
public interface StartTrial {

  /**
   * Why the job would not start if nothing else ran.
   *
   * @param scheduler settings of the table of sched_conf
   * @return empty when it would start; an empty text when nothing is known of why it would not
   */
  Optional<String> refusal(Cluster cluster, OptionValues scheduler, GridEngineJob job, Instant now);

  /**
   * Where the job would start if nothing else ran; empty when it would not.
   *
   * @param scheduler settings of the table of sched_conf
   */
  Optional<TrialPlace> place(
      Cluster cluster, OptionValues scheduler, GridEngineJob job, Instant now);

  /**
   * Slots of queue instances.
   *
   * @param environment empty for a job without one
   * @param slots by queue instance, the first one being the master's
   */
  record TrialPlace(String environment, Map<QueueInstance, Integer> slots) {}
}
