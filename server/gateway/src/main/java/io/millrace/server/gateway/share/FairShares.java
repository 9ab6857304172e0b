package io.millrace.server.gateway.share;

import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.pbs.attributes.AttributeTable;
import io.millrace.schemas.pbs.origin.StartUsage;
import io.millrace.schemas.pbs.schedconfig.StoredPolicy;
import io.millrace.schemas.pbs.schedconfig.options.SchedConfigOptions;
import io.millrace.schemas.pbs.schedconfig.share.Entities;
import io.millrace.schemas.pbs.schedconfig.share.FadedUsage;
import io.millrace.schemas.pbs.schedconfig.share.ShareTree;
import io.millrace.schemas.pbs.schedconfig.share.ShareVertex;
import io.millrace.schemas.state.EntityUsage;
import io.millrace.schemas.state.Scheduler;
import io.millrace.server.gateway.command.Site;
import io.millrace.server.gateway.link.ClusterView;
import io.millrace.server.gateway.query.QueryException;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The fair share of a scheduler object.
 *
 * @param name of the scheduler object
 * @param shard in which it is
 */
public record FairShares(String name, int shard, StoredPolicy policy) {
  private static final double MILLI = 1000;

  /** The fair share of a scheduler object; empty where nothing is added up. */
  public static Optional<FairShares> of(ClusterObject scheduler) {
    boolean on = ClusterView.attribute(scheduler, AttributeTable.FAIRSHARE_ENTITY).isPresent();
    return on
        ? ClusterView.attribute(scheduler, AttributeTable.SCHED_CONFIG)
            .map(
                text ->
                    new FairShares(
                        scheduler.getName(),
                        Integer.parseInt(ClusterView.attribute(scheduler, "shard").orElse("0")),
                        StoredPolicy.read(text)))
        : Optional.empty();
  }

  /** The entity of a job of this scheduler; empty where its scheduler adds nothing up. */
  public static Optional<String> entity(ClusterObject scheduler, JobSpec job) {
    return ClusterView.attribute(scheduler, AttributeTable.FAIRSHARE_ENTITY)
        .map(kind -> new Entities(kind).apply(job));
  }

  /** The tree, with nothing used. */
  public ShareTree unused() {
    return policy
        .folder()
        .group()
        .tree(policy.folder().config().count(SchedConfigOptions.UNKNOWN_SHARES));
  }

  /** What entities have used by now, by name. */
  public Map<String, Double> usages(Site site) throws QueryException, InterruptedException {
    double faded =
        site.queries().schedulers(shard).stream()
            .filter(it -> it.getName().equals(name))
            .mapToDouble(Scheduler::getFaded)
            .findFirst()
            .orElse(0);
    Map<String, Double> usages = new HashMap<>();
    for (EntityUsage usage : site.queries().usages(shard)) {
      if (usage.getScheduler().equals(name) && !StartUsage.is(usage.getEntity())) {
        long milli = FadedUsage.now(usage.getMilli(), usage.getFaded(), faded);
        usages.put(usage.getEntity(), milli / MILLI);
      }
    }
    return usages;
  }

  /** In words: whose share a job uses, how much of it was used, and who stands before. */
  public String words(Site site, JobSpec job) throws QueryException, InterruptedException {
    ShareTree tree = unused();
    tree.restore(usages(site), false);
    String entity =
        new Entities(policy.folder().config().text(SchedConfigOptions.ENTITY)).apply(job);
    ShareVertex own = tree.entity(entity);
    tree.refresh();
    String before =
        tree.before(own)
            .map(other -> other.name() + " stands before it")
            .orElse("no entity stands before it");
    return String.format(
        Locale.ROOT,
        "It uses the share of %s: %.2f %% of everything; used %.0f (%s), factor %.4f; %s.",
        entity,
        100.0 * own.percentage(),
        own.usage(),
        policy.folder().config().text(SchedConfigOptions.USAGE_RES),
        ShareTree.factor(own),
        before);
  }
}
