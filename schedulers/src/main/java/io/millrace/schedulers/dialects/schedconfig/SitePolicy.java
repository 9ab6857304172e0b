package io.millrace.schedulers.dialects.schedconfig;

import io.millrace.schedulers.core.policy.JobSequence;
import io.millrace.schedulers.core.policy.NodeOrder;
import io.millrace.schedulers.core.policy.Policy;
import io.millrace.schedulers.core.policy.SiteRules;
import io.millrace.schedulers.dialects.schedconfig.SiteCalendar.Crossing;
import io.millrace.schedulers.dialects.schedconfig.SiteCalendar.Crossings;
import io.millrace.schedulers.dialects.schedconfig.SiteCalendar.Prefixes;
import io.millrace.schemas.pbs.attributes.SortFormula;
import io.millrace.schemas.pbs.schedconfig.SitePolicyFolder;
import io.millrace.schemas.pbs.schedconfig.options.SchedConfig;
import io.millrace.schemas.pbs.schedconfig.options.SchedConfigOptions;
import io.millrace.schemas.pbs.schedconfig.options.SitePeriod;
import io.millrace.schemas.pbs.schedconfig.share.Entities;
import io.millrace.schemas.pbs.schedconfig.share.ShareTree;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;

/** The policy of a sched_config in one kind of time, for the cycle of the core. */
public final class SitePolicy implements Policy {

  /** PBS's word for a key of job_sort_key that is no resource. */
  private static final List<String> KEY_WORDS =
      List.of(JobSequence.JOB_PRIORITY, JobSequence.SHARES, JobSequence.LEVEL);

  /**
   * How many jobs get a promise with strict ordering.
   *
   * @param everywhere the server's; 1 when it has none
   * @param queues true when a queue promises starts of its own, which has PBS backfill at all
   */
  public record BackfillDepths(int everywhere, boolean queues) {}

  /**
   * What the policy is to hold for.
   *
   * @param zone time zone of the site
   * @param tree shares with what was used; kept when the period changes
   * @param depths how many jobs get a promise
   * @param resource true for the name of a resource that exists
   * @param asPbs true to take an option for a prefix that is missing as OpenPBS does: every queue
   *     has it
   * @param attempts for how many jobs others were stopped in this cycle before
   */
  public record PolicySite(
      ZoneId zone,
      ShareTree tree,
      BackfillDepths depths,
      Predicate<String> resource,
      boolean asPbs,
      int attempts) {}

  private final SchedConfig config;
  private final SitePeriod period;
  private final PolicySite site;
  private final SiteRules rules;
  private final NodeOrder nodes;
  private final SiteCalendar calendar;

  /** The policy of the other period; null for one that does not change. */
  private SitePolicy other;

  /**
   * The policy of a live scheduler: that of prime time, which gives way to the one of non-prime
   * time when its time has come.
   */
  public static SitePolicy live(SitePolicyFolder folder, PolicySite site) {
    SitePolicy prime = new SitePolicy(folder, SitePeriod.PRIME, site);
    SitePolicy nonPrime = new SitePolicy(folder, SitePeriod.NON_PRIME, site);
    prime.other = nonPrime;
    nonPrime.other = prime;
    return prime;
  }

  public SitePolicy(SitePolicyFolder folder, SitePeriod period, PolicySite site) {
    this.config = folder.config();
    this.period = period;
    this.site = site;
    this.calendar = calendar(folder, site);
    this.rules =
        new SiteRules(
            sequence(),
            shares(folder),
            calendar,
            new SiteRules.CycleBounds(jobsLookedAt(), attempts()),
            flag(SchedConfigOptions.STRICT_FIFO));
    this.nodes = new NodeOrder(nodeKeys(), true, inTurn());
  }

  private List<NodeOrder.NodeOrderKey> nodeKeys() {
    return config.nodeKeys(period).stream()
        .map(key -> new NodeOrder.NodeOrderKey(key.name(), key.high(), part(key.part())))
        .toList();
  }

  private static NodeOrder.ComparedAmount part(String word) {
    return NodeOrder.ComparedAmount.valueOf(word.toUpperCase(Locale.ROOT));
  }

  /** When jobs of which queues may run, whatever the period. */
  public static SiteCalendar calendar(SitePolicyFolder folder, PolicySite site) {
    SchedConfig config = folder.config();
    Prefixes prefixes =
        new Prefixes(
            prefix(config, SchedConfigOptions.PRIME_PREFIX, site),
            prefix(config, SchedConfigOptions.NON_PRIME_PREFIX, site),
            prefix(config, SchedConfigOptions.DEDICATED_PREFIX, site));
    Crossings crossings =
        new Crossings(
            crossing(config, SitePeriod.PRIME, SitePeriod.NON_PRIME),
            crossing(config, SitePeriod.NON_PRIME, SitePeriod.PRIME),
            config.flag(SchedConfigOptions.PRIME_EXEMPT));
    return new SiteCalendar(folder.hours(), folder.dedicated(), prefixes, crossings, site.zone());
  }

