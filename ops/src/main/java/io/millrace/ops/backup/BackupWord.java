package io.millrace.ops.backup;

import io.millrace.ops.word.Console;
import io.millrace.ops.word.Word;
import io.millrace.schemas.program.UsageException;
import java.io.IOException;
import java.util.List;

/** {@code ./millrace backup}. */
public final class BackupWord implements Word {

  @Override
  public String name() {
    return "backup";
  }

  @Override
  public String summary() {
    return "write all of a home that cannot be made again into one file";
  }

  @Override
  public int run(List<String> arguments, Console console)
      throws IOException, InterruptedException, UsageException {
    return Backup.run(arguments, console);
  }
}
