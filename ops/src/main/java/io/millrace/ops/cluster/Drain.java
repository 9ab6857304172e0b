package io.millrace.ops.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.ops.home.ClientSettings;
import io.millrace.ops.home.ClusterSettings;
import io.millrace.ops.home.Home;
import io.millrace.ops.home.KafkaPrincipal;
import io.millrace.ops.home.ServerInstance;
import io.millrace.ops.installation.Down;
import io.millrace.ops.installation.HomeCheck;
import io.millrace.ops.installation.Up;
import io.millrace.ops.process.HomeLock;
import io.millrace.ops.process.Processes;
import io.millrace.ops.word.Console;
import io.millrace.ops.word.OneLine;
import io.millrace.ops.word.WordFailed;
import io.millrace.schemas.HostName;
import io.millrace.schemas.program.UsageException;
import io.millrace.server.streams.group.ShardGroup;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.common.KafkaException;

/**
 * {@code cluster drain}: the server of a home gives its shards to the others and ends, until {@code
 * cluster undrain} or the next {@code up}. All other parts go on.
 */
final class Drain {

  private static final String SERVER = "server";
  private static final Duration SETTLED = Duration.ofSeconds(30);
  private static final Duration TAKEN_OVER = Duration.ofSeconds(60);
  private static final Duration LOOK = Duration.ofMillis(100);

  private final Home home;
  private final String host;
  private final Console console;

  Drain(Home home, String host, Console console) {
    this.home = home;
    this.host = host;
    this.console = console;
  }

  /**
   * Returns when every shard has another owner. Where nobody takes them the server is started
   * again.
   *
   * @return exit status
   * @throws WordFailed in one line, also when shards have no owner
   */
  int run() throws IOException, InterruptedException, UsageException, WordFailed {
    requireHome();
    if (ClusterSettings.read(home).isEmbedded()) {
      throw new WordFailed(
          home.root()
              + " has a broker of its own, and so the only server: nobody could take its shards"
              + " (./millrace down stops it)");
    }
    boolean runs = runs();
    try (ShardGroup group =
        new ShardGroup(ClientSettings.read(home.client(KafkaPrincipal.SERVER)))) {
      return runs ? drain(group) : already(group);
    } catch (KafkaException e) {
      throw new WordFailed("the brokers do not answer: " + OneLine.of(e));
    }
  }

  /**
   * Whether the server runs; otherwise it is drained.
   *
   * @throws WordFailed when it is neither
   */
  private boolean runs() throws IOException, WordFailed {
    boolean runs = new Processes(home).alive(SERVER).isPresent();
    if (!runs && !Down.isDrained(home)) {
      throw new WordFailed("no server runs in " + home.root());
    }
    return runs;
  }

  private int drain(ShardGroup group)
      throws IOException, InterruptedException, UsageException, WordFailed {
    try (Announcements said = Announcements.of(home)) {
      Optional<TakeOver> begun = end(group, said);
      if (begun.isEmpty()) {
        return already(group);
      }
      List<Integer> own = begun.get().left();
      Optional<String> why = awaitOthers(group, said, begun.get());
      if (why.isPresent()) {
        startAgain(why.get());
      }
      console.say(
          host
              + " is drained: "
              + (own.isEmpty() ? "it had no shards" : "other servers have " + shards(own))
              + "; ./millrace cluster undrain "
              + host
              + " starts its server again");
    }
    return 0;
  }

  /**
   * Ends the server. Only for that the home is locked: the keeper may have other parts to start.
   *
   * @return what is to be waited for; empty when somebody else has drained it meanwhile
   */
  private Optional<TakeOver> end(ShardGroup group, Announcements said)
      throws IOException, InterruptedException, UsageException, WordFailed {
    try (FileChannel lock = HomeLock.take(home, console)) {
      if (!runs()) {
        return Optional.empty();
      }
      TakeOver begun = new TakeOver(own(), address(), shares(group));
      said.fromNowOn();
      Down.drain(home, console);
      return Optional.of(begun);
    }
  }

  /** A server that has ended; whoever drained it may have been wrong about the others. */
  private int already(ShardGroup group) throws IOException, InterruptedException, WordFailed {
    List<Integer> all = IntStream.range(0, ClusterSettings.read(home).shards()).boxed().toList();
    Optional<Map<String, List<Integer>>> shares = settled(group);
    if (shares.isEmpty()) {
      throw new WordFailed(
          host
              + " is drained, but who has the shards is not known: the servers divide them anew, or"
              + " the brokers do not answer, for "
              + SETTLED.toSeconds()
              + " s; try again, or ./millrace cluster undrain "
              + host);
    }
    Set<Integer> nobodys = TakeOver.unowned(all, shares.get(), own());
    if (!nobodys.isEmpty()) {
      throw new WordFailed(
          host
              + " is drained, but nobody has "
              + shards(nobodys)
              + ": ./millrace cluster undrain "
              + host
              + " starts its server again");
    }
    console.say(host + " is drained already");
    return 0;
  }

