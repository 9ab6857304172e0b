package io.millrace.schedulers.dialects.schedconfig.live;

import io.millrace.schemas.fact.RunCharge;
import io.millrace.schemas.fact.UsageCharged;
import io.millrace.schemas.fact.UsageFaded;
import io.millrace.schemas.fact.UsageSet;
import io.millrace.schemas.fact.UsagesForgotten;
import io.millrace.schemas.pbs.origin.StartUsage;
import io.millrace.schemas.pbs.schedconfig.share.FadedUsage;
import io.millrace.schemas.pbs.schedconfig.share.ShareTree;
import io.millrace.schemas.pbs.schedconfig.share.ShareVertex;
import io.millrace.schemas.state.EntityUsage;
import java.util.HashMap;
import java.util.Map;

/**
 * What entities have used, as the shard has it, and the same in the tree of shares. What a group
 * has used is 1 and the sum of its entities, as pbsfs shows it; sums are whole thousandths, so that
 * they do not depend on the order in which they came together.
 */
final class LiveUsage {
  /** What an entity had used when usage had faded by so much. */
  private record EntityPastUsage(long milli, double faded) {}

  private static final double MILLI = 1000;

  private final Map<String, EntityPastUsage> entities = new HashMap<>();
  private final Map<ShareVertex, Long> sums = new HashMap<>();
  private double faded;
  private ShareTree tree;

  /** Shows the usages in a tree in which nothing was used; null for none. */
  void in(ShareTree other) {
    tree = other;
    all();
  }

  private void all() {
    sums.clear();
    if (tree == null) {
      return;
    }
    tree.clear();
    entities.forEach((name, used) -> add(name, now(used)));
  }

  private long now(EntityPastUsage used) {
    return FadedUsage.now(used.milli(), used.faded(), faded);
  }

  /** An entity has used so much more, and by that its groups. */
  private void add(String name, long more) {
    if (tree == null) {
      return;
    }
    for (ShareVertex vertex : tree.entity(name).path()) {
      long sum = saturated(sums.getOrDefault(vertex, 0L), more);
      sums.put(vertex, sum);
      boolean group = !vertex.isLeaf() || vertex.name().equals(ShareTree.UNKNOWN);
      tree.set(vertex, saturated(sum, group ? FadedUsage.LEAST_MILLI : 0) / MILLI);
    }
  }

  private static long saturated(long sum, long more) {
    long result = sum + more;
    boolean over = ((sum ^ result) & (more ^ result)) < 0;
    return over ? Long.MAX_VALUE : result;
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
