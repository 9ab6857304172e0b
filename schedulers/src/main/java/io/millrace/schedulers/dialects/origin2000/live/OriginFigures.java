package io.millrace.schedulers.dialects.origin2000.live;

import io.millrace.schemas.fact.EntityAmount;
import io.millrace.schemas.fact.RunCharge;
import io.millrace.schemas.fact.UsageCharged;
import io.millrace.schemas.fact.UsagesSet;
import io.millrace.schemas.pbs.origin.StartUsage;
import io.millrace.schemas.pbs.schedconfig.share.FadedUsage;
import io.millrace.schemas.state.EntityUsage;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Past usage of users as the shard has it, by {@code group:user}. */
final class OriginFigures {

  /** What an entity had used when usage had faded by so much. */
  private record UserPastUsage(long milli, double faded) {}

  private final Map<String, UserPastUsage> entities = new HashMap<>();
  private final Map<String, Double> figures = new HashMap<>();
  private double faded;

  /** The figures of all who have one. */
  Map<String, Double> all() {
    return figures;
  }

  /** A record of the shard. */
  void record(EntityUsage usage) {
    put(usage.getEntity(), new UserPastUsage(usage.getMilli(), usage.getFaded()));
  }

  /** By how much usage has faded. */
  void faded(double now) {
    faded = now;
    entities.forEach((name, used) -> figures.put(StartUsage.user(name), figure(used)));
  }

  void charged(UsageCharged fact) {
    for (RunCharge charge : fact.getCharges()) {
      UserPastUsage before = entities.get(charge.getEntity());
      long milli = before == null ? FadedUsage.LEAST_MILLI : now(before);
      put(charge.getEntity(), new UserPastUsage(FadedUsage.plus(milli, charge.getMilli()), faded));
    }
  }

  void set(UsagesSet fact) {
    for (EntityAmount usage : fact.getUsages()) {
      put(usage.getEntity(), new UserPastUsage(usage.getMilli(), faded));
    }
  }

  void forgotten(List<String> gone) {
    gone.stream().filter(StartUsage::is).forEach(this::forget);
  }

  private void forget(String entity) {
    entities.remove(entity);
    figures.remove(StartUsage.user(entity));
  }

  private void put(String entity, UserPastUsage used) {
    if (StartUsage.is(entity)) {
      entities.put(entity, used);
      figures.put(StartUsage.user(entity), figure(used));
    }
  }

  private double figure(UserPastUsage used) {
    return StartUsage.figure(now(used));
  }

  private long now(UserPastUsage used) {
    return FadedUsage.now(used.milli(), used.faded(), faded);
  }
}
