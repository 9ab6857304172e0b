package io.millrace.ops.demo;

import io.millrace.ops.home.Home;
import io.millrace.ops.installation.Up;
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

/** {@code ./millrace demo}. */
public final class DemoWord implements Word {

  @Override
  public String name() {
    return "demo";
  }

  @Override
  public String summary() {
    return "start it, run a sweep of real scripts, show the result";
  }

  @Override
  public int run(List<String> arguments, Console console)
      throws IOException, InterruptedException, UsageException, WordFailed {
    GivenOptions options =
        Up.options("demo", "Starts what is missing, runs a sweep of scripts and shows its result.")
            .parse(arguments);
    Home home = HomeOption.of(options);
    Up up = new Up(home, options, console);
    up.check();
    try (FileChannel lock = HomeLock.take(home, console)) {
      up.run();
    }
    return new Demo(home, console).run();
  }
}
