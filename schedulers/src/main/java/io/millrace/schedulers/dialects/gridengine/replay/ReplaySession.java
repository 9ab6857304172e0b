package io.millrace.schedulers.dialects.gridengine.replay;

import io.millrace.schedulers.gridengine.language.cluster.Cluster;
import io.millrace.schedulers.gridengine.language.options.OptionValues;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Input of a replay.
 *
 * @param scheduler settings of sched_conf
 * @param endSeen by job name and task: seconds from the begin at which the recorded scheduler no
 *     longer saw the task run
 * @param limit_s when the session ends at the latest
 */
public record ReplaySession(
    Cluster cluster,
    OptionValues scheduler,
    List<CaseJob> jobs,
    List<CaseAction> actions,
    Map<String, Map<Integer, Long>> endSeen,
    long limit_s) {

  OptionalLong endSeen(String job, int task) {
    Long seen = endSeen.getOrDefault(job, Map.of()).get(task);
    return seen == null ? OptionalLong.empty() : OptionalLong.of(seen);
  }
}
