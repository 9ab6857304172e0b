package io.millrace.ops.installation;

import io.millrace.ops.home.ClusterSettings;
import io.millrace.ops.home.Home;
import io.millrace.ops.process.HomeParts;
import io.millrace.ops.process.Part;
import io.millrace.ops.process.PartFailed;
import io.millrace.ops.word.Console;
import io.millrace.ops.word.WordFailed;
import io.millrace.schemas.program.GivenOptions;
import io.millrace.schemas.program.UsageException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Access to the parts of one home one by one, for benchmarks and fault injection, which start and
 * kill them in their own order. Names of parts are those that {@code status} shows.
 */
public final class Installation extends HomeParts {
  private static final int UP_TRIES = 3;
  private static final Duration END_PATIENCE = Duration.ofSeconds(10);

  private final Parts commands;

  private Installation(Home home, Parts commands) throws IOException {
    super(home, all(commands));
    this.commands = commands;
  }

  private static List<Part> all(Parts commands) throws IOException {
    List<Part> parts = new ArrayList<>();
    parts.add(commands.broker());
    parts.addAll(commands.others());
    return parts;
  }

  /**
   * Runs {@code up} with these arguments and returns when all parts serve. Nothing but its caller
   * starts parts again.
   *
   * @throws IOException in one line when that fails; nothing runs then
   */
  public static Installation up(Home home, List<String> arguments, Console console)
      throws IOException, InterruptedException {
    try {
      GivenOptions options = Up.options("up", "starts the parts").parse(arguments);
      for (int tries = 1; ; tries++) {
        try {
          Up.unkept(home, options, console).run();
          return of(home, options);
        } catch (WordFailed e) {
          // A part may time out on a busy machine; another up starts what is missing.
          if (tries == UP_TRIES) {
            of(home, options).killAll();
            throw new IOException(e.getMessage(), e);
          }
          console.say(firstLine(e) + "; trying once more");
        }
      }
    } catch (UsageException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  private static String firstLine(Exception e) {
    return e.getMessage().lines().findFirst().orElse("");
  }

  private static Installation of(Home home, GivenOptions options)
      throws IOException, UsageException {
    ClusterSettings cluster = ClusterSettings.read(home);
    UpSettings settings = UpSettings.of(home, options);
    return new Installation(home, new Parts(home, Distribution.current(), cluster, settings));
  }

  /** Host name of an executor (numbered from 1) in nodes and orders. */
  public static String host(int executor) throws IOException {
    return Parts.executorHost(executor);
  }

  /** Adds an engine in a process of its own for a further scheduler object; not started. */
  public String addEngine(String scheduler) throws IOException {
    Part part = commands.engine(scheduler);
    add(part);
    return part.name();
  }

  /** Asks a part to end and waits; it is killed when it does not. */
  public void stop(String part) throws IOException, InterruptedException {
    try {
      processes().stop(part, END_PATIENCE);
    } catch (PartFailed e) {
      throw new IOException(e.getMessage(), e);
    }
  }
}
