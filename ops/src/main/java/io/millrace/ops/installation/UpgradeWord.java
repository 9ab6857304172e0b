package io.millrace.ops.installation;

import io.millrace.ops.home.Home;
import io.millrace.ops.process.HomeLock;
import io.millrace.ops.word.Console;
import io.millrace.ops.word.HomeOption;
import io.millrace.ops.word.Word;
import io.millrace.ops.word.WordFailed;
import io.millrace.schemas.program.UsageException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.util.List;

/** {@code ./millrace upgrade}. */
public final class UpgradeWord implements Word {

  @Override
  public String name() {
    return "upgrade";
  }

  @Override
  public String summary() {
    return "replace the parts of a home by those of this build; running scripts go on";
  }

  @Override
  public int run(List<String> arguments, Console console)
      throws IOException, InterruptedException, UsageException, WordFailed {
    Home home =
        HomeOption.of(
            HomeOption.only(
                    "upgrade",
                    "Replaces the parts of a home by those of this build, with the settings of"
                        + " its last up. Running\nscripts go on. A home that a newer build has used"
                        + " is refused. See docs/upgrade.md.")
                .parse(arguments));
    Upgrade upgrade = new Upgrade(home, console);
    upgrade.check();
    try (FileChannel lock = HomeLock.take(home, console)) {
      upgrade.run();
    }
    return 0;
  }
}
