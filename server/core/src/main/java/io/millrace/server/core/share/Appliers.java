package io.millrace.server.core.share;

import io.millrace.schemas.fact.EntityAmount;
import io.millrace.schemas.fact.RunCharge;
import io.millrace.schemas.fact.UsageCharged;
import io.millrace.schemas.fact.UsageFaded;
import io.millrace.schemas.fact.UsageSet;
import io.millrace.schemas.fact.UsagesForgotten;
import io.millrace.schemas.fact.UsagesSet;
import io.millrace.schemas.pbs.origin.StartUsage;
import io.millrace.schemas.pbs.schedconfig.share.FadedUsage;
import io.millrace.schemas.state.Charged;
import io.millrace.schemas.state.EntityUsage;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.Scheduler;
import io.millrace.server.core.state.Copies;
import io.millrace.server.core.state.Keys;
import io.millrace.server.core.state.State;
import io.millrace.server.core.state.Timers;

/** Applies what was charged, what has faded, and what administrators have set. */
public final class Appliers {

  public void apply(State state, UsageCharged fact) {
    Scheduler scheduler = copy(state, fact.getScheduler());
    for (RunCharge charge : fact.getCharges()) {
      long before =
          Charges.milli(find(state, fact.getScheduler(), charge.getEntity()), scheduler.getFaded());
      put(state, scheduler, charge.getEntity(), FadedUsage.plus(before, charge.getMilli()));
      GroupStarts.charged(scheduler, charge);
      note(state, charge);
    }
    if (scheduler.getFadedMs() == 0) {
      scheduler.setFadedMs(fact.getMeta().getAtMs());
    }
    if (fact.getFadesMs() != 0) {
      fades(state, scheduler, fact.getFadesMs());
    }
    state.schedulers().put(fact.getScheduler(), scheduler);
  }

  /** Keeps with the job what was charged for its run. */
  private static void note(State state, RunCharge charge) {
    if (StartUsage.is(charge.getEntity())) {
      return; // charged with its start, and no part of what its end is charged
    }
    Job before = Charges.job(state, charge.getJob(), charge.getRun());
    if (before != null) {
      Job after = Copies.of(before);
      after.setCharged(new Charged(charge.getRun(), Charges.charged(before) + charge.getMilli()));
      // Nothing that follows a job's record looks at what was charged for it.
      state.jobs().put(Keys.number(after.getNumber()), after);
    }
  }

  public void apply(State state, UsageFaded fact) {
    Scheduler scheduler = copy(state, fact.getScheduler());
    scheduler.setFaded(fact.getFaded());
    scheduler.setFadedMs(fact.getFadedMs());
    fades(state, scheduler, fact.getFadesMs());
    state.schedulers().put(fact.getScheduler(), scheduler);
  }

  public void apply(State state, UsageSet fact) {
    Scheduler scheduler = copy(state, fact.getScheduler());
    put(state, scheduler, fact.getEntity(), fact.getMilli());
    state.schedulers().put(fact.getScheduler(), scheduler);
  }

  public void apply(State state, UsagesSet fact) {
    Scheduler scheduler = copy(state, fact.getScheduler());
    for (EntityAmount usage : fact.getUsages()) {
      put(state, scheduler, usage.getEntity(), usage.getMilli());
    }
    state.schedulers().put(fact.getScheduler(), scheduler);
  }

  public void apply(State state, UsagesForgotten fact) {
    Scheduler before = state.schedulers().get(fact.getScheduler());
    Scheduler scheduler = before == null ? null : Copies.of(before);
    for (String entity : fact.getEntities()) {
      boolean known = find(state, fact.getScheduler(), entity) != null;
      state.table(EntityUsage.class).remove(Charges.key(fact.getScheduler(), entity));
      if (known && scheduler != null) {
        scheduler.setEntities(scheduler.getEntities() - 1);
      }
    }
    if (scheduler != null) {
      state.schedulers().put(fact.getScheduler(), scheduler);
    }
  }

  private static void fades(State state, Scheduler scheduler, long atMs) {
    Timers.remove(state, scheduler.getFadesMs(), Fading.TIMER, scheduler.getName());
    scheduler.setFadesMs(atMs);
    if (atMs != 0) {
      Timers.set(state, atMs, Fading.TIMER, scheduler.getName());
    }
  }

  private static EntityUsage find(State state, String scheduler, String entity) {
    return Charges.find(state, scheduler, entity);
  }

  private static void put(State state, Scheduler scheduler, String entity, long milli) {
    if (find(state, scheduler.getName(), entity) == null) {
      scheduler.setEntities(scheduler.getEntities() + 1);
    }
    EntityUsage usage = new EntityUsage(scheduler.getName(), entity, milli, scheduler.getFaded());
    state.table(EntityUsage.class).put(Charges.key(scheduler.getName(), entity), usage);
  }

  private static Scheduler copy(State state, String name) {
    Scheduler before = state.schedulers().get(name);
    return before == null ? Scheduler.newBuilder().setName(name).build() : Copies.of(before);
  }
}
