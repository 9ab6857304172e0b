package io.millrace.ops.installation;

import io.millrace.connectors.bridge.cluster.ClusterFile;
import io.millrace.connectors.forward.ForwardMain;
import io.millrace.ops.home.Home;
import io.millrace.ops.process.Processes;
import io.millrace.ops.word.Console;
import io.millrace.ops.word.HomeOption;
import io.millrace.ops.word.Word;
import io.millrace.ops.word.WordFailed;
import io.millrace.schemas.program.GivenOptions;
import io.millrace.schemas.program.ProgramOptions;
import io.millrace.schemas.program.UsageException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** {@code ./millrace forward --cluster FILE}. */
public final class ForwardWord implements Word {

  private static final String CLUSTER = "--cluster";
  private static final String PROPERTIES = "--properties";
  private static final String SERVERS = "--bootstrap-servers";
  private static final String FORGET = "--forget";
  private static final String SPOOL = "--spool";

  @Override
  public String name() {
    return "forward";
  }

  @Override
  public String summary() {
    return "carry out jobs in a cluster of another system";
  }

  @Override
  public int run(List<String> arguments, Console console)
      throws IOException, InterruptedException, UsageException, WordFailed {
    GivenOptions options =
        HomeOption.addTo(
                ProgramOptions.ofWord(
                    "forward",
                    "Serves the nodes HOST@CLUSTER of a cluster of another system until it is"
                        + " ended: jobs that\n"
                        + "run on them are submitted there, as their users. In a home that is up"
                        + " it makes keys, queue\n"
                        + "and nodes first; on another host give --properties. A second one waits"
                        + " until the first ends."))
            .value(CLUSTER, "FILE", "the cluster file; see ./millrace outside check FILE")
            .value(PROPERTIES, "FILE", "without a home: what keys host add @CLUSTER has made")
            .value(SERVERS, "HOST:PORT,..", "with it: the brokers, if others than it says")
            .value(SPOOL, "DIR", "with it: what it has to remember")
            .flag(FORGET, "take back all that was shown of its jobs and hosts, and end")
            .parse(arguments);
    Path path = Path.of(options.require(CLUSTER)).toAbsolutePath();
    List<String> words = new ArrayList<>(List.of(CLUSTER, path.toString()));
    if (options.has(PROPERTIES)) {
      words.addAll(List.of(PROPERTIES, options.require(PROPERTIES)));
      words.addAll(List.of(SPOOL, options.require(SPOOL)));
      options.get(SERVERS).ifPresent(it -> words.addAll(List.of(SERVERS, it)));
    } else if (options.has(SERVERS) || options.has(SPOOL)) {
      throw options.wrong(SERVERS + " and " + SPOOL + " go with " + PROPERTIES);
    } else {
      words.addAll(ofHome(HomeOption.of(options), path, console, !options.has(FORGET)));
    }
    if (options.has(FORGET)) {
      words.add(FORGET);
    }
    ForwardMain.main(words.toArray(String[]::new));
    return 0;
  }

  private static List<String> ofHome(Home home, Path path, Console console, boolean serves)
      throws IOException, InterruptedException, UsageException, WordFailed {
    if (new Processes(home).alive("gateway").isEmpty()) {
      throw new WordFailed("nothing runs in " + home.root() + ": ./millrace up before");
    }
    ClusterFile file = Forwarders.read(path);
    Forwarders forwarders = new Forwarders(home, Distribution.current(), console);
    if (serves) {
      forwarders.makeNodes(file);
    }
    forwarders.admit(file);
    return List.of(
        PROPERTIES,
        home.hostClient(Forwarders.host(file)).toString(),
        SPOOL,
        home.spool(Forwarders.host(file)).toString());
  }
}
