package io.millrace.server.core.engine;

import io.millrace.schemas.command.RecordCycle;
import io.millrace.schemas.command.StartEngine;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.FactMeta;
import io.millrace.schemas.fact.CycleRecorded;
import io.millrace.schemas.fact.EngineStarted;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.decision.Decision;
import io.millrace.server.core.placement.PartitionTable;

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
    FactMeta stamp = c.stamp();
    return Decision.done(c)
        .fact(
            new EngineStarted(
                stamp,
                command.getScheduler(),
                command.getShadow() ? Epochs.SHADOW : Epochs.next(c.view(), stamp),
                command.getApart(),
                command.getShadow(),
                command.getHost()));
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
