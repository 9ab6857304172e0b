package io.millrace.ops.installation;

import io.millrace.ops.home.Home;
import io.millrace.ops.process.HomeLock;
import io.millrace.ops.word.Console;
import io.millrace.ops.word.HomeOption;
import io.millrace.ops.word.Word;
import io.millrace.ops.word.WordFailed;
import io.millrace.schemas.program.GivenOptions;
import io.millrace.schemas.program.UsageException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.util.List;

/** {@code ./millrace up}. */
public final class UpWord implements Word {

  @Override
  public String name() {
    return "up";
  }

  @Override
  public String summary() {
    return "start Millrace, and what is missing of it";
  }

  @Override
  public int run(List<String> arguments, Console console)
      throws IOException, InterruptedException, UsageException, WordFailed {
    GivenOptions options =
        Up.options("up", "Starts Millrace, and what is missing of it. A second up is harmless.")
            .parse(arguments);
    Home home = HomeOption.of(options);
    Up up = new Up(home, options, console);
    if (up.isWanted()) {
      up.check();
    }
    try (FileChannel lock = HomeLock.take(home, console)) {
      if (!up.isWanted()) {
        console.say("nothing is started: ./millrace down was the last word");
        return 0;
      }
      up.run();
    }
    up.next();
    return 0;
  }
}
