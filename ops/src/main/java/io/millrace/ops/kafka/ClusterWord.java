package io.millrace.ops.kafka;

import io.millrace.ops.join.ClusterFounding;
import io.millrace.ops.word.Console;
import io.millrace.ops.word.Word;
import io.millrace.ops.word.WordFailed;
import io.millrace.schemas.program.GivenOptions;
import io.millrace.schemas.program.ProgramOptions;
import io.millrace.schemas.program.UsageException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** {@code ./millrace cluster check} and {@code cluster init}. */
public final class ClusterWord implements Word {

  private static final String CHECK = "check";
  private static final String INIT = "init";
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
    return "check a Kafka cluster of yours, and make it ready for homes";
  }

  @Override
  public int run(List<String> arguments, Console console)
      throws IOException, InterruptedException, UsageException, WordFailed {
    GivenOptions options =
        ProgramOptions.ofWord(
                "cluster",
                "check reads the settings of brokers and topics, and says in a line each what is"
                    + " wrong, why, and\n"
                    + "what to set. Nothing is changed. Exit status 1 when a line is red or nothing"
                    + " can be read.\n"
                    + "init makes topics, schemas, access rules and accounts, and a join file for"
                    + " ./millrace up --join.")
            .operands(CHECK + "|" + INIT)
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
    if (!words.equals(List.of(CHECK)) && !words.equals(List.of(INIT))) {
      throw options.wrong(
          words.isEmpty()
              ? "check or init is missing"
              : "'" + String.join(" ", words) + "' is not understood: only check and init are");
    }
    boolean init = words.get(0).equals(INIT);
    for (String only : List.of(SHARDS, JOIN, ALTHOUGH_RED, NEW_PASSWORDS)) {
      if (!init && options.has(only)) {
        throw options.wrong(only + " goes with init only");
      }
    }
    return init ? init(options, console) : check(options, console);
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
