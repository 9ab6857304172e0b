package io.millrace.schedulers.core.cycle;

import io.millrace.schedulers.core.policy.Calendar;
import io.millrace.schedulers.core.policy.JobSequence;
import io.millrace.schedulers.core.policy.Policy;
import io.millrace.schedulers.core.policy.SiteRules;
import io.millrace.schemas.pbs.attributes.SortFormula;
import io.millrace.schemas.pbs.reasons.ReasonCode;
import io.millrace.schemas.pbs.schedconfig.share.ShareTree;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Rules of a site at random: an order by several keys, shares, a calendar, bounds of a cycle, and
 * what comes from outside.
 */
final class RandomRules {

  private static final List<String> KEYS = List.of("ncpus", "walltime", JobSequence.JOB_PRIORITY);
  private static final String[] USERS = {"alice@h", "bob@h", "carol@h"};
  private static final int CHARGED = 10;
  private static final int CHANGED = 25;
  private static final int SAID = 18;

  /** More than all nodes have. */
  private static final int MOST_LICENSES = 12;

  private static final int[] LENGTHS_S = {400, 1_500, 7_200};

  private final Random random;
  private ShareTree tree = new ShareTree(0);

  RandomRules(Random random) {
    this.random = random;
  }

  /** A policy with such rules. */
  record RuledPolicy(SiteRules site, int promiseDepth, boolean passes, boolean preempts)
      implements Policy {

    @Override
    public String name() {
      return "rules";
    }
  }

  /**
   * Two kinds of time take turns; one queue is for each.
   *
   * @param held whether jobs may not run from one into the other
   */
  private record Turns(long lengthMs, String first, String second, boolean held)
      implements Calendar {

    @Override
    public CalendarRefusal refusal(String queue, long walltimeMs, long atMs) {
      boolean even = Math.floorDiv(atMs, lengthMs) % 2 == 0;
      long endMs = nextChangeMs(atMs);
      if (queue.equals(first) && !even) {
        return new CalendarRefusal(ReasonCode.PRIME_ONLY, queue, true, endMs);
      }
      if (queue.equals(second) && even) {
        return new CalendarRefusal(ReasonCode.NON_PRIME_ONLY, queue, true, endMs);
      }
      return held && walltimeMs > endMs - atMs
          ? new CalendarRefusal(ReasonCode.CROSSES_PERIOD, "the next", false, endMs)
          : null;
    }

    @Override
    public long nextChangeMs(long afterMs) {
      return (Math.floorDiv(afterMs, lengthMs) + 1) * lengthMs;
    }
  }

  /** One queue never runs jobs, all others always. */
  private record Never(String never) implements Calendar {

    @Override
    public CalendarRefusal refusal(String queue, long walltimeMs, long atMs) {
      return queue.equals(never)
          ? new CalendarRefusal(ReasonCode.NON_PRIME_ONLY, queue, true, -1)
          : null;
    }

    @Override
    public long nextChangeMs(long afterMs) {
      return Long.MAX_VALUE;
    }
  }

  private boolean once(int in) {
    return random.nextInt(in) == 0;
  }

  /** The next policy. */
  Policy next() {
    boolean shares = once(2);
    List<JobSequence.JobOrderKey> keys = new ArrayList<>();
    for (String key : KEYS) {
      if (once(3)) {
        keys.add(new JobSequence.JobOrderKey(key, random.nextBoolean()));
      }
    }
    // Which of the waiting jobs were preempted only the engine knows that has stopped them.
    JobSequence sequence = new JobSequence(once(2), once(3), shares, false, keys);
    int depth = once(2) ? random.nextInt(4) : 0;
    return new RuledPolicy(
        new SiteRules(
            sequence,
            shares || once(3) ? fairShare() : null,
            once(2) ? null : calendar(),
            bounds(),
            once(4)),
        depth,
        depth > 0 || !once(4),
        !once(3));
  }

  private SiteRules.FairShareRules fairShare() {
    tree = new ShareTree(random.nextInt(2));
    tree.add("g", 10, ShareTree.TOP, 1 + random.nextInt(3));
    tree.add(USERS[0], 20, "g", 1 + random.nextInt(3));
    tree.add(USERS[1], 21, "g", random.nextInt(3));
    tree.entitle();
    try {
      return new SiteRules.FairShareRules(
          tree, whose -> whose.user(), SortFormula.of("ncpus"), once(2));
    } catch (SortFormula.BadFormula e) {
      throw new AssertionError(e);
    }
  }

  private Calendar calendar() {
    if (once(3)) {
      return new Never(once(2) ? "q3" : "");
    }
    long lengthMs = LENGTHS_S[random.nextInt(LENGTHS_S.length)] * 1_000L;
    return new Turns(lengthMs, once(2) ? "q1" : "", once(2) ? "q2" : "", random.nextBoolean());
  }

  /** Attempts at preemption have no bound: one who knows what is of no use makes fewer of them. */
  private SiteRules.CycleBounds bounds() {
    return once(4)
        ? new SiteRules.CycleBounds(1 + random.nextInt(5), Integer.MAX_VALUE)
        : SiteRules.CycleBounds.NONE;
  }

  /** True for a policy whose cycles look at a number of jobs only. */
  static boolean bounds(Policy policy) {
    return policy.site() != null && policy.site().bounds().jobs() != Integer.MAX_VALUE;
  }

  /**
   * Now and then somebody has used something, an input says something else, or the policy is
   * another one; what was done.
   */
  String change(int step, SchedulerFixture world) {
    if (step % CHARGED == 0) {
      tree.charge(tree.entity(USERS[random.nextInt(USERS.length)]), random.nextInt(50));
    }
    String said = "";
    if (step % SAID == 0) {
      Map<String, String> amounts =
          once(3) ? Map.of() : Map.of("lic", Integer.toString(random.nextInt(MOST_LICENSES)));
      world.outside(amounts);
      said = " the server has " + amounts;
    }
    if (step % CHANGED != CHANGED - 1) {
      return said;
    }
    Policy other = next();
    world.standard(other);
    return said + " rules " + other;
  }
}
