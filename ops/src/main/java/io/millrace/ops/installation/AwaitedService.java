package io.millrace.ops.installation;

import io.millrace.ops.home.Home;
import io.millrace.ops.process.EndReason;
import io.millrace.ops.process.Part;
import io.millrace.ops.process.PartFailed;
import io.millrace.ops.process.Processes;
import io.millrace.ops.word.Console;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Waits until parts that were started serve whoever asks their gateway. */
final class AwaitedService {

  private static final int CONNECTION_REFUSED = 111;
  private static final Duration COMMAND_PATIENCE = Duration.ofSeconds(60);
  private static final Duration EXECUTOR_PATIENCE = Duration.ofSeconds(30);
  private static final int COMMAND_RETRY_MS = 200;
  private static final String NOBODYS_QUEUE = "up-asks";

  private final Home home;
  private final Processes processes;
  private final HomeClient client;
  private final Console console;

  AwaitedService(Home home, Processes processes, HomeClient client, Console console) {
    this.home = home;
    this.processes = processes;
    this.client = client;
    this.console = console;
  }

  /** Returns when commands get through and the executors are accepted, or it is said why not. */
  void await(Parts parts) throws IOException, InterruptedException, PartFailed {
    awaitCommand();
    awaitExecutors(parts);
  }

  /**
   * Waits until a command is answered: a gateway that ran before may still be connecting to the
   * restarted broker.
   */
  private void awaitCommand() throws IOException, InterruptedException, PartFailed {
    long deadline = System.nanoTime() + COMMAND_PATIENCE.toNanos();
    console.busy("waiting until a command gets through");
    while (true) {
      // There is no such queue, but the refusal too comes from the shard, through the broker.
      HomeClient.HomeCommandResult said =
          client.call(home.root(), "qmgr", "-c", "unset queue " + NOBODYS_QUEUE + " priority");
      if (said.status() != CONNECTION_REFUSED) {
        return;
      }
      if (System.nanoTime() > deadline) {
        throw new PartFailed(
            "the parts run, but no command got through for "
                + COMMAND_PATIENCE.toSeconds()
                + " s: "
                + said.out().strip());
      }
      TimeUnit.MILLISECONDS.sleep(COMMAND_RETRY_MS);
    }
  }

  /**
   * Waits until the executors are accepted. When another executor serves the host, this one ends
   * and its reason is reported.
   */
  private void awaitExecutors(Parts parts) throws IOException, InterruptedException, PartFailed {
    // By number, because the command line of a part can change between two looks.
    List<Part> executors = parts.executors();
    List<String> hosts = parts.executorHosts();
    for (int i = 0; i < executors.size(); i++) {
      if (!deleted(client.call(home.root(), "pbsnodes", hosts.get(i)))) {
        awaitExecutor(executors.get(i), hosts.get(i));
      }
    }
  }

  /** Whether an administrator has deleted the node, so that no executor is expected to serve it. */
  static boolean deleted(HomeClient.HomeCommandResult node) {
    return node.status() != 0 && node.out().contains("Unknown node");
  }

  private void awaitExecutor(Part part, String host)
      throws IOException, InterruptedException, PartFailed {
    console.busy("waiting until " + part.name() + " serves " + host);
    if (!processes.awaitLine(part, Parts.servesLine(host), EXECUTOR_PATIENCE)) {
      // A refused executor lives as long as it has runs.
      String why = EndReason.of(home, part).map(words -> ": " + words).orElse("");
      console.say(
          part.name()
              + " does not serve "
              + host
              + " yet"
              + why
              + " (./millrace status and "
              + home.log(part.name())
              + " tell)");
    }
  }
}
