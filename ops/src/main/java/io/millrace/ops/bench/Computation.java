package io.millrace.ops.bench;

import io.millrace.ops.bench.site.BenchFigures;
import io.millrace.ops.word.Console;
import java.io.IOException;

/** A measurement that needs no installation. */
interface Computation {
  int WARM_UPS = 3;

  /** Called once, before the first run: reads what is needed and warms up. */
  default void prepare(Console console) throws IOException {
    for (int i = 1; i <= WARM_UPS; i++) {
      console.busy("warm-up " + i + " of " + WARM_UPS);
      warmUp(console);
    }
  }

  /** One run of the warm-up, which is not counted. */
  default void warmUp(Console console) throws IOException {
    run(console);
  }

  /** One run. */
  BenchFigures run(Console console) throws IOException;
}