  private static String prefix(SchedConfig config, String option, PolicySite site) {
    return config.names(option) ? config.text(option) : site.asPbs() ? "" : null;
  }

  /** The spill is that of the period into which a job runs. */
  private static Crossing crossing(SchedConfig config, SitePeriod in, SitePeriod into) {
    return new Crossing(
        config.flag(SchedConfigOptions.BACKFILL_PRIME, in),
        config.seconds(SchedConfigOptions.PRIME_SPILL, into) * 1000);
  }

  private boolean flag(String name) {
    return config.flag(name, period);
  }

  private JobSequence sequence() {
    List<JobSequence.JobOrderKey> keys = new ArrayList<>();
    for (SchedConfig.JobKey key : config.jobKeys(period)) {
      if (KEY_WORDS.contains(key.name()) || site.resource().test(key.name())) {
        keys.add(new JobSequence.JobOrderKey(key.name(), key.high()));
      }
    }
    return new JobSequence(
        flag(SchedConfigOptions.BY_QUEUE),
        flag(SchedConfigOptions.ROUND_ROBIN),
        flag(SchedConfigOptions.FAIR_SHARE),
        true,
        keys);
  }

  private SiteRules.FairShareRules shares(SitePolicyFolder folder) {
    boolean decides = flag(SchedConfigOptions.FAIR_SHARE);
    boolean ever =
        config.flag(SchedConfigOptions.FAIR_SHARE, SitePeriod.PRIME)
            || config.flag(SchedConfigOptions.FAIR_SHARE, SitePeriod.NON_PRIME);
    if (!ever && folder.group().lines().isEmpty()) {
      return null;
    }
    return new SiteRules.FairShareRules(
        site.tree(),
        new SiteEntity(new Entities(config.text(SchedConfigOptions.ENTITY))),
        usage(),
        decides && config.flag(SchedConfigOptions.ENFORCE_NO_SHARES));
  }

  /** What counts as usage; a text that is no formula counts nothing, as in OpenPBS. */
  private SortFormula usage() {
    try {
      return SortFormula.of(config.text(SchedConfigOptions.USAGE_RES));
    } catch (SortFormula.BadFormula e) {
      return SortFormula.zero();
    }
  }

  private boolean inTurn() {
    return config.text(SchedConfigOptions.DISTRIBUTION, period).equals("round_robin");
  }

  private int jobsLookedAt() {
    return Math.max(1, config.count(SchedConfigOptions.MAX_JOB_CHECK));
  }

  private int attempts() {
    int count = config.count(SchedConfigOptions.PREEMPT_ATTEMPTS);
    boolean bounded = count >= 0 && count != Integer.MAX_VALUE;
    return bounded ? Math.max(0, count - site.attempts()) : Integer.MAX_VALUE;
  }

  /** Maps a job to the entity whose share it uses. */
  private record SiteEntity(Entities entities) implements SiteRules.EntityRule {
    @Override
    public String of(Entities.Of whose) {
      return entities.of(whose);
    }
  }

  /** Whether running jobs are stopped for others in this period. */
  @Override
  public boolean preempts() {
    return flag(SchedConfigOptions.PREEMPTIVE);
  }

  private boolean backfills() {
    return depthOfOthers() > 0 || site.depths().queues();
  }

  @Override
  public Policy at(long nowMs) {
    if (other == null || nowMs == Long.MIN_VALUE) {
      return this;
    }
    boolean prime = calendar.isPrime(nowMs);
    return prime == (period == SitePeriod.PRIME) ? this : other;
  }

  @Override
  public String name() {
    return "sched_config";
  }

  @Override
  public int promiseDepth() {
    return flag(SchedConfigOptions.STRICT_ORDERING) && backfills()
        ? Math.max(1, depthOfOthers())
        : 0;
  }

  @Override
  public int depthOfOthers() {
    return flag(SchedConfigOptions.BACKFILL) ? site.depths().everywhere() : 0;
  }

  @Override
  public boolean passes() {
    return !flag(SchedConfigOptions.STRICT_ORDERING) || backfills();
  }

  @Override
  public NodeOrder nodeOrder() {
    return nodes;
  }

  @Override
  public SiteRules site() {
    return rules;
  }
}
