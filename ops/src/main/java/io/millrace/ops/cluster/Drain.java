package io.millrace.ops.cluster;

import io.millrace.ops.home.ClientSettings;
import io.millrace.ops.home.ClusterSettings;
import io.millrace.ops.home.Home;
import io.millrace.ops.home.KafkaPrincipal;
import io.millrace.ops.home.ServerInstance;
import io.millrace.ops.installation.Down;
import io.millrace.ops.installation.HomeCheck;
import io.millrace.ops.installation.ShardOwners;
import io.millrace.ops.installation.Up;
import io.millrace.ops.process.HomeLock;
import io.millrace.ops.process.Processes;
import io.millrace.ops.word.Console;
import io.millrace.ops.word.OneLine;
import io.millrace.ops.word.WordFailed;
import io.millrace.schemas.HostName;
import io.millrace.schemas.output.ShardOwner;
import io.millrace.schemas.program.UsageException;
import io.millrace.schemas.registry.RegistryException;
import io.millrace.server.streams.group.ShardGroup;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.kafka.common.KafkaException;

/**
 * {@code cluster drain}: the server of a home gives its shards to the others and ends, until {@code
 * cluster undrain} or the next {@code up}. All other parts go on.
 */
final class Drain {

  private static final String SERVER = "server";
  private static final Duration SETTLED = Duration.ofSeconds(30);
  private static final Duration TAKEN_OVER = Duration.ofSeconds(60);
  private static final long LOOK_MS = 100;

  private final Home home;
  private final String host;
  private final Console console;

  Drain(Home home, String host, Console console) {
    this.home = home;
    this.host = host;
    this.console = console;
  }

  /**
   * Returns when every shard has another owner.
   *
   * @return exit status
   * @throws WordFailed in one line, also when the server has ended and shards have no owner yet
   */
  int run() throws IOException, InterruptedException, UsageException, WordFailed {
    requireHome();
    if (ClusterSettings.read(home).isEmbedded()) {
      throw new WordFailed(
          home.root()
              + " has a broker of its own, and so the only server: nobody could take its shards"
              + " (./millrace down stops it)");
    }
    try (FileChannel lock = HomeLock.take(home, console)) {
      if (new Processes(home).alive(SERVER).isEmpty()) {
        if (!Down.isDrained(home)) {
          throw new WordFailed("no server runs in " + home.root());
        }
        console.say(host + " is drained already");
        return 0;
      }
      List<Integer> own = shares();
      Map<Integer, ShardOwner> before = owners();
      Down.drain(home, console);
      awaitOthers(own, before);
    }
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

  /**
   * The shards of the server, when no shards are under way between servers.
   *
   * @throws WordFailed in one line, when there is no other that could take them
   */
  private List<Integer> shares() throws IOException, InterruptedException, WordFailed {
    String own = ServerInstance.read(home).orElse("");
    long deadline = System.nanoTime() + SETTLED.toNanos();
    try (ShardGroup group =
        new ShardGroup(ClientSettings.read(home.client(KafkaPrincipal.SERVER)))) {
      while (true) {
        Optional<Map<String, List<Integer>>> shares = group.shares();
        if (shares.isPresent()) {
          if (shares.get().keySet().stream().allMatch(own::equals)) {
            throw new WordFailed(
                "no other server is there that could take the shards of "
                    + host
                    + ": nothing is changed");
          }
          return shares.get().getOrDefault(own, List.of());
        }
        if (System.nanoTime() > deadline) {
          throw new WordFailed(
              "the servers divide the shards anew, or the brokers do not answer, for "
                  + SETTLED.toSeconds()
                  + " s: nothing is changed; try again");
        }
        TimeUnit.MILLISECONDS.sleep(LOOK_MS); // the brokers tell nobody when it is over
      }
    } catch (KafkaException e) {
      throw new WordFailed("the brokers do not answer: " + OneLine.of(e));
    }
  }

  private Map<Integer, ShardOwner> owners() throws IOException, WordFailed {
    try {
      return ShardOwners.read(home);
    } catch (KafkaException | RegistryException e) {
      throw new WordFailed("who owns the shards is not known: " + OneLine.of(e));
    }
  }

  /**
   * An owner announces itself when it serves a shard; servers of two hosts may have one address.
   */
  private void awaitOthers(List<Integer> own, Map<Integer, ShardOwner> before)
      throws IOException, InterruptedException, WordFailed {
    long begin = System.nanoTime();
    console.busy("waiting until the others have its shards");
    List<Integer> left = left(own, before, owners());
    while (!left.isEmpty()) {
      if (System.nanoTime() - begin > TAKEN_OVER.toNanos()) {
        throw new WordFailed(
            "the server of "
                + host
                + " has ended, and no other has taken over "
                + shards(left)
                + " for "
                + TAKEN_OVER.toSeconds()
                + " s: ./millrace cluster undrain "
                + host
                + " starts it again");
      }
      TimeUnit.MILLISECONDS.sleep(LOOK_MS); // owners announce themselves, and this looks
      left = left(own, before, owners());
    }
    console.say(
        host
            + " is drained: "
            + (own.isEmpty() ? "it had no shards" : "other servers have " + shards(own))
            + "; ./millrace cluster undrain "
            + host
            + " starts its server again");
  }

  /** The shards that are announced as they were before. */
  static List<Integer> left(
      List<Integer> own, Map<Integer, ShardOwner> before, Map<Integer, ShardOwner> now) {
    return own.stream()
        .filter(shard -> Objects.equals(before.get(shard), now.get(shard)))
        .sorted()
        .toList();
  }

  private static String shards(List<Integer> shards) {
    return (shards.size() == 1 ? "shard " : "shards ")
        + shards.stream().map(String::valueOf).collect(Collectors.joining(", "));
  }
}
