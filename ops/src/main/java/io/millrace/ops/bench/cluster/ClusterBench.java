package io.millrace.ops.bench.cluster;

import io.millrace.ops.bench.site.BenchFigures;
import java.io.IOException;

/** What is measured on a cluster of three brokers and two hosts of its own. */
public interface ClusterBench extends AutoCloseable {

  BenchFigures run() throws IOException, InterruptedException;

  @Override
  void close() throws IOException, InterruptedException;
}
