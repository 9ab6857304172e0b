package io.millrace.ops.backup;

import io.millrace.ops.word.Console;
import io.millrace.ops.word.Word;
import io.millrace.schemas.program.UsageException;
import java.io.IOException;
import java.util.List;

/** {@code ./millrace restore}. */
public final class RestoreWord implements Word {

  @Override
  public String name() {
    return "restore";
  }

  @Override
  public String summary() {
    return "make a home from such a file";
  }

  @Override
  public int run(List<String> arguments, Console console)
      throws IOException, InterruptedException, UsageException {
    return Restore.run(arguments, console);
  }
}
