package io.millrace.server.core.share;

import io.millrace.schemas.command.ChangeUsage;
import io.millrace.schemas.command.NoteUsage;
import io.millrace.schemas.command.RunUsed;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.fact.RunCharge;
import io.millrace.schemas.fact.UsageSet;
import io.millrace.schemas.fact.UsagesForgotten;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.pbs.attributes.AttributeTable;
import io.millrace.schemas.pbs.origin.StartUsage;
import io.millrace.schemas.pbs.schedconfig.StoredPolicy;
import io.millrace.schemas.pbs.schedconfig.share.FadedUsage;
import io.millrace.schemas.pbs.schedconfig.share.ShareTree;
import io.millrace.schemas.state.EntityUsage;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.Timer;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.decision.Decision;
import io.millrace.server.core.placement.PartitionTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** Decides what is charged to entities, and what administrators change of it. */
public final class Deciders {

  /** Longest name of an entity, in characters. */
  private static final int NAME_MAX = 255;

  public Decision decide(Context c, NoteUsage command) {
    Optional<SharePolicy> policy = SharePolicy.of(c.view(), command.getScheduler());
    if (policy.isEmpty()) {
      return Decision.none();
    }
    if (command.getRuns().size() > Charges.CHARGES_MAX) {
      return Decision.rejected(c, PbsError.PROTOCOL, ": more than " + Charges.CHARGES_MAX);
    }
    List<RunCharge> charges = new ArrayList<>();
    for (RunUsed run : command.getRuns()) {
      Job job = Charges.job(c.view(), run.getJob(), run.getRun());
      boolean runs =
          job != null
              && job.getStatus() == JobStatus.RUNNING
              && job.getScheduler().equals(command.getScheduler());
      long more =
          runs ? policy.get().milli(c.view(), job, run.getUsed()) - Charges.charged(job) : 0;
      if (more > 0) {
        charges.add(Charges.charge(c.view(), policy.get(), job, more));
      }
    }
    Decision decision = Decision.none();
    return charges.isEmpty()
        ? decision
        : decision.fact(Charges.charged(c, command.getScheduler(), policy.get(), charges));
  }

  public Decision decide(Context c, ChangeUsage command) {
    ClusterObject object = PartitionTable.scheduler(c.view(), command.getScheduler());
    int shard = Integer.parseInt(Context.attribute(object, "shard", "-1"));
    if (shard < 0) {
      return Decision.rejected(c, PbsError.UNKNOWN_SCHEDULER);
    }
    if (!c.isManager()) {
      return Decision.rejected(c, PbsError.UNAUTHORIZED);
    }
    if (shard != c.shard()) {
      return Decision.none().tell(shard, command);
    }
    Optional<SharePolicy> policy = SharePolicy.of(c.view(), command.getScheduler());
    if (policy.isEmpty()) {
      return Decision.rejected(
          c, PbsError.INVALID_REQUEST, ": scheduler " + object.getName() + " has no fair share");
    }
    return switch (command.getChange()) {
      case SET -> set(c, command);
      case FADE ->
          Decision.done(c)
              .fact(Fading.faded(c, command.getScheduler(), policy.get(), 1, c.nowMs()));
      case FORGET -> forget(c, object);
    };
  }

  private static Decision set(Context c, ChangeUsage command) {
    String entity = command.getEntity();
    if (entity.isEmpty() || entity.length() > NAME_MAX) {
      return Decision.rejected(c, PbsError.INVALID_REQUEST, ": the name of the entity");
    }
    long milli = FadedUsage.plus(command.getMilli(), 0);
    return Decision.done(c)
        .fact(
            new UsageSet(
                c.stamp(), command.getScheduler(), entity, milli, c.meta().getPrincipal()));
  }

  private static Decision forget(Context c, ClusterObject object) {
    String text = Context.attribute(object, AttributeTable.SCHED_CONFIG, "");
    ShareTree tree = StoredPolicy.read(text).folder().group().tree(0);
    Decision decision = Decision.done(c);
    forget(c, object.getName(), name -> !StartUsage.is(name) && tree.find(name) == null, decision);
    return decision;
  }

  private static void forget(
      Context c, String scheduler, Predicate<String> which, Decision decision) {
    List<String> names = new ArrayList<>();
    c.view()
        .table(EntityUsage.class)
        .each(
            usage -> {
              if (usage.getScheduler().equals(scheduler) && which.test(usage.getEntity())) {
                names.add(usage.getEntity());
              }
            });
    for (int from = 0; from < names.size(); from += Charges.CHARGES_MAX) {
      List<String> part = names.subList(from, Math.min(names.size(), from + Charges.CHARGES_MAX));
      decision.fact(
          new UsagesForgotten(c.stamp(), scheduler, List.copyOf(part), c.meta().getPrincipal()));
    }
  }

  /**
   * The timer of the fading. Where the scheduler object is gone its usages are forgotten; where it
   * adds nothing up any more they stay as they are.
   */
  public Decision fading(Context c, Timer timer) {
    Decision decision = Decision.fired(c, timer);
    if (PartitionTable.scheduler(c.view(), timer.getSubject()) == null) {
      forget(c, timer.getSubject(), name -> true, decision);
    } else {
      SharePolicy.fading(c.view(), timer.getSubject())
          .ifPresent(policy -> Fading.due(c, timer, policy, decision));
    }
    return decision;
  }
}
