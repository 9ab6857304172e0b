package io.millrace.schedulers.dialects.schedconfig.replay;

import io.millrace.schemas.common.Chunk;
import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.pbs.attributes.SortFormula;
import io.millrace.schemas.pbs.resources.ResourceKind;
import io.millrace.schemas.pbs.resources.ResourceTable;
import io.millrace.schemas.pbs.schedconfig.SitePolicyFolder;
import io.millrace.schemas.pbs.schedconfig.options.SchedConfig;
import io.millrace.schemas.pbs.schedconfig.options.SchedConfigOptions;
import io.millrace.schemas.pbs.schedconfig.options.SitePeriod;
import io.millrace.schemas.pbs.schedconfig.share.Entities;
import io.millrace.schemas.pbs.schedconfig.share.ShareCommand;
import io.millrace.schemas.pbs.schedconfig.share.ShareTree;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What entities of a session have used: charged at the beginning of each cycle for the runs that
 * the last one knew and that still go on, and kept in the file that pbsfs reads.
 */
final class SiteShares {

  private SitePolicyFolder folder;
  private ShareTree tree;

  /** Usages as the file has them. */
  private Map<String, Double> file = new TreeMap<>();

  private boolean written;

  /** The last decay as the file has it; 0 for none. */
  private long fileDecayS;

  /** True when pbsfs has changed the file, which the scheduler then reads. */
  private boolean touched;

  /** In whole seconds, as PBS counts. */
  private long lastDecayS;

  /** What the runs of the last cycle had used by then. */
  private Map<Long, Double> before = new HashMap<>();

  SiteShares(SitePolicyFolder folder, long nowMs) {
    this.lastDecayS = Math.floorDiv(nowMs, 1000);
    reread(folder);
  }

  ShareTree tree() {
    return tree;
  }

  /** The scheduler reads its files anew. */
  void reread(SitePolicyFolder now) {
    folder = now;
    tree = unused();
    tree.restore(file, false);
  }

  private ShareTree unused() {
    int unknown = folder.config().count(SchedConfigOptions.UNKNOWN_SHARES);
    return folder.group().tree(unknown);
  }

  /** Answers a call of pbsfs. */
  ShareCommand.ShareCommandAnswer run(List<String> args, String user, long nowMs) {
    ShareCommand command =
        new ShareCommand(
            this::unused,
            folder.config().text(SchedConfigOptions.USAGE_RES),
            folder.config().factor(SchedConfigOptions.DECAY_FACTOR),
            file,
            written);
    ShareCommand.ShareCommandAnswer answer =
        command.run(args, user.isEmpty() || user.equals("root"));
    if (answer.changed()) {
      file = new TreeMap<>(command.usages());
      written = true;
      touched = true;
      // Setting a usage leaves the moment of the last decay as it was.
      boolean anew = args.contains("-d") || args.contains("-e");
      fileDecayS = anew ? Math.floorDiv(nowMs, 1000) : fileDecayS;
    }
    return answer;
  }

  /**
   * Begins a cycle: charges what was used since the last one, and lets usage fade.
   *
   * @param jobs all jobs that there are
   */
  void beginCycle(Collection<SiteJob> jobs, ResourceTable resources, long nowMs) {
    if (touched) {
      tree.restore(file, false);
      touched = false;
      lastDecayS = fileDecayS == 0 ? Math.floorDiv(nowMs, 1000) : fileDecayS;
    }
    Entities entities = new Entities(folder.config().text(SchedConfigOptions.ENTITY));
    for (SiteJob job : jobs) {
      Double used = before.get(job.number());
      if (used != null && job.runs()) {
        double more = used(job, resources, nowMs) - used;
        tree.charge(tree.entity(entities.apply(job.record().getSpec())), more);
      }
    }
    boolean decayed = decay(nowMs);
    if (decayed || !before.isEmpty()) {
      file = new TreeMap<>(tree.usages());
      written = true;
      fileDecayS = lastDecayS;
    }
    tree.beginCycle();
  }

  private boolean decay(long nowMs) {
    long everyS = folder.config().seconds(SchedConfigOptions.DECAY_TIME, SitePeriod.PRIME);
    if (everyS <= 0 || everyS == SchedConfig.ENDLESS_S) {
      return false;
    }
    long nowS = Math.floorDiv(nowMs, 1000);
    boolean any = false;
    for (long atS = nowS; atS - lastDecayS > everyS; atS -= everyS) {
      tree.decay(folder.config().factor(SchedConfigOptions.DECAY_FACTOR));
      any = true;
    }
    if (any) {
      lastDecayS = nowS - (nowS - lastDecayS) % everyS;
    }
    return any;
  }

  /** Ends a cycle: notes what the runs have used by now. */
  void endCycle(Collection<SiteJob> jobs, ResourceTable resources, long nowMs) {
    before = new HashMap<>();
    for (SiteJob job : jobs) {
      if (job.runs()) {
        before.put(job.number(), used(job, resources, nowMs));
      }
    }
  }

  /** What a run has used; what it does not use but asks for counts as asked. */
  private double used(SiteJob job, ResourceTable resources, long nowMs) {
    SortFormula formula;
    try {
      formula = SortFormula.of(folder.config().text(SchedConfigOptions.USAGE_RES));
    } catch (SortFormula.BadFormula e) {
      // Such a text counts nothing, as in OpenPBS.
      return 0;
    }
    double[] values = new double[formula.names().size()];
    for (int i = 0; i < values.length; i++) {
      String name = formula.names().get(i);
      values[i] =
          switch (name) {
            case "walltime" -> job.ranS(nowMs);
            // The recorded jobs sleep.
            case "cput", "cpupercent", "vmem" -> 0;
            default -> asked(job.record().getSpec(), name, resources);
          };
    }
    return formula.value(values);
  }

  private static double asked(JobSpec spec, String name, ResourceTable resources) {
    double sum = 0;
    for (Chunk chunk : spec.getRequest().getChunks()) {
      sum += (double) chunk.getAmounts().getOrDefault(name, 0L) * chunk.getCount();
    }
    boolean size = resources.find(name).map(it -> it.kind() == ResourceKind.SIZE).orElse(false);
    return size ? sum / 1024 : sum;
  }
}
