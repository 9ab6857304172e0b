package io.millrace.server.core.share;

import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.fact.EntityAmount;
import io.millrace.schemas.fact.RunCharge;
import io.millrace.schemas.fact.UsageCharged;
import io.millrace.schemas.fact.UsagesForgotten;
import io.millrace.schemas.fact.UsagesSet;
import io.millrace.schemas.pbs.attributes.AttributeTable;
import io.millrace.schemas.pbs.origin.GroupAccounts;
import io.millrace.schemas.pbs.origin.OriginWords;
import io.millrace.schemas.pbs.origin.StartUsage;
import io.millrace.schemas.state.EntityUsage;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.Scheduler;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.decision.Decision;
import io.millrace.server.core.placement.PartitionTable;
import io.millrace.server.core.state.View;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What users are charged for starts by an Origin2000 policy. The charge is decided with the start,
 * so that no start is charged twice or not at all.
 */
public final class StartCharges {

  private StartCharges() {}

  /** A scheduler has started a run. */
  public static void started(Context c, Job job, int run, String scheduler, Decision decision) {
    Optional<SharePolicy> policy = SharePolicy.ofStarts(c.view(), scheduler);
    String entity = StartUsage.entity(job.getSpec());
    if (policy.isEmpty() || !hasRoom(c.view(), scheduler, entity)) {
      return;
    }
    long cost = StartUsage.charge(job.getSpec().getRequest().getWalltimeS());
    RunCharge charge = new RunCharge(job.getNumber(), run, entity, StartUsage.more(cost));
    decision.fact(
        new UsageCharged(
            c.stamp(), scheduler, List.of(charge), Fading.dueMs(c, scheduler, policy.get())));
  }

  /** As many entities as there may be are not charged further ones. */
  private static boolean hasRoom(View view, String scheduler, String entity) {
    Scheduler state = view.schedulers().get(scheduler);
    return state == null
        || state.getEntities() < Charges.ENTITIES_MAX
        || Charges.find(view, scheduler, entity) != null;
  }

  /** A scheduler object is written: another file of past usage in it replaces what is known. */
  public static void written(Context c, ClusterObject object, Decision decision) {
    if (object.getKind() != ObjectKind.SCHEDULER
        || !Context.attribute(object, "shard", "").equals(Integer.toString(c.shard()))) {
      return;
    }
    String before = text(PartitionTable.scheduler(c.view(), object.getName()));
    String now = text(object);
    String file = now.equals(before) ? "" : file(now);
    if (!file.isEmpty() && !file.equals(file(before))) {
      replace(c, object.getName(), StartUsage.read(file), decision);
    }
  }

  private static String text(ClusterObject scheduler) {
    return Context.attribute(scheduler, AttributeTable.ORIGIN2000, "");
  }

  private static String file(String text) {
    return OriginWords.of(text).file("decay_usage");
  }

  private static void replace(
      Context c, String scheduler, Map<String, Double> figures, Decision decision) {
    List<String> gone = new ArrayList<>();
    c.view()
        .table(EntityUsage.class)
        .each(
            usage -> {
              String entity = usage.getEntity();
              if (usage.getScheduler().equals(scheduler)
                  && StartUsage.is(entity)
                  && !figures.containsKey(StartUsage.user(entity))) {
                gone.add(entity);
              }
            });
    for (List<String> part : parts(gone)) {
      decision.fact(new UsagesForgotten(c.stamp(), scheduler, part, c.meta().getPrincipal()));
    }
    List<EntityAmount> amounts =
        figures.entrySet().stream()
            .limit(Charges.ENTITIES_MAX)
            .map(
                it ->
                    new EntityAmount(
                        StartUsage.entity(it.getKey()), StartUsage.milli(it.getValue())))
            .toList();
    for (List<EntityAmount> part : parts(amounts)) {
      decision.fact(new UsagesSet(c.stamp(), scheduler, part));
    }
  }

  /**
   * All usage fades by one factor: what users of groups without an allocation left have used is set
   * to what their own factor leaves.
   */
  static void slowly(Context c, String scheduler, long times, Decision decision) {
    Scheduler state = c.view().schedulers().get(scheduler);
    OriginWords words = OriginWords.of(text(PartitionTable.scheduler(c.view(), scheduler)));
    Optional<GroupAccounts> accounts =
        state == null ? Optional.empty() : GroupStarts.accounts(state);
    if (times == 0 || accounts.isEmpty() || words.allocationsFromMs() > c.nowMs()) {
      return;
    }
    double left = Math.pow(words.slowFactor(), times);
    List<EntityAmount> amounts = new ArrayList<>();
    c.view()
        .table(EntityUsage.class)
        .each(
            usage -> {
              String entity = usage.getEntity();
              if (usage.getScheduler().equals(scheduler)
                  && StartUsage.is(entity)
                  && accounts.get().over(StartUsage.group(entity))) {
                double figure = StartUsage.figure(Charges.milli(usage, state.getFaded()));
                amounts.add(new EntityAmount(entity, StartUsage.milli(figure * left)));
              }
            });
    for (List<EntityAmount> part : parts(amounts)) {
      decision.fact(new UsagesSet(c.stamp(), scheduler, part));
    }
  }

  private static <T> List<List<T>> parts(List<T> all) {
    List<List<T>> parts = new ArrayList<>();
    for (int from = 0; from < all.size(); from += Charges.CHARGES_MAX) {
      int to = Math.min(all.size(), from + Charges.CHARGES_MAX);
      parts.add(List.copyOf(all.subList(from, to)));
    }
    return parts;
  }
}
