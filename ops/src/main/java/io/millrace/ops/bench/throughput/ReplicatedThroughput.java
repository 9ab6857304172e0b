package io.millrace.ops.bench.throughput;

import io.millrace.ops.bench.site.BenchFigures;
import io.millrace.ops.bench.site.BenchSite;
import io.millrace.ops.bench.site.Benchmark;
import io.millrace.ops.bench.site.BrokersOfASite;
import io.millrace.ops.bench.site.ProcessorTime;
import io.millrace.ops.bench.site.ReplicatedBrokers;
import io.millrace.ops.home.FolderTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/**
 * Whole life cycles beside each other: with the installation's own broker, and with brokers that
 * keep three copies of everything, there in one shard and in two at once. Processor time is that of
 * all parts, of this process and of the brokers where they were started by it.
 */
public final class ReplicatedThroughput implements Benchmark {

  private static final String SECOND = "second";
  private static final List<String> ONE = List.of(Throughput.QUEUE);
  private static final List<String> TWO = List.of(Throughput.QUEUE, SECOND);

  private final Throughput load;
  private final BrokersOfASite.BrokerStart start;
  private Path folder;
  private ReplicatedBrokers brokers;
  private BenchSite replicated;

  public ReplicatedThroughput(Throughput load, BrokersOfASite.BrokerStart start) {
    this.load = load;
    this.start = start;
  }

  @Override
  public List<String> upOptions() {
    return load.upOptions();
  }

  @Override
  public void before() throws Exception {
    folder = Files.createTempDirectory("millrace-bench-");
    folder.toFile().setExecutable(true, false);
    brokers = start.in(Files.createDirectories(folder.resolve("brokers")));
  }

  @Override
  public void prepare(BenchSite site) throws Exception {
    load.prepare(site);
    List<String> options = new ArrayList<>(load.upOptions());
    options.addAll(brokers.upOptions());
    replicated = BenchSite.open(folder.resolve("replicated"), options, site.console());
    load.addPartition(replicated, SECOND);
    load.prepare(replicated);
    load.cycle(replicated, TWO, "warm");
  }

  @Override
  public BenchFigures run(BenchSite site) throws Exception {
    BenchFigures own = measure(site, ONE, "own_");
    BenchFigures one = measure(replicated, ONE, "replicated_");
    BenchFigures two = measure(replicated, TWO, "replicated_two_");
    double rate = one.values().get("replicated_life_cycles_per_s");
    return own.with(one)
        .with(two)
        .with("replicated_of_own", rate / own.values().get("own_life_cycles_per_s"))
        .with("two_of_one", two.values().get("replicated_two_life_cycles_per_s") / rate);
  }

  /** Each queue has its half; the rates are of all of them together. */
  private BenchFigures measure(BenchSite measured, List<String> queues, String prefix)
      throws Exception {
    double before = processorMs(measured);
    long begin = System.nanoTime();
    BenchFigures figures = load.cycle(measured, queues, "run");
    double allMs = (System.nanoTime() - begin) / 1e6;
    double usedMs = processorMs(measured) - before;
    int cores = Runtime.getRuntime().availableProcessors();
    BenchFigures named = BenchFigures.none();
    for (String name : figures.values().keySet()) {
      named = named.with(prefix + name, figures.values().get(name));
    }
    return named
        .with(prefix + "processor_ms_of_a_job", usedMs / load.jobs())
        .with(prefix + "busy", usedMs / allMs / cores);
  }

  private double processorMs(BenchSite measured) throws IOException {
    double ms = ProcessorTime.micros(measured) / 1000;
    if (measured == replicated) {
      for (long pid : brokers.pids()) {
        OptionalDouble us = ProcessorTime.ofLiving(pid);
        ms += us.orElseThrow(() -> new IOException("a broker has ended")) / 1000;
      }
    }
    return ms;
  }

  @Override
  public void close() throws IOException, InterruptedException {
    try {
      if (replicated != null) {
        replicated.close();
      }
    } finally {
      if (brokers != null) {
        brokers.close();
      }
      if (folder != null) {
        FolderTree.delete(folder);
      }
    }
  }
}
