package io.millrace.ops.bench.site;

import io.millrace.ops.home.FolderTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A measurement of an installation that has no broker of its own. */
public final class BrokersOfASite implements Benchmark {

  /** Finds the brokers, or starts them in an empty folder. */
  @FunctionalInterface
  public interface BrokerStart {
    ReplicatedBrokers in(Path folder) throws IOException, InterruptedException;
  }

  private final Benchmark benchmark;
  private final BrokerStart start;
  private Path folder;
  private ReplicatedBrokers brokers;

  public BrokersOfASite(Benchmark benchmark, BrokerStart start) {
    this.benchmark = benchmark;
    this.start = start;
  }

  @Override
  public void before() throws Exception {
    benchmark.before();
    folder = Files.createTempDirectory("millrace-bench-");
    brokers = start.in(folder);
  }

  @Override
  public List<String> upOptions() {
    List<String> options = new ArrayList<>(benchmark.upOptions());
    options.addAll(brokers.upOptions());
    return options;
  }

  @Override
  public int usualRuns() {
    return benchmark.usualRuns();
  }

  @Override
  public void prepare(BenchSite site) throws Exception {
    benchmark.prepare(site);
  }

  @Override
  public List<String> table(BenchFigures medians) {
    return benchmark.table(medians);
  }

  @Override
  public BenchFigures run(BenchSite site) throws Exception {
    return benchmark.run(site);
  }

  @Override
  public void close() throws IOException, InterruptedException {
    try (benchmark) {
      if (brokers != null) {
        brokers.close();
      }
      if (folder != null) {
        FolderTree.delete(folder);
      }
    }
  }
}
