package io.millrace.ops.bench;

import io.millrace.ops.launcher.Console;
import java.io.IOException;

/** A measurement that needs no installation. */
interface Computation {

  /** Called once, before the first run: reads what is needed and warms up. */
  void prepare(Console console) throws IOException;

  /** One run. */
  Figures run(Console console) throws IOException;
}
