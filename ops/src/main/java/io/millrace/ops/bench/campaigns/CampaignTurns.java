package io.millrace.ops.bench.campaigns;

import io.millrace.ops.bench.site.BenchFigures;
import io.millrace.ops.bench.site.BenchSite;
import io.millrace.ops.bench.site.Benchmark;
import io.millrace.ops.campaigns.CampaignOwner;
import io.millrace.ops.faults.evidence.LedgerConsumer;
import io.millrace.ops.faults.evidence.LedgerEntry;
import io.millrace.ops.home.ClientSettings;
import io.millrace.ops.home.ClusterSettings;
import io.millrace.ops.home.KafkaPrincipal;
import io.millrace.schemas.fact.RunFinished;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * From the end of a task to the begin of the next one on a cluster all of whose processors have
 * tasks of a campaign, by the times that the executor tells.
 */
public final class CampaignTurns implements Benchmark {

  static final int CPUS = 16;
  private static final int WARM_TASKS = 400;
  private static final int TASKS = 600;
  private static final String TASK_S = "1";
  private static final String CLUSTER = "bag";

  private final CampaignOwner owner;
  private CampaignCalls campaigns;

  /**
   * @param owner whose the campaign is
   */
  public CampaignTurns(CampaignOwner owner) {
    this.owner = owner;
  }

  @Override
  public List<String> upOptions() {
    return List.of("--campaigns", "--resources", "ncpus=" + CPUS + ",mem=64gb");
  }

  @Override
  public int usualRuns() {
    return 1;
  }

  @Override
  public void prepare(BenchSite site) throws Exception {
    String queue = "create queue " + CLUSTER + " queue_type=Execution,enabled=True,started=True";
    site.client().ask(site.home().root(), "qmgr", "-c", queue + ",best_effort=True,kill_delay=0");
    campaigns = new CampaignCalls(site, owner);
    site.console().busy("warming up");
    carryOut(WARM_TASKS);
  }

  private void carryOut(int tasks) throws IOException, InterruptedException {
    List<String> line = Collections.nCopies(tasks, "\"" + TASK_S + "\"");
    String params = "\"params\": [" + String.join(", ", line) + "]";
    campaigns.awaitOver(campaigns.submit(List.of(CLUSTER), "/bin/sleep", params));
  }

  @Override
  public BenchFigures run(BenchSite site) throws Exception {
    int before = runs(site).size();
    carryOut(TASKS);
    List<RunFinished> all = runs(site);
    double[] ms = turnsMs(all.subList(before, all.size()));
    return BenchFigures.none()
        .with("p50_ms", BenchFigures.quantile(ms, 0.5))
        .with("p99_ms", BenchFigures.quantile(ms, 0.99))
        .with("max_ms", BenchFigures.quantile(ms, 1));
  }

  private static List<RunFinished> runs(BenchSite site) throws IOException {
    List<RunFinished> runs = new ArrayList<>();
    int shards = ClusterSettings.read(site.home()).shards();
    try (LedgerConsumer ledger =
        LedgerConsumer.ofShards(
            ClientSettings.read(site.home().client(KafkaPrincipal.MONITOR)), shards)) {
      for (LedgerEntry entry : ledger.all()) {
        if (entry.fact() instanceof RunFinished finished) {
          runs.add(finished);
        }
      }
    }
    return runs;
  }

  /**
   * The first end makes room for the first begin after those that filled the cluster, and so on.
   */
  static double[] turnsMs(List<RunFinished> runs) {
    long[] begins = runs.stream().mapToLong(RunFinished::getStartedMs).sorted().toArray();
    long[] ends = runs.stream().mapToLong(RunFinished::getFinishedMs).sorted().toArray();
    double[] ms = new double[Math.max(0, runs.size() - CPUS)];
    for (int i = 0; i < ms.length; i++) {
      ms[i] = begins[i + CPUS] - ends[i];
    }
    return ms;
  }
}
