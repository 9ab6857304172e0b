package io.millrace.ops.installation;

import io.millrace.ops.word.Console;
import io.millrace.ops.word.HomeOption;
import io.millrace.ops.word.Word;
import io.millrace.schemas.program.ProgramOptions;
import io.millrace.schemas.program.UsageException;
import java.io.IOException;
import java.util.List;

/** {@code ./millrace status}. */
public final class StatusWord implements Word {

  @Override
  public String name() {
    return "status";
  }

  @Override
  public String summary() {
    return "its processes, shards and their owners";
  }

  @Override
  public int run(List<String> arguments, Console console)
      throws IOException, InterruptedException, UsageException {
    ProgramOptions options =
        HomeOption.only(
            "status", "Shows the parts, the shards and their owners; exit 1 when a part is down.");
    return new Status(HomeOption.of(options.parse(arguments)), console).run();
  }
}
