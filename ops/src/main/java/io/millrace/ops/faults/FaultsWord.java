package io.millrace.ops.faults;

import io.millrace.ops.word.Console;
import io.millrace.ops.word.Word;
import io.millrace.schemas.program.UsageException;
import java.io.IOException;
import java.util.List;

/** {@code ./millrace faults}. */
public final class FaultsWord implements Word {

  @Override
  public String name() {
    return "faults";
  }

  @Override
  public String summary() {
    return "kill its parts at random under load, and count what got lost";
  }

  @Override
  public int run(List<String> arguments, Console console)
      throws IOException, InterruptedException, UsageException {
    return Faults.run(arguments, console);
  }
}
