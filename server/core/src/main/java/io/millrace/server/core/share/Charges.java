package io.millrace.server.core.share;

import io.millrace.schemas.common.Usage;
import io.millrace.schemas.fact.RunCharge;
import io.millrace.schemas.fact.UsageCharged;
import io.millrace.schemas.pbs.schedconfig.share.FadedUsage;
import io.millrace.schemas.pbs.schedconfig.share.ShareTree;
import io.millrace.schemas.state.Charged;
import io.millrace.schemas.state.EntityUsage;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.Scheduler;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.decision.Decision;
import io.millrace.server.core.state.Keys;
import io.millrace.server.core.state.View;
import java.util.List;
import java.util.Optional;

/** What is charged to entities for runs. */
public final class Charges {
  /** Most runs of one fact, and most names. */
  public static final int CHARGES_MAX = 1_000;

  /** Most entities of a scheduler; what further ones use is used by the group of the unknown. */
  public static final int ENTITIES_MAX = ShareTree.UNKNOWN_MAX;

  private Charges() {}

  /**
   * A run has ended: charges what it used and was not charged for yet. Where its hosts' samples had
   * counted more than was used in the end, that is taken back.
   *
   * @param used null when nobody knows: then nothing more is charged
   */
  public static void ended(Context c, Job job, Usage used, Decision decision) {
    Optional<SharePolicy> policy = SharePolicy.of(c.view(), job.getScheduler());
    if (policy.isEmpty() || used == null) {
      return;
    }
    long more = policy.get().milli(c.view(), job, used) - charged(job);
    if (more != 0) {
      RunCharge charge = charge(c.view(), policy.get(), job, more);
      decision.fact(charged(c, job.getScheduler(), policy.get(), List.of(charge)));
    }
  }

  /** What was charged for the job's present run, in thousandths. */
  static long charged(Job job) {
    Charged charged = job.getCharged();
    return charged != null && charged.getRun() == job.getRun() ? charged.getMilli() : 0;
  }

  static RunCharge charge(View view, SharePolicy policy, Job job, long more) {
    String entity = policy.entities().apply(job.getSpec());
    return new RunCharge(job.getNumber(), job.getRun(), room(view, job, entity), more);
  }

  /** The entity, or the group of the unknown when there are as many entities as there may be. */
  private static String room(View view, Job job, String entity) {
    String scheduler = job.getScheduler();
    Scheduler state = view.schedulers().get(scheduler);
    boolean full = state != null && state.getEntities() >= ENTITIES_MAX;
    return full && find(view, scheduler, entity) == null ? ShareTree.UNKNOWN : entity;
  }

  /** The record of an entity; null when it has none. */
  static EntityUsage find(View view, String scheduler, String entity) {
    return view.table(EntityUsage.class).get(key(scheduler, entity));
  }

  /** Key of an entity. The blank keeps schedulers a and a/b apart: no name has one. */
  static String key(String scheduler, String entity) {
    return scheduler + " " + entity;
  }

  static UsageCharged charged(
      Context c, String scheduler, SharePolicy policy, List<RunCharge> charges) {
    return new UsageCharged(c.stamp(), scheduler, charges, Fading.dueMs(c, scheduler, policy));
  }

  /** What an entity has used by now. */
  static long milli(EntityUsage usage, double faded) {
    return usage == null
        ? FadedUsage.LEAST_MILLI
        : FadedUsage.now(usage.getMilli(), usage.getFaded(), faded);
  }

  /** The job of a charge, if the run is still the job's; else null. */
  static Job job(View view, long number, int run) {
    Job job = view.jobs().get(Keys.number(number));
    return job != null && job.getRun() == run ? job : null;
  }
}
