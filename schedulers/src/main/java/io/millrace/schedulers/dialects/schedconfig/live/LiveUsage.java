package io.millrace.schedulers.dialects.schedconfig.live;

import io.millrace.schemas.fact.RunCharge;
import io.millrace.schemas.fact.UsageCharged;
import io.millrace.schemas.fact.UsageFaded;
import io.millrace.schemas.fact.UsageSet;
import io.millrace.schemas.fact.UsagesForgotten;
import io.millrace.schemas.pbs.origin.StartUsage;
import io.millrace.schemas.pbs.schedconfig.share.FadedUsage;
import io.millrace.schemas.pbs.schedconfig.share.ShareTree;
import io.millrace.schemas.state.EntityUsage;
import java.util.HashMap;
import java.util.Map;

/** What entities have used, as the shard has it, and the same in the tree of shares. */
final class LiveUsage {
  /** What an entity had used when usage had faded by so much. */
  private record EntityPastUsage(long milli, double faded) {}

  private final Map<String, EntityPastUsage> entities = new HashMap<>();
  private double faded;
  private ShareTree tree;

  /** What is left of a usage from the fading of {@link #then} to that of {@link #until}. */
  private double left = 1;

  private double then;
  private double until;

  /** Shows the usages in a tree in which nothing was used; null for none. */
  void in(ShareTree other) {
    tree = other;
    all();
  }

  private void all() {
    if (tree == null) {
      return;
    }
    tree.clear();
    entities.forEach((name, used) -> add(name, now(used)));
  }

  private long now(EntityPastUsage used) {
    if (used.faded() != then || faded != until) {
      // Most have used something since usage faded last, or for as long as others have not.
      then = used.faded();
      until = faded;
      left = FadedUsage.left(then, until);
    }
    return FadedUsage.now(used.milli(), left);
  }

  /** An entity has used so much more. */
  private void add(String name, long more) {
    if (tree != null) {
      tree.addMilli(name, more);
    }
  }

  /** A record of the shard. */
  void record(EntityUsage usage) {
    put(usage.getEntity(), new EntityPastUsage(usage.getMilli(), usage.getFaded()));
  }

  /** By how much usage has faded; told before the records. */
  void faded(double now) {
    faded = now;
    all();
  }

  void charged(UsageCharged fact) {
    for (RunCharge charge : fact.getCharges()) {
      EntityPastUsage before = entities.get(charge.getEntity());
      long milli = before == null ? FadedUsage.LEAST_MILLI : now(before);
      put(
          charge.getEntity(),
          new EntityPastUsage(FadedUsage.plus(milli, charge.getMilli()), faded));
    }
  }

  void set(UsageSet fact) {
    put(fact.getEntity(), new EntityPastUsage(fact.getMilli(), faded));
  }

  void fades(UsageFaded fact) {
    faded(fact.getFaded());
  }

  void forgotten(UsagesForgotten fact) {
    fact.getEntities().forEach(entities::remove);
    all();
  }

  private void put(String entity, EntityPastUsage used) {
    if (StartUsage.is(entity)) {
      return; // of another policy that the scheduler object had
    }
    EntityPastUsage before = entities.put(entity, used);
    add(entity, now(used) - (before == null ? 0 : now(before)));
  }
}
