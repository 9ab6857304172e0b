package io.millrace.ops.installation;

import io.millrace.ops.home.ClusterSettings;
import io.millrace.ops.home.Home;
import io.millrace.ops.home.SmallFile;
import io.millrace.ops.process.EngineParts;
import io.millrace.ops.process.PartFailed;
import io.millrace.ops.process.Processes;
import io.millrace.ops.word.Console;
import io.millrace.schemas.program.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;

/** {@code down}: stops the parts; scripts that run go on under their supervisors. */
public final class Down {

  private static final Duration PATIENCE = Duration.ofSeconds(25);
  private static final List<String> USERS =
      List.of("web", "gateway", "engine", "accounting", "campaigns", "sites");

  /**
   * Option that ends what PBS calls the server; executors, and the broker that they need, go on.
   */
  public static final String SERVER = "--server";

  /** Line that qterm waits for: after it the server is being ended. */
  public static final String BEGUN = "ending the server";

  /** What stands in the mark of a home whose server is drained. */
  private static final String DRAINED = "server\n";

  private final Home home;
  private final Console console;
  private final boolean serverOnly;

  Down(Home home, Console console) {
    this(home, console, false);
  }

  /**
   * @param serverOnly whether executors and broker go on
   */
  public Down(Home home, Console console, boolean serverOnly) {
    this.home = home;
    this.console = console;
    this.serverOnly = serverOnly;
  }

  /**
   * Records the down, so that {@code up --keep} does nothing until the next {@code up}, nor the
   * keeper for what is meant to be down.
   *
   * @param serverOnly whether executors and broker go on
   */
  public static void remember(Home home, boolean serverOnly) throws IOException {
    StringBuilder parts = new StringBuilder();
    if (serverOnly) {
      Stream.concat(USERS.stream(), Stream.of("server"))
          .forEach(it -> parts.append(it).append('\n'));
    }
    SmallFile.write(home.down(), parts.toString());
  }

  /**
   * Ends the server alone, until the next {@code up} that is not {@code up --keep}: others have its
   * shards.
   */
  public static void drain(Home home, Console console)
      throws IOException, InterruptedException, UsageException, PartFailed {
    rememberDrained(home);
    new Down(home, console).stop(List.of("server"));
  }

  /** First, so that nothing starts the server again if the drain ends half-way. */
  static void rememberDrained(Home home) throws IOException {
    SmallFile.write(home.down(), DRAINED);
  }

  /** Whether the server alone is meant to be down. */
  public static boolean isDrained(Home home) throws IOException {
    return Files.exists(home.down()) && Files.readString(home.down()).equals(DRAINED);
  }

  /** Whether {@code down} or {@code qterm} has ended the home, and not only a drain its server. */
  static boolean isAsked(Home home) throws IOException {
    return Files.exists(home.down()) && !isDrained(home);
  }

  /**
   * The next {@code up} has come.
   *
   * @param keep whether it only starts what died
   * @return whether the server is drained and stays so
   */
  static boolean forget(Home home, boolean keep) throws IOException {
    if (keep && isDrained(home)) {
      return true;
    }
    Files.deleteIfExists(home.down());
    return false;
  }

  /** Whether a part is meant to be down until the next {@code up}. */
  static boolean isMeant(Home home, String part) throws IOException {
    try {
      String parts = Files.readString(home.down());
      // The line "engine" stands for the engines of all scheduler objects.
      String kind = EngineParts.isOne(part) ? "engine" : part;
      return parts.isEmpty() || parts.lines().anyMatch(kind::equals);
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  /**
   * Stops the parts.
   *
   * @throws PartFailed when a part does not end; the parts that it needs then go on running
   */
  public void run() throws IOException, InterruptedException, UsageException, PartFailed {
    ClusterSettings.read(home);
    Processes processes = new Processes(home);
    List<String> stopped = new ArrayList<>();
    // The keeper first, unless it has something to keep still; then the parts that users reach;
    // then those that answer them; the broker last.
    for (List<String> stage : serverOnly ? serverStages(processes) : stages(processes)) {
      stopped.addAll(together(processes, stage));
    }
    console.say(
        stopped.isEmpty() ? "nothing was running" : "stopped " + String.join(", ", stopped));
    if (stopped.stream().anyMatch(part -> part.startsWith("executor"))) {
      console.say("scripts that run go on; the next ./millrace up reports how they ended");
    }
  }

  /** Stops these parts only, in the order of a whole down; returns those that ran. */
  List<String> stop(Collection<String> wanted)
      throws IOException, InterruptedException, PartFailed {
    Processes processes = new Processes(home);
    List<String> stopped = new ArrayList<>();
    for (List<String> stage : stages(processes)) {
      stopped.addAll(together(processes, stage.stream().filter(wanted::contains).toList()));
    }
    return stopped;
  }

  /** The parts that users reach, with each engine that runs. */
  private static List<String> users(Processes processes) throws IOException {
    List<String> users = new ArrayList<>(USERS);
    processes.alive().keySet().stream()
        .filter(part -> EngineParts.isOne(part) && !users.contains(part))
        .forEach(users::add);
    return users;
  }

  private static List<List<String>> serverStages(Processes processes) throws IOException {
    return List.of(users(processes), List.of("server"));
  }

  private static List<List<String>> stages(Processes processes) throws IOException {
    List<String> executors = new ArrayList<>();
    for (int i = 1; i <= UpSettings.EXECUTORS_MAX; i++) {
      executors.add(Parts.executorName(i));
    }
    List<String> first = users(processes);
    first.addAll(executors);
    processes.alive().keySet().stream()
        .filter(part -> part.startsWith(Forwarders.PART))
        .forEach(first::add);
    return List.of(List.of(Parts.KEEPER), first, List.of("server"), List.of("broker"));
  }

  private List<String> together(Processes processes, List<String> parts)
      throws IOException, InterruptedException, PartFailed {
    List<String> running = new ArrayList<>();
    for (String part : parts) {
      if (processes.alive(part).isPresent()) {
        running.add(part);
        processes.askToEnd(part);
      }
    }
    if (!running.isEmpty()) {
      console.busy("stopping " + String.join(", ", running));
    }
    List<String> remaining = new ArrayList<>();
    for (String part : running) {
      try {
        processes.end(part, PATIENCE);
      } catch (PartFailed e) {
        remaining.add(e.getMessage());
      }
    }
    if (!remaining.isEmpty()) {
      throw new PartFailed(String.join("; ", remaining));
    }
    return running;
  }
}
