package io.millrace.schedulers.dialects.schedconfig.replay;

import io.millrace.schedulers.core.cycle.SchedulerState;
import io.millrace.schedulers.core.model.Shortage;
import io.millrace.schemas.common.Chunk;
import io.millrace.schemas.common.ClassReason;
import io.millrace.schemas.pbs.reasons.LimitSubject;
import io.millrace.schemas.pbs.reasons.ReasonCode;
import io.millrace.schemas.pbs.reasons.ReasonText;
import io.millrace.schemas.pbs.resources.ResourceTable;
import io.millrace.schemas.pbs.schedconfig.options.SchedConfig;
import io.millrace.schemas.pbs.schedconfig.options.SchedConfigOptions;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Comments of waiting jobs as PBS's scheduler writes them.
 *
 * <p>Where too little is free, PBS tells what was free when the cycle began: that no node was, or
 * that too little of a resource was in all; what was taken in the cycle itself it does not tell.
 */
final class SiteComments {

  private static final String NO_NODE = "Not Running: Not enough free nodes available";
  private static final String NO_ROOM = "Not Running: No available resources on nodes";

  /**
   * What was free when a cycle began.
   *
   * @param sums of all nodes together, by resource
   * @param anyNode false when every node had no processor left
   * @param inUse what the server's amounts were raised by, by resource
   */
  record Free(Map<String, Long> sums, boolean anyNode, Map<String, Long> inUse) {}

  private final SchedulerState state;
  private final SchedConfig config;
  private final ResourceTable resources;
  private final Free free;

  SiteComments(SchedulerState state, SchedConfig config, ResourceTable resources, Free free) {
    this.state = state;
    this.config = config;
    this.resources = resources;
    this.free = free;
  }

  /**
   * Writes the comments of the jobs that a cycle has left.
   *
   * @param looked labels of those that it looked at
   */
  void write(Collection<SiteJob> jobs, List<String> looked) {
    if (!config.flag(SchedConfigOptions.UPDATE_COMMENTS)) {
      return;
    }
    boolean bounded = config.count(SchedConfigOptions.MAX_JOB_CHECK) != Integer.MAX_VALUE;
    for (SiteJob job : jobs) {
      Shortage shortage = job.waits() ? state.waiting().shortage(job.number()) : null;
      if (shortage != null && (!bounded || looked.contains(job.label()))) {
        job.comment(text(job, shortage));
      }
    }
  }

  private String text(SiteJob job, Shortage shortage) {
    return switch (shortage.code()) {
      case TOTAL_INSUFFICIENT, NODE_INSUFFICIENT, PLACE_INSUFFICIENT, CLUSTER_INSUFFICIENT ->
          altogether(job).orElse(NO_ROOM);
      case RUN_LIMIT, RESOURCE_LIMIT ->
          // PBS looks first whether all nodes together have enough.
          altogether(job).orElseGet(() -> ReasonText.pbsComment(reason(shortage), resources));
      default -> ReasonText.pbsComment(reason(shortage), resources);
    };
  }

  private ClassReason reason(Shortage shortage) {
    return ClassReason.newBuilder()
        .setClassKey("")
        .setCode(shortage.code().name())
        .setSubject(shortage.subject())
        .setNeeded(shortage.numbers().needed())
        .setFree(shortage.numbers().free())
        .setTotal(shortage.numbers().total() - raised(shortage))
        .build();
  }

  private long raised(Shortage shortage) {
    return shortage.limited()
        ? LimitSubject.parse(shortage.subject())
            .map(limit -> free.inUse().getOrDefault(limit.resource(), 0L))
            .orElse(0L)
        : 0;
  }

  /** What all nodes together lacked when the cycle began, or never have. */
  private Optional<String> altogether(SiteJob job) {
    Map<String, Long> asked = new TreeMap<>();
    for (Chunk chunk : job.record().getSpec().getRequest().getChunks()) {
      chunk
          .getAmounts()
          .forEach((name, amount) -> asked.merge(name, amount * chunk.getCount(), Long::sum));
    }
    Function<String, Long> ever =
        name -> free.sums().containsKey(name) ? state.totals().capacity(name) : null;
    Optional<String> never = first(ReasonCode.NEVER_FITS, asked, ever);
    if (never.isPresent() || free.anyNode()) {
      return never.or(() -> first(ReasonCode.TOTAL_INSUFFICIENT, asked, free.sums()::get));
    }
    return Optional.of(NO_NODE);
  }

  /**
   * The comment for the first resource of which too little is there.
   *
   * @param code that says so
   * @param there by the name of a resource; null where nobody has it
   */
  private Optional<String> first(
      ReasonCode code, Map<String, Long> asked, Function<String, Long> there) {
    for (Map.Entry<String, Long> each : asked.entrySet()) {
      Long has = there.apply(each.getKey());
      if (has != null && each.getValue() > has) {
        Shortage.ShortageAmounts numbers =
            new Shortage.ShortageAmounts(
                each.getValue(), has, state.totals().capacity(each.getKey()));
        Shortage total =
            new Shortage(code, each.getKey(), numbers, Shortage.Watch.CHANGE, Shortage.UNKNOWN);
        return Optional.of(ReasonText.pbsComment(reason(total), resources));
      }
    }
    return Optional.empty();
  }
}