  /** Starts the server again, and whatever else of the home is missing. */
  int undo() throws IOException, InterruptedException, UsageException, WordFailed {
    requireHome();
    Up up = new Up(home, Up.options("up", "").parse(), console);
    try (FileChannel lock = HomeLock.take(home, console)) {
      if (!Down.isDrained(home)) {
        throw new WordFailed(host + " is not drained: nothing is changed");
      }
      up.run();
    }
    return 0;
  }

  private void requireHome() throws IOException, WordFailed {
    if (!Files.exists(home.settings())) {
      throw new WordFailed(home.root() + " is no home of Millrace");
    }
    HomeCheck.pass(home);
    String own = HostName.untilDot();
    if (!List.of(own, HostName.whole()).contains(host)) {
      throw new WordFailed(
          host + " is not this host, which is " + own + ": a server is drained where it runs");
    }
  }

  private String own() throws IOException {
    return ServerInstance.read(home).orElse("");
  }

  private String address() throws IOException {
    Path ready = home.ready(SERVER);
    return Files.exists(ready) ? Files.readString(ready).strip() : "";
  }

  /**
   * The shards of the server, when no shards are under way between servers.
   *
   * @throws WordFailed in one line, when there is no other that could take them
   */
  private List<Integer> shares(ShardGroup group)
      throws IOException, InterruptedException, WordFailed {
    Map<String, List<Integer>> shares =
        settled(group)
            .orElseThrow(
                () ->
                    new WordFailed(
                        "the servers divide the shards anew, or the brokers do not answer, for "
                            + SETTLED.toSeconds()
                            + " s: nothing is changed; try again"));
    if (shares.keySet().stream().allMatch(own()::equals)) {
      throw new WordFailed(
          "no other server is there that could take the shards of "
              + host
              + ": nothing is changed");
    }
    return shares.getOrDefault(own(), List.of());
  }

  private static Optional<Map<String, List<Integer>>> settled(ShardGroup group)
      throws InterruptedException {
    long deadline = System.nanoTime() + SETTLED.toNanos();
    Optional<Map<String, List<Integer>>> shares = group.shares();
    while (shares.isEmpty() && System.nanoTime() < deadline) {
      TimeUnit.MILLISECONDS.sleep(LOOK.toMillis()); // the brokers tell nobody when it is over
      shares = group.shares();
    }
    return shares;
  }

  /**
   * Waits through whatever the brokers do until the others have the shards.
   *
   * @return why they will not; empty when they have
   */
  private Optional<String> awaitOthers(ShardGroup group, Announcements said, TakeOver begun)
      throws IOException, InterruptedException, WordFailed {
    long deadline = System.nanoTime() + TAKEN_OVER.toNanos();
    console.busy("waiting until the others have its shards");
    while (true) {
      if (!Down.isDrained(home)) {
        throw new WordFailed(host + " is not drained: its server was started again meanwhile");
      }
      try {
        said.look(LOOK).forEach(begun::announced);
      } catch (KafkaException e) {
        TimeUnit.MILLISECONDS.sleep(LOOK.toMillis()); // the brokers may come to themselves
      }
      TakeOver.TakeOverProgress step = begun.look(group.shares());
      if (step == TakeOver.TakeOverProgress.DONE) {
        return Optional.empty();
      }
      if (step == TakeOver.TakeOverProgress.NOBODY) {
        return Optional.of("no other server is there any more");
      }
      if (System.nanoTime() > deadline) {
        return Optional.of(
            "no other server has taken over "
                + shards(begun.left())
                + " for "
                + TAKEN_OVER.toSeconds()
                + " s");
      }
    }
  }

  /**
   * Undoes the drain.
   *
   * @param why nobody has the shards
   */
  private void startAgain(String why) throws IOException, InterruptedException, WordFailed {
    console.busy("starting the server again");
    try (FileChannel lock = HomeLock.take(home, console)) {
      if (Down.isDrained(home)) {
        PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream(), false, UTF_8);
        new Up(home, Up.options("up", "").parse(), new Console(nowhere, false)).run();
      }
    } catch (IOException | UsageException | WordFailed e) {
      throw new WordFailed(
          host
              + " is drained, and "
              + why
              + "; its server was not started again ("
              + OneLine.of(e)
              + "): ./millrace cluster undrain "
              + host,
          e);
    }
    throw new WordFailed(host + " is not drained: " + why + "; its server is started again");
  }

  private static String shards(Collection<Integer> shards) {
    return (shards.size() == 1 ? "shard " : "shards ")
        + shards.stream().map(String::valueOf).collect(Collectors.joining(", "));
  }
}
