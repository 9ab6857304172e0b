package io.millrace.ops.bench;

import java.util.List;

/** One measurement. */
interface Benchmark {

  /** Options with which the installation is started. */
  List<String> upOptions();

  /** Number of runs by default. */
  default int usualRuns() {
    return 5;
  }

  /** Called once, before the first run. */
  default void prepare(BenchSite site) throws Exception {}

  /** One run. */
  BenchFigures run(BenchSite site) throws Exception;
}
