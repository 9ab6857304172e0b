package io.millrace.ops.bench;

import io.millrace.ops.bench.site.BenchFigures;
import io.millrace.ops.bench.site.BenchSite;
import io.millrace.ops.bench.site.Benchmark;
import io.millrace.ops.bench.site.BrokerRequests;
import io.millrace.ops.bench.site.ClientLoops;
import io.millrace.ops.bench.site.PartTimes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/**
 * Loops of the C client, as in {@code for f in *.sh; do qsub $f; done}, by more and more clients:
 * into a stopped queue, where nothing but the submission takes place, and into one that is started,
 * where what the whole life of the jobs costs the parts is counted; their own processes and those
 * that start and watch them are not.
 */
final class SubmitRates implements Benchmark {
  private static final int[] CLIENTS = {1, 2, 4, 8, 16};

  /** What somebody submits first after {@code up}; its cost is told apart. */
  private static final int FIRST = 600;

  private static final String QUEUE = "workq";

  private static final String FIRST_COST = "first_" + FIRST + "_processor_ms";

  private static final List<String> COLUMNS =
      List.of(
          "jobs_per_s",
          "p50_call_ms",
          "processor_ms",
          "broker_ms",
          "server_ms",
          "gateway_ms",
          "executor_ms",
          "client_ms",
          "requests",
          "transactions");

  private final int jobs;
  private double firstMs;
  private Path script;

  /**
   * @param jobs of all clients together in each round
   */
  SubmitRates(int jobs) {
    this.jobs = jobs;
  }

  @Override
  public List<String> upOptions() {
    return List.of("--resources", "ncpus=64,mem=64gb");
  }

  @Override
  public void prepare(BenchSite site) throws Exception {
    script = Files.writeString(site.folder("submit").resolve("job.sh"), "#!/bin/bash\n:\n");
    started(site, false);
    PartTimes before = PartTimes.before(site);
    ClientLoops loops = loops(site, 1, FIRST);
    double parts = PartTimes.after(site).since(before, "", FIRST).values().get("parts_ms");
    firstMs = parts + loops.processorMs() / FIRST;
    clear(site);
    site.console().busy("warming up");
    for (int clients : CLIENTS) {
      round(site, clients, false);
      round(site, clients, true);
    }
  }

  @Override
  public BenchFigures run(BenchSite site) throws Exception {
    BenchFigures figures = BenchFigures.none().with(FIRST_COST, firstMs);
    for (boolean started : new boolean[] {false, true}) {
      for (int clients : CLIENTS) {
        figures = figures.with(round(site, clients, started));
      }
    }
    return figures;
  }

  /** A line for each round; all figures are in the JSON object. */
  @Override
  public List<String> table(BenchFigures medians) {
    List<String> lines = new ArrayList<>();
    lines.add("milliseconds of processor, requests and transactions for each job");
    lines.add(line("queue", "clients", COLUMNS));
    for (String state : new String[] {"stopped", "running"}) {
      for (int clients : CLIENTS) {
        String prefix = state + "_" + clients + "_";
        List<String> cells =
            COLUMNS.stream()
                .map(column -> medians.values().getOrDefault(prefix + column, 0.0))
                .map(value -> String.format(Locale.ROOT, "%.2f", value))
                .toList();
        lines.add(line(state, String.valueOf(clients), cells));
      }
    }
    double first = medians.values().get(FIRST_COST);
    lines.add(String.format(Locale.ROOT, "the first %d after up: %.1f ms each", FIRST, first));
    return lines;
  }

  private static String line(String state, String clients, List<String> cells) {
    StringBuilder line = new StringBuilder(String.format("%-8s%8s", state, clients));
    cells.forEach(cell -> line.append(String.format("%14s", cell)));
    return line.toString();
  }

  /** Figures of one round; milliseconds and requests are for each job. */
  private BenchFigures round(BenchSite site, int clients, boolean started) throws Exception {
    String prefix = (started ? "running_" : "stopped_") + clients + "_";
    int count = jobs / clients * clients;
    started(site, started);
    // The broker works for this answer, so it is asked outside of the times that count.
    BrokerRequests requests = BrokerRequests.now(site);
    PartTimes times = PartTimes.before(site);
    ClientLoops loops = loops(site, clients, count);
    if (started) {
      site.awaitIdle(QUEUE);
    }
    BenchFigures parts = PartTimes.after(site).since(times, prefix, count);
    BenchFigures asked = BrokerRequests.now(site).since(requests, prefix, count);
    double client = loops.processorMs() / count;
    if (!started) {
      clear(site);
    }
    return BenchFigures.none()
        .with(prefix + "jobs_per_s", loops.perSecond())
        .with(prefix + "p50_call_ms", BenchFigures.quantile(loops.callMs(), 0.5))
        .with(prefix + "processor_ms", parts.values().get(prefix + "parts_ms") + client)
        .with(prefix + "client_ms", client)
        .with(parts)
        .with(asked);
  }

  private ClientLoops loops(BenchSite site, int clients, int count)
      throws IOException, InterruptedException {
    List<String> words = Collections.nCopies(count / clients, script.toString());
    return ClientLoops.run(
        site.folder("submit"),
        site.clientEnvironment(),
        site.home().bin().resolve("qsub") + " -j oe -o /dev/null \"$f\"",
        "",
        Collections.nCopies(clients, words));
  }

  private static void started(BenchSite site, boolean started)
      throws IOException, InterruptedException {
    String set = "set queue " + QUEUE + " started = " + started;
    site.command(site.home().root(), "qmgr", List.of("-c", set));
  }

  /** Deletes what waits, so that each round begins with an empty queue. */
  private static void clear(BenchSite site) throws IOException, InterruptedException {
    List<String> jobs = site.command(site.home().root(), "qselect", List.of()).lines().toList();
    site.command(site.home().root(), "qdel", jobs);
    site.awaitIdle(QUEUE);
  }
}
