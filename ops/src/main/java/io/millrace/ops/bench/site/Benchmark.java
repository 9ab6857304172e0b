package io.millrace.ops.bench.site;

import java.io.IOException;
import java.util.List;

/** One measurement. */
public interface Benchmark extends AutoCloseable {

  /** Starts what has to be there before the installation. */
  default void before() throws Exception {}

  /** Options with which the installation is started. */
  List<String> upOptions();

  /** Number of runs by default. */
  default int usualRuns() {
    return 5;
  }

  /** Called once, before the first run. */
  default void prepare(BenchSite site) throws Exception {}

  /** The figures as lines for people; none where each is a line of its own. */
  default List<String> table(BenchFigures medians) {
    return List.of();
  }

  /** One run. */
  BenchFigures run(BenchSite site) throws Exception;

  /** Ends what it has started beside the installation; called after a failure too. */
  @Override
  default void close() throws IOException, InterruptedException {}
}
