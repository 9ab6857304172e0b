package io.millrace.ops.cluster;

import io.millrace.ops.home.Home;
import io.millrace.ops.home.KafkaPrincipal;
import io.millrace.ops.join.AccountMaking;
import io.millrace.ops.join.ClusterFounding;
import io.millrace.ops.join.GivenAccounts;
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
import java.util.TreeMap;

/**
 * {@code ./millrace cluster}: {@code check}, {@code accounts}, {@code init}, {@code drain}, {@code
 * undrain}.
 */
public final class ClusterWord implements Word {

  private static final String CHECK = "check";
  private static final String ACCOUNTS = "accounts";
  private static final String INIT = "init";
  private static final String DRAIN = "drain";
  private static final String UNDRAIN = "undrain";
  private static final List<String> ALL = List.of(CHECK, ACCOUNTS, INIT, DRAIN, UNDRAIN);
  private static final String HOME = "--home";
  private static final String SERVERS = "--bootstrap-servers";
  private static final String SETTINGS = "--admin-properties";
  private static final String SHARDS = "--shards";
  private static final String JOIN = "--join-file";
  private static final String GIVEN = "--accounts";
  private static final String ALTHOUGH_RED = "--although-red";
  private static final String NEW_PASSWORDS = "--new-passwords";
  private static final int SHARDS_MAX = 1024;

  /** With which words an option goes. */
  private static final Map<String, List<String>> PLACES =
      Map.of(
          SHARDS, List.of(INIT),
          JOIN, List.of(INIT),
          GIVEN, List.of(INIT),
          ALTHOUGH_RED, List.of(INIT),
          NEW_PASSWORDS, List.of(INIT, ACCOUNTS),
          SERVERS, List.of(CHECK, INIT, ACCOUNTS),
          SETTINGS, List.of(CHECK, INIT, ACCOUNTS),
          HOME, List.of(DRAIN, UNDRAIN));

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
    GivenOptions options = options().parse(arguments);
    List<String> words = options.operands();
    String word = words.isEmpty() ? "" : words.get(0);
    boolean takesOne = !word.equals(CHECK) && !word.equals(INIT);
    if (!ALL.contains(word) || !takesOne && words.size() > 1) {
      throw options.wrong(
          words.isEmpty()
              ? "check, accounts, init, drain or undrain is missing"
              : "'"
                  + String.join(" ", words)
                  + "' is not understood: only check, accounts FOLDER, init, drain HOST and"
                  + " undrain HOST are");
    }
    for (Map.Entry<String, List<String>> place : new TreeMap<>(PLACES).entrySet()) {
      if (options.has(place.getKey()) && !place.getValue().contains(word)) {
        throw options.wrong(
            place.getKey() + " goes with " + String.join(" and ", place.getValue()) + " only");
      }
    }
    if (takesOne && words.size() != 2) {
      throw options.wrong(
          word.equals(ACCOUNTS)
              ? "accounts takes the folder of their settings: accounts FOLDER"
              : word + " takes the name of this host: " + word + " HOST");
    }
    return switch (word) {
      case DRAIN -> drain(options, console).run();
      case UNDRAIN -> drain(options, console).undo();
      case INIT -> init(options, console);
      case ACCOUNTS -> accounts(options, console);
      default -> check(options, console);
    };
  }

  private static ProgramOptions options() {
    return HomeOption.addTo(
            ProgramOptions.ofWord(
                "cluster",
                "check reads the settings of brokers and topics, and says in a line each what is"
                    + " wrong, why, and\n"
                    + "what to set. Nothing is changed. Exit status 1 when a line is red or nothing"
                    + " can be read.\n"
                    + "accounts FOLDER makes an account for each kind of parts that has no settings"
                    + " there, and writes them.\n"
                    + "init makes topics, schemas, access rules and accounts, and a join file for"
                    + " ./millrace up --join.\n"
                    + "drain HOST, on that host: its server gives its shards to the others and ends;"
                    + " undrain HOST starts it\n"
                    + "again, as the next up does."))
        .operands("check|accounts FOLDER|init|drain HOST|undrain HOST")
        .value(SERVERS, "H:P,..", "the brokers")
        .value(SETTINGS, "FILE", "an administrator's Kafka client settings")
        .value(SHARDS, "N", "init: number of shards, fixed from then on (default 8)")
        .value(JOIN, "FILE", "init: where the join file goes (default millrace.join)")
        .value(GIVEN, "FOLDER", "init: accounts that are there, server.properties and so on")
        .flag(ALTHOUGH_RED, "init: also where check has red lines: jobs may be lost")
        .flag(NEW_PASSWORDS, "accounts that are there get new ones; joined homes must join anew");
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
    if (options.has(GIVEN) && options.has(NEW_PASSWORDS)) {
      throw options.wrong(
          NEW_PASSWORDS + " is of accounts that are made, and " + GIVEN + " of yours");
    }
    int shards = options.number(SHARDS, 0, 1, SHARDS_MAX);
    Path file = Path.of(options.get(JOIN).orElse("millrace.join"));
    Map<String, Object> client = options.kafka(SETTINGS);
    Map<KafkaPrincipal, GivenAccounts.KafkaAccount> given =
        options.has(GIVEN) ? new GivenAccounts(Path.of(options.require(GIVEN))).read() : Map.of();
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
    new ClusterFounding(client, given, console::say).run(shards, options.has(NEW_PASSWORDS), file);
    console.say("wrote " + file + ": it holds passwords; ./millrace up --join " + file);
    return 0;
  }

  private static int accounts(GivenOptions options, Console console)
      throws IOException, InterruptedException, UsageException, WordFailed {
    options.require(SERVERS);
    options.require(SETTINGS);
    Path folder = Path.of(options.operands().get(1));
    List<KafkaPrincipal> made =
        new AccountMaking(options.kafka(SETTINGS), new GivenAccounts(folder))
            .run(options.has(NEW_PASSWORDS));
    console.say(
        made.isEmpty()
            ? folder + " has settings of each kind of parts: nothing was made"
            : "made the accounts "
                + KafkaPrincipal.names(made, ", ")
                + ", with settings in "
                + folder);
    return 0;
  }
}
