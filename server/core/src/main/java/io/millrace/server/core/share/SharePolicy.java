package io.millrace.server.core.share;

import io.millrace.schemas.common.Chunk;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.Usage;
import io.millrace.schemas.pbs.attributes.AttributeTable;
import io.millrace.schemas.pbs.attributes.SortFormula;
import io.millrace.schemas.pbs.resources.ResourceKind;
import io.millrace.schemas.pbs.schedconfig.share.Entities;
import io.millrace.schemas.pbs.schedconfig.share.FadedUsage;
import io.millrace.schemas.state.Job;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.placement.CustomResources;
import io.millrace.server.core.placement.PartitionTable;
import io.millrace.server.core.state.View;
import java.util.Optional;

/**
 * What a scheduler object says of fair share.
 *
 * @param entities whose usage is added up
 * @param usage what counts
 * @param fadesMs after how long usage fades, milliseconds; 0 when it never does
 * @param factor what is left of it then
 */
public record SharePolicy(Entities entities, SortFormula usage, long fadesMs, double factor) {
  /** Longer than that is never: 1,000 years, in seconds. */
  private static final long NEVER_S = 31_536_000_000L;

  /** The policy of a scheduler object; empty where nothing is added up. */
  public static Optional<SharePolicy> of(View view, String scheduler) {
    ClusterObject object = scheduler.isEmpty() ? null : PartitionTable.scheduler(view, scheduler);
    String entity = Context.attribute(object, AttributeTable.FAIRSHARE_ENTITY, "");
    if (entity.isEmpty()) {
      return Optional.empty();
    }
    long fadesS = number(object, AttributeTable.FAIRSHARE_DECAY_TIME);
    String factor = Context.attribute(object, AttributeTable.FAIRSHARE_DECAY_FACTOR, "0.5");
    return Optional.of(
        new SharePolicy(
            new Entities(entity),
            formula(Context.attribute(object, AttributeTable.FAIRSHARE_USAGE, "")),
            fadesS > NEVER_S ? 0 : fadesS * 1000,
            Double.parseDouble(factor)));
  }

  /** How usage fades, whether the ends of runs are charged or their starts. */
  static Optional<SharePolicy> fading(View view, String scheduler) {
    Optional<SharePolicy> ofEnds = of(view, scheduler);
    return ofEnds.isPresent() ? ofEnds : ofStarts(view, scheduler);
  }

  /** The policy of a scheduler object that charges the starts of runs; empty for all others. */
  static Optional<SharePolicy> ofStarts(View view, String scheduler) {
    ClusterObject object = scheduler.isEmpty() ? null : PartitionTable.scheduler(view, scheduler);
    if (!Context.attribute(object, "policy", "").equals(AttributeTable.ORIGIN2000)) {
      return Optional.empty();
    }
    String factor = Context.attribute(object, AttributeTable.FAIRSHARE_DECAY_FACTOR, "1");
    return Optional.of(
        new SharePolicy(
            new Entities("egroup:euser"),
            SortFormula.zero(),
            number(object, AttributeTable.FAIRSHARE_DECAY_TIME) * 1000,
            Double.parseDouble(factor)));
  }

  private static long number(ClusterObject object, String attribute) {
    return Long.parseLong(Context.attribute(object, attribute, "0"));
  }

  private static SortFormula formula(String text) {
    try {
      return SortFormula.of(text);
    } catch (SortFormula.BadFormula e) {
      // The directive that set the text has refused others.
      return SortFormula.zero();
    }
  }

  /** What a run has used, in thousandths. What it does not use but asks for counts as asked. */
  long milli(View view, Job job, Usage used) {
    double[] values = new double[usage.names().size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = value(view, usage.names().get(i), job, used);
    }
    return FadedUsage.milli(usage.value(values));
  }

  private static double value(View view, String name, Job job, Usage used) {
    return switch (name) {
      case "cput" -> used.getCputS();
      case "walltime" -> used.getWalltimeS();
      case "mem" -> used.getMemKb();
      case "vmem" -> used.getVmemKb();
      case "cpupercent" -> used.getCpupercent();
      default -> asked(view, name, job);
    };
  }

  private static double asked(View view, String name, Job job) {
    double sum = 0;
    for (Chunk chunk : job.getSpec().getRequest().getChunks()) {
      sum += (double) chunk.getAmounts().getOrDefault(name, 0L) * chunk.getCount();
    }
    if (sum == 0) {
      return 0;
    }
    ResourceKind kind =
        CustomResources.with(view)
            .find(name)
            .map(resource -> resource.kind())
            .orElse(ResourceKind.LONG);
    return kind == ResourceKind.SIZE ? sum / 1024 : kind == ResourceKind.FLOAT ? sum / 1e6 : sum;
  }
}
