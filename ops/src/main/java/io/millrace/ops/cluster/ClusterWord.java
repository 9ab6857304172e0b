package io.millrace.ops.cluster;

import io.millrace.ops.home.Home;
import io.millrace.ops.join.ClusterFounding;
import io.millrace.ops.kafka.KafkaCheck;
import io.millrace.ops.kafka.KafkaFinding;
import io.millrace.ops.word.Console;
import io.millrace.ops.word.HomeOption;
import io.millrace.ops.word.Word;
import io.millrace.ops.word.WordFailed;
import io.millrace.schemas.program.GivenOptions;
import io.millrace.schemas.program.ProgramOptions;
import io.millrace.schemas.program.UsageException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** {@code ./millrace cluster}: {@code check}, {@code init}, {@code drain}, {@code undrain}. */
public final class ClusterWord implements Word {

  private static final String CHECK = "check";
  private static final String INIT = "init";
  private static final String DRAIN = "drain";
  private static final String UNDRAIN = "undrain";
  private static final String HOME = "--home";
  private static final String SERVERS = "--bootstrap-servers";
  private static final String SETTINGS = "--admin-properties";
  private static final String SHARDS = "--shards";
  private static final String JOIN = "--join-file";
  private static final String ALTHOUGH_RED = "--although-red";
  private static final String NEW_PASSWORDS = "--new-passwords";
  private static final int SHARDS_MAX = 1024;

  @Override
  public String name() {
    return "cluster";
  }

  @Override
  public String summary() {
    return "check a Kafka cluster of yours, make it ready for homes, drain a server";
  }

  @Override
  public int run(List<String> arguments, Console console)
      throws IOException, InterruptedException, UsageException, WordFailed {
    GivenOptions options =
        HomeOption.addTo(
                ProgramOptions.ofWord(
                    "cluster",
                    "check reads the settings of brokers and topics, and says in a line each what is"
                        + " wrong, why, and\n"
                        + "what to set. Nothing is changed. Exit status 1 when a line is red or nothing"
                        + " can be read.\n"
                        + "init makes topics, schemas, access rules and accounts, and a join file for"
                        + " ./millrace up --join.\n"
                        + "drain HOST, on that host: its server gives its shards to the others and ends;"
                        + " undrain HOST starts it\n"
                        + "again, as the next up does."))
            .operands(CHECK + "|" + INIT + "|" + DRAIN + " HOST|" + UNDRAIN + " HOST")
            .value(SERVERS, "H:P,..", "the brokers")
            .value(SETTINGS, "FILE", "an administrator's Kafka client settings")
            .value(SHARDS, "N", "init: number of shards, fixed from then on (default 8)")
            .value(JOIN, "FILE", "init: where the join file goes (default millrace.join)")
            .flag(ALTHOUGH_RED, "init: also where check has red lines: jobs may be lost")
            .flag(
                NEW_PASSWORDS,
                "init: accounts that are there get new ones; joined homes must join anew")
            .parse(arguments);
    List<String> words = options.operands();
    String word = words.isEmpty() ? "" : words.get(0);
    boolean home = word.equals(DRAIN) || word.equals(UNDRAIN);
    if (!home && !words.equals(List.of(CHECK)) && !words.equals(List.of(INIT))) {
      throw options.wrong(
          words.isEmpty()
              ? "check, init, drain or undrain is missing"
              : "'"
                  + String.join(" ", words)
                  + "' is not understood: only check, init, drain HOST and undrain HOST are");
    }
    for (String only : List.of(SHARDS, JOIN, ALTHOUGH_RED, NEW_PASSWORDS)) {
      if (!word.equals(INIT) && options.has(only)) {
        throw options.wrong(only + " goes with init only");
      }
    }
    for (String only : List.of(SERVERS, SETTINGS)) {
      if (home && options.has(only)) {
        throw options.wrong(only + " goes with check and init only");
      }
    }
    if (!home && options.has(HOME)) {
      throw options.wrong(HOME + " goes with drain and undrain only");
    }
    if (home && words.size() != 2) {
      throw options.wrong(word + " takes the name of this host: " + word + " HOST");
    }
    return switch (word) {
      case DRAIN -> drain(options, console).run();
      case UNDRAIN -> drain(options, console).undo();
      case INIT -> init(options, console);
      default -> check(options, console);
    };
  }

  private static Drain drain(GivenOptions options, Console console)
      throws IOException, UsageException {
    Home home = HomeOption.of(options);
    return new Drain(home, options.operands().get(1), console);
  }

  private static int check(GivenOptions options, Console console)
      throws InterruptedException, UsageException, WordFailed {
    List<KafkaFinding> found = KafkaCheck.of(options.kafka(SETTINGS));
    found.forEach(it -> console.say(it.line()));
    long red = found.stream().filter(KafkaFinding::isRed).count();
    console.say(
        red > 0
            ? red + " red"
            : found.isEmpty() ? "nothing is wrong" : "nothing is red; notes are worth a look");
    return red > 0 ? 1 : 0;
  }

  private static int init(GivenOptions options, Console console)
      throws IOException, InterruptedException, UsageException, WordFailed {
    options.require(SERVERS);
    options.require(SETTINGS);
    int shards = options.number(SHARDS, 0, 1, SHARDS_MAX);
    Path file = Path.of(options.get(JOIN).orElse("millrace.join"));
    Map<String, Object> client = options.kafka(SETTINGS);
    List<KafkaFinding> red = KafkaCheck.of(client).stream().filter(KafkaFinding::isRed).toList();
    if (!red.isEmpty() && !options.has(ALTHOUGH_RED)) {
      red.forEach(it -> console.say(it.line()));
      throw new WordFailed(
          "nothing is made on a cluster with "
              + red.size()
              + " red: set what these lines say, or give "
              + ALTHOUGH_RED
              + " where jobs may be lost");
    }
    new ClusterFounding(client, console::say).run(shards, options.has(NEW_PASSWORDS), file);
    console.say("wrote " + file + ": it holds passwords; ./millrace up --join " + file);
    return 0;
  }
}
