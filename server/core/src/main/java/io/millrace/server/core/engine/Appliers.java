package io.millrace.server.core.engine;

import io.millrace.schemas.common.ClassReason;
import io.millrace.schemas.common.EngineCondition;
import io.millrace.schemas.fact.CycleRecorded;
import io.millrace.schemas.fact.EngineNoted;
import io.millrace.schemas.fact.EngineStarted;
import io.millrace.schemas.pbs.resources.RequestClass;
import io.millrace.schemas.state.Scheduler;
import io.millrace.server.core.job.accrue.Accruals;
import io.millrace.server.core.state.Copies;
import io.millrace.server.core.state.Keys;
import io.millrace.server.core.state.State;
import java.util.ArrayList;
import java.util.List;

/** Applies starts of engines and the reasons that cycles recorded. */
public final class Appliers {

  public void apply(State state, EngineStarted fact) {
    if (fact.getShadow()) {
      return;
    }
    Scheduler scheduler = copy(state, fact.getScheduler());
    scheduler.setEpoch(fact.getEpoch());
    scheduler.setApart(fact.getApart());
    scheduler.setHost(fact.getHost());
    scheduler.setCondition(EngineCondition.WORKS);
    scheduler.setConditionSinceMs(fact.getMeta().getAtMs());
    if (!scheduler.getComment().equals(EngineComments.NEEDS_ATTENTION)) {
      scheduler.setComment("");
    }
    state.schedulers().put(fact.getScheduler(), scheduler);
    forgetPromises(state, fact.getScheduler());
  }

  /** A new engine makes its promises anew, and does not know which of them were told. */
  private static void forgetPromises(State state, String scheduler) {
    String from = Keys.reason(scheduler, RequestClass.PROMISES);
    List<String> keys = new ArrayList<>();
    state.reasons().scan(from, from + Character.MAX_VALUE, (key, reason) -> keys.add(key));
    keys.forEach(state.reasons()::remove);
  }

  public void apply(State state, EngineNoted fact) {
    Scheduler scheduler = copy(state, fact.getScheduler());
    scheduler.setCondition(fact.getCondition());
    scheduler.setConditionSinceMs(fact.getMeta().getAtMs());
    scheduler.setFailures(fact.getFailures());
    scheduler.setComment(fact.getComment());
    state.schedulers().put(fact.getScheduler(), scheduler);
  }

  public void apply(State state, CycleRecorded fact) {
    Scheduler scheduler = copy(state, fact.getScheduler());
    scheduler.setCycles(fact.getCycle());
    scheduler.setLastCycleMs(fact.getMeta().getAtMs());
    scheduler.setLastWorkUnits(fact.getWorkUnits());
    scheduler.setWorkLimitHit(fact.getWorkLimitHit());
    state.schedulers().put(fact.getScheduler(), scheduler);
    for (ClassReason reason : fact.getReasons()) {
      state
          .reasons()
          .put(
              Keys.reason(fact.getScheduler(), reason.getClassKey()),
              Accruals.noted(state, fact.getScheduler(), reason, fact.getMeta().getAtMs()));
    }
    for (String classKey : fact.getCleared()) {
      state.reasons().remove(Keys.reason(fact.getScheduler(), classKey));
    }
  }

  private static Scheduler copy(State state, String name) {
    Scheduler before = state.schedulers().get(name);
    return before == null ? Scheduler.newBuilder().setName(name).build() : Copies.of(before);
  }
}
