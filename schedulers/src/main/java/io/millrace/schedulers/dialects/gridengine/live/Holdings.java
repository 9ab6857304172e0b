package io.millrace.schedulers.dialects.gridengine.live;

import io.millrace.schedulers.dialects.gridengine.schedule.decision.Assignment;
import io.millrace.schedulers.dialects.gridengine.schedule.decision.Grant;
import io.millrace.schedulers.gridengine.language.Configuration;
import io.millrace.schedulers.gridengine.language.cluster.AllocationRule;
import io.millrace.schedulers.gridengine.language.cluster.ObjectAccess;
import io.millrace.schedulers.gridengine.language.cluster.OfferedAttributes;
import io.millrace.schedulers.gridengine.language.cluster.ParallelEnvironment;
import io.millrace.schedulers.gridengine.language.cluster.QueueInstance;
import io.millrace.schedulers.gridengine.language.options.Numbers;
import io.millrace.schedulers.gridengine.language.options.QueueOptions;
import io.millrace.schemas.common.Allocation;
import io.millrace.schemas.common.GridEngineGrant;
import io.millrace.schemas.common.NodeShare;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Rebuilds what a run holds from its allocation, for runs that this engine did not decide itself.
 */
final class Holdings {

  /** Queue name for a run that another policy started. */
  private static final String NO_QUEUE = "none";

  private Holdings() {}

  /**
   * @param startS when it began
   * @param configuration knows the queue instances and environments by their names; what it does
   *     not know is taken to offer nothing
   */
  static Assignment of(Allocation allocation, long startS, Optional<Configuration> configuration) {
    GridEngineGrant grant = allocation.getGridEngine();
    List<Grant> grants = new ArrayList<>();
    for (int i = 0; i < allocation.getShares().size(); i++) {
      NodeShare share = allocation.getShares().get(i);
      String name = grant == null ? NO_QUEUE + "@" + share.getNode() : grant.getQueues().get(i);
      QueueInstance queue =
          configuration.flatMap(c -> c.cluster().queue(name)).orElseGet(() -> unknown(name));
      grants.add(new Grant(queue, share.getChunks()));
    }
    String environment = grant == null ? "" : grant.getEnvironment();
    Optional<ParallelEnvironment> parallel =
        environment.isEmpty()
            ? Optional.empty()
            : Optional.of(
                configuration
                    .flatMap(c -> c.cluster().environment(environment))
                    .orElseGet(() -> unknownEnvironment(environment)));
    return new Assignment(startS, Numbers.UNLIMITED_S, parallel, grants);
  }

  /** Whether an allocation consists of the grants of this assignment. */
  static boolean are(Assignment assignment, Allocation allocation) {
    GridEngineGrant grant = allocation.getGridEngine();
    if (grant == null
        || !grant.getEnvironment().equals(assignment.environment().map(e -> e.name()).orElse(""))
        || grant.getQueues().size() != assignment.grants().size()) {
      return false;
    }
    for (int i = 0; i < assignment.grants().size(); i++) {
      Grant proposed = assignment.grants().get(i);
      if (!proposed.queue().name().equals(grant.getQueues().get(i))
          || proposed.slots() != allocation.getShares().get(i).getChunks()) {
        return false;
      }
    }
    return true;
  }

  private static QueueInstance unknown(String name) {
    int at = name.indexOf('@');
    String queue = at < 0 ? name : name.substring(0, at);
    String text = "qname " + queue + "\n";
    return new QueueInstance(
        queue,
        at < 0 ? "" : name.substring(at + 1),
        QueueOptions.TABLE.parse(queue, text).with("initial_state", "disabled"),
        OfferedAttributes.NOTHING,
        ObjectAccess.users("NONE", "NONE"));
  }

  private static ParallelEnvironment unknownEnvironment(String name) {
    return new ParallelEnvironment(
        name, 0, AllocationRule.of("$pe_slots"), "min", ObjectAccess.users("NONE", "NONE"));
  }
}
