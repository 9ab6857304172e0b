package io.millrace.schedulers.core.policy;

import io.millrace.schemas.pbs.attributes.SortFormula;
import io.millrace.schemas.pbs.schedconfig.share.Entities;
import io.millrace.schemas.pbs.schedconfig.share.ShareTree;

/**
 * What the policy of a site may say beyond order and promises.
 *
 * @param sequence the order of jobs
 * @param shares who is entitled to what; null where nobody is told apart
 * @param calendar when jobs may run; null for always
 * @param bounds how much a cycle does
 * @param inQueue true when nobody of a queue passes a job of it that cannot start
 */
public record SiteRules(
    JobSequence sequence,
    FairShareRules shares,
    Calendar calendar,
    CycleBounds bounds,
    boolean inQueue) {

  /**
   * Fair share.
   *
   * @param entity name of the entity to which a job belongs
   * @param usage what a job uses of what it asks for
   * @param enforced true when jobs of entities without shares do not start
   */
  public record FairShareRules(
      ShareTree tree, EntityRule entity, SortFormula usage, boolean enforced) {}

  /** Maps a job to the entity whose share it uses. Rules that say the same are equal. */
  @FunctionalInterface
  public interface EntityRule {
    String of(Entities.Of whose);
  }

  /**
   * How much a cycle does.
   *
   * @param jobs most jobs that it looks at
   * @param preemptions most jobs for which it tries to stop others
   */
  public record CycleBounds(int jobs, int preemptions) {

    /** Without bounds. */
    public static final CycleBounds NONE = new CycleBounds(Integer.MAX_VALUE, Integer.MAX_VALUE);
  }

  /**
   * True when a cycle has to go through all jobs in their order: because it changes with each
   * start, or more is said than an order.
   */
  public boolean oneByOne() {
    return sequence.changesWithStarts()
        || shares != null
        || calendar != null
        || inQueue
        || !bounds.equals(CycleBounds.NONE);
  }
}
