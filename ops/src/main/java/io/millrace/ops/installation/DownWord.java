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
import java.nio.file.Files;
import java.util.List;

/** {@code ./millrace down}. */
public final class DownWord implements Word {

  /** Shorter than the time for which qterm waits for the end of the server to begin. */
  private static final long QTERM_WAITS_MS = 12_000;

  @Override
  public String name() {
    return "down";
  }

  @Override
  public String summary() {
    return "stop it; running scripts go on";
  }

  @Override
  public int run(List<String> arguments, Console console)
      throws IOException, InterruptedException, UsageException, WordFailed {
    GivenOptions options =
        HomeOption.only("down", "Stops Millrace. Running scripts go on.")
            .flag(
                Down.SERVER,
                "all but executors and broker, as qterm does; fails where another ./millrace"
                    + " stays at work")
            .parse(arguments);
    Home home = HomeOption.of(options);
    // Checked before anything is created in what may be somebody else's folder.
    if (!Files.exists(home.settings())) {
      throw new IOException(home.root() + " is no home of Millrace: nothing to stop");
    }
    boolean serverOnly = options.has(Down.SERVER);
    try (FileChannel lock =
        serverOnly ? HomeLock.takeWithin(home, QTERM_WAITS_MS) : HomeLock.take(home, console)) {
      // First, so that nothing restarts the stopped parts if this ends half-way.
      Down.remember(home, serverOnly);
      if (serverOnly) {
        console.say(Down.BEGUN);
      }
      new Down(home, console, serverOnly).run();
    }
    return 0;
  }
}
