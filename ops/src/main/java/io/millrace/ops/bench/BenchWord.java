package io.millrace.ops.bench;

import io.millrace.ops.word.Console;
import io.millrace.ops.word.Word;
import io.millrace.schemas.program.UsageException;
import java.io.IOException;
import java.util.List;

/** {@code ./millrace bench}. */
public final class BenchWord implements Word {

  @Override
  public String name() {
    return "bench";
  }

  @Override
  public String summary() {
    return "measure it";
  }

  @Override
  public int run(List<String> arguments, Console console)
      throws IOException, InterruptedException, UsageException {
    return Bench.run(arguments, console);
  }
}
