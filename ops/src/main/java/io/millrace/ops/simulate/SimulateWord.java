package io.millrace.ops.simulate;

import io.millrace.ops.gridengine.CaseCommand;
import io.millrace.ops.origin2000.OriginCaseCommand;
import io.millrace.ops.word.Console;
import io.millrace.ops.word.Word;
import io.millrace.schemas.program.UsageException;
import java.io.IOException;
import java.util.List;

/** {@code ./millrace simulate}. */
public final class SimulateWord implements Word {

  @Override
  public String name() {
    return "simulate";
  }

  @Override
  public String summary() {
    return "replay a workload trace, or a recorded session (--case DIR)";
  }

  @Override
  public int run(List<String> arguments, Console console)
      throws IOException, InterruptedException, UsageException {
    if (OriginCaseCommand.asked(arguments)) {
      return OriginCaseCommand.run(arguments, console);
    }
    return CaseCommand.asked(arguments)
        ? CaseCommand.run(arguments, console)
        : Simulate.run(arguments, console);
  }
}
