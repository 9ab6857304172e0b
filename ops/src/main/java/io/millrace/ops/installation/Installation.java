package io.millrace.ops.installation;

import io.millrace.ops.home.ClusterSettings;
import io.millrace.ops.home.Home;
import io.millrace.ops.process.Part;
import io.millrace.ops.process.PartFailed;
import io.millrace.ops.process.PidFile;
import io.millrace.ops.process.Processes;
import io.millrace.ops.word.Console;
import io.millrace.ops.word.WordFailed;
import io.millrace.schemas.program.GivenOptions;
import io.millrace.schemas.program.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Access to the parts of one home one by one, for benchmarks and fault injection, which start and
 * kill them in their own order. Names of parts are those that {@code status} shows.
 */
public final class Installation {
  private static final int UP_TRIES = 3;
  private static final Duration END_PATIENCE = Duration.ofSeconds(10);

  /**
   * How long to wait for a killed process to be gone; on a machine short of memory or disk even
   * that takes time.
   */
  private static final Duration KILLED_PATIENCE = Duration.ofSeconds(60);

  private final Home home;
  private final Processes processes;
  private final Parts commands;
  private final Map<String, Part> parts = new LinkedHashMap<>();
  private boolean ended;

  private Installation(Home home, Parts commands) throws IOException {
    this.home = home;
    this.commands = commands;
    this.processes = new Processes(home);
    add(commands.broker());
    commands.others().forEach(this::add);
  }

  private void add(Part part) {
    parts.put(part.name(), part);
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

  public Home home() {
    return home;
  }

  /** Host name of an executor (numbered from 1) in nodes and orders. */
  public static String host(int executor) throws IOException {
    return Parts.executorHost(executor);
  }

  /** Names of the parts, the broker first. */
  public List<String> parts() {
    return List.copyOf(parts.keySet());
  }

  /** Adds an engine in a process of its own for a further scheduler object; not started. */
  public String addEngine(String scheduler) throws IOException {
    Part part = commands.engine(scheduler);
    add(part);
    return part.name();
  }

  /** Starts a part that is not running and returns at once. Does nothing after {@link #killAll}. */
  public synchronized void start(String part) throws IOException, InterruptedException {
    if (!ended) {
      processes.start(parts.get(part));
    }
  }

  public boolean alive(String part) throws IOException {
    return processes.alive(part).isPresent();
  }

  /** Whether a running part is ready to serve. */
  public boolean ready(String part) throws IOException {
    return processes.ready(parts.get(part));
  }

  /** Sends SIGKILL to the process that was started; false when it has ended already. */
  public boolean kill(String part) throws IOException {
    Optional<PidFile> running = processes.alive(part);
    return running.isPresent()
        && ProcessHandle.of(running.get().pid()).map(ProcessHandle::destroyForcibly).orElse(false);
  }

  /** Asks a part to end and waits; it is killed when it does not. */
  public void stop(String part) throws IOException, InterruptedException {
    try {
      processes.stop(part, END_PATIENCE);
    } catch (PartFailed e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  /** Waits until a killed part is gone. */
  public void awaitEnd(String part) throws IOException, InterruptedException {
    if (!processes.awaitEnd(part, KILLED_PATIENCE)) {
      throw new IOException(part + " did not end within " + KILLED_PATIENCE.toSeconds() + " s");
    }
  }

  /** Keeps the output of a part's last process; null when there was none. */
  public Path keepPrinted(String part, Path folder, int life) throws IOException {
    Path printed = home.printed(part);
    if (!Files.exists(printed) || Files.size(printed) == 0) {
      return null;
    }
    Path kept = folder.resolve(part + "-" + life + ".out");
    return Files.copy(printed, kept);
  }

  /** Kills all parts for good with SIGKILL. */
  public synchronized void killAll() throws IOException {
    ended = true;
    for (String part : parts()) {
      kill(part);
    }
  }
}
