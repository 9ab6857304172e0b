package io.millrace.server.core.engine;

import io.millrace.schemas.command.NoteEngine;
import io.millrace.schemas.command.RecordCycle;
import io.millrace.schemas.command.StartEngine;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.EngineCondition;
import io.millrace.schemas.common.FactMeta;
import io.millrace.schemas.fact.CycleRecorded;
import io.millrace.schemas.fact.EngineNoted;
import io.millrace.schemas.fact.EngineStarted;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.state.Scheduler;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.decision.Decision;
import io.millrace.server.core.placement.PartitionTable;
import java.util.List;

/** Decides which engine serves a scheduler object, and records the results of cycles. */
public final class Deciders {
  /** Reasons and clearances of one command together. */
  public static final int REASONS_MAX = 200;

  public Decision decide(Context c, StartEngine command) {
    ClusterObject object = PartitionTable.scheduler(c.view(), command.getScheduler());
    int shard = Integer.parseInt(Context.attribute(object, "shard", "-1"));
    if (shard < 0) {
      return Decision.rejected(c, PbsError.UNKNOWN_SCHEDULER);
    }
    if (shard != c.shard()) {
      return Decision.none().tell(shard, command);
    }
    Decision decision = Decision.done(c);
    if (!command.getShadow() && command.getApart() && vanished(c, command.getScheduler())) {
      decision.fact(noted(c, object, EngineCondition.FAILED, "it is started again"));
    }
    FactMeta stamp = c.stamp();
    return decision.fact(
        new EngineStarted(
            stamp,
            command.getScheduler(),
            command.getShadow() ? Epochs.SHADOW : Epochs.next(c.view(), stamp),
            command.getApart(),
            command.getShadow(),
            command.getHost()));
  }

  /** Whether an engine apart has not said that it would end, nor been missed yet. */
  private static boolean vanished(Context c, String scheduler) {
    Scheduler state = c.view().schedulers().get(scheduler);
    return state != null && state.getApart() && state.getCondition() == EngineCondition.WORKS;
  }

  public Decision decide(Context c, NoteEngine command) {
    ClusterObject object = PartitionTable.scheduler(c.view(), command.getScheduler());
    if (object == null || !Epochs.holds(c.view(), command.getScheduler(), command.getEpoch())) {
      return Decision.rejected(c, PbsError.STALE_PROPOSAL);
    }
    Scheduler state = c.view().schedulers().get(command.getScheduler());
    boolean ready =
        command.getCondition() == EngineCondition.WORKS
            && state.getComment().equals(EngineComments.NEEDS_ATTENTION)
            && state.getCondition() == EngineCondition.WORKS;
    if (state.getCondition() == command.getCondition() && !ready) {
      return Decision.done(c);
    }
    String why = command.getWhy();
    return Decision.done(c)
        .fact(ready ? ready(c, object, why) : noted(c, object, command.getCondition(), why));
  }

  /** It has worked for long enough after its failures. */
  private static EngineNoted ready(Context c, ClusterObject object, String why) {
    EngineNoted noted = noted(c, object, EngineCondition.WORKS, why);
    noted.setFailures(List.of());
    noted.setComment(EngineComments.READY_TO_USE);
    return noted;
  }

  private static EngineNoted noted(
      Context c, ClusterObject object, EngineCondition condition, String why) {
    Scheduler state = c.view().schedulers().get(object.getName());
    boolean failed = condition == EngineCondition.FAILED || condition == EngineCondition.SILENT;
    List<Long> failures =
        failed
            ? EngineComments.failedAgain(state.getFailures(), c.nowMs())
            : EngineComments.recent(state.getFailures(), c.nowMs());
    List<String> partitions = EngineComments.partitions(object);
    return new EngineNoted(
        c.stamp(),
        object.getName(),
        state.getEpoch(),
        condition,
        why,
        partitions,
        failures,
        EngineComments.of(condition, failures, partitions));
  }

  public Decision decide(Context c, RecordCycle command) {
    if (!Epochs.holds(c.view(), command.getScheduler(), command.getEpoch())) {
      return Decision.rejected(c, PbsError.STALE_PROPOSAL);
    }
    if (command.getReasons().size() + command.getCleared().size() > REASONS_MAX) {
      return Decision.rejected(c, PbsError.PROTOCOL, ": more than " + REASONS_MAX + " reasons");
    }
    return Decision.done(c)
        .fact(
            new CycleRecorded(
                c.stamp(),
                command.getScheduler(),
                command.getEpoch(),
                command.getCycle(),
                command.getWorkUnits(),
                command.getWorkLimitHit(),
                command.getReasons(),
                command.getCleared()));
  }
}
