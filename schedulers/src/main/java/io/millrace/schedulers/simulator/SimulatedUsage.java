package io.millrace.schedulers.simulator;

import io.millrace.schedulers.core.model.DefaultNames;
import io.millrace.schedulers.dialects.schedconfig.live.LiveSitePolicy;
import io.millrace.schemas.common.CommandId;
import io.millrace.schemas.common.FactMeta;
import io.millrace.schemas.fact.RunCharge;
import io.millrace.schemas.fact.UsageCharged;
import io.millrace.schemas.fact.UsageFaded;
import io.millrace.schemas.pbs.attributes.SortFormula;
import io.millrace.schemas.pbs.schedconfig.StoredPolicy;
import io.millrace.schemas.pbs.schedconfig.options.SchedConfig;
import io.millrace.schemas.pbs.schedconfig.options.SchedConfigOptions;
import io.millrace.schemas.pbs.schedconfig.options.SitePeriod;
import io.millrace.schemas.pbs.schedconfig.share.Entities;
import io.millrace.schemas.pbs.schedconfig.share.FadedUsage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What the entities of a simulation use, told to the policy as a shard tells it: what a run used is
 * charged at its end, and before, at most once a minute, as far as it has come; usage fades by the
 * clock of the simulation. A job keeps all its processors busy.
 */
final class SimulatedUsage {

  /** Runs that go on are charged no more often, as by a shard. */
  private static final long TOLD_S = 60;

  private static final long NEVER = Long.MAX_VALUE;
  private static final FactMeta META = new FactMeta(1L, 0L, new CommandId(new byte[16]), "");

  /** A run that goes on. */
  private static final class ChargedRun {
    private final TraceJob job;
    private final String entity;
    private final long fromS;
    private long chargedMilli;

    private ChargedRun(TraceJob job, String entity, long fromS) {
      this.job = job;
      this.entity = entity;
      this.fromS = fromS;
    }
  }

  private final LiveSitePolicy site;
  private final Entities entities;
  private final SortFormula usage;
  private final List<String> names;
  private final long fadesS;
  private final double factor;
  private final Map<Integer, ChargedRun> runs = new TreeMap<>();
  private double faded;

  /** When usage fades next; {@link #NEVER} while nothing was used. */
  private long nextFadeS = NEVER;

  private long toldS = Long.MIN_VALUE;

  SimulatedUsage(LiveSitePolicy site, StoredPolicy policy) {
    SchedConfig config = policy.folder().config();
    this.site = site;
    this.entities = new Entities(config.text(SchedConfigOptions.ENTITY));
    this.usage = formula(config.text(SchedConfigOptions.USAGE_RES));
    this.names = usage.names();
    this.fadesS = config.seconds(SchedConfigOptions.DECAY_TIME, SitePeriod.PRIME);
    this.factor = config.factor(SchedConfigOptions.DECAY_FACTOR);
  }

  private static SortFormula formula(String text) {
    try {
      return SortFormula.of(text);
    } catch (SortFormula.BadFormula e) {
      // Counts nothing, as in the policy itself.
      return SortFormula.zero();
    }
  }

  /** A job has started, in a cycle before which the clock was told. */
  void started(int number, TraceJob job, long nowS) {
    Trace.TraceSubmitter by = job.submitter();
    String entity =
        entities.of(new Entities.Of(by.userName(), by.groupName(), "", "", by.queueName()));
    runs.put(number, new ChargedRun(job, entity, nowS));
  }

  /** A run has ended. */
  void ended(int number, long nowS) {
    fade(nowS);
    ChargedRun run = runs.remove(number);
    if (run != null) {
      List<RunCharge> charges = new ArrayList<>();
      charge(number, run, nowS, charges);
      tell(charges, nowS);
    }
  }

  /** A cycle is to come: it goes by what was used until now, or until a minute ago. */
  void cycle(long nowS) {
    fade(nowS);
    if (toldS == Long.MIN_VALUE || nowS - toldS >= TOLD_S) {
      toldS = nowS;
      all(nowS);
    }
  }

  /** Lets usage fade as often as it was due by now. */
  private void fade(long nowS) {
    // Nobody sees what is charged and fades more often than runs are charged.
    long times = fadesS >= TOLD_S ? 1 : TOLD_S / Math.max(1, fadesS);
    while (nextFadeS <= nowS) {
      all(nextFadeS);
      faded += times * FadedUsage.of(factor);
      site.follow(new UsageFaded(META, DefaultNames.SCHEDULER, faded, nextFadeS * 1000, 0L));
      nextFadeS += times * fadesS;
    }
  }

  private void all(long nowS) {
    List<RunCharge> charges = new ArrayList<>();
    runs.forEach((number, run) -> charge(number, run, nowS, charges));
    tell(charges, nowS);
  }

  private void charge(int number, ChargedRun run, long nowS, List<RunCharge> charges) {
    long milli = FadedUsage.milli(usage.value(values(run.job, nowS - run.fromS)));
    if (milli > run.chargedMilli) {
      charges.add(new RunCharge((long) number, 1, run.entity, milli - run.chargedMilli));
      run.chargedMilli = milli;
    }
  }

  private double[] values(TraceJob job, long elapsedS) {
    double[] values = new double[names.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] =
          switch (names.get(i)) {
            case "cput" -> (double) job.processors() * elapsedS;
            case "walltime" -> elapsedS;
            case "ncpus" -> job.processors();
            case "cpupercent" -> 100.0 * job.processors();
            default -> 0;
          };
    }
    return values;
  }

  private void tell(List<RunCharge> charges, long nowS) {
    if (charges.isEmpty()) {
      return;
    }
    site.follow(new UsageCharged(META, DefaultNames.SCHEDULER, charges, 0L));
    if (nextFadeS == NEVER && fadesS > 0 && fadesS < SchedConfig.ENDLESS_S) {
      nextFadeS = nowS + fadesS;
    }
  }
}
