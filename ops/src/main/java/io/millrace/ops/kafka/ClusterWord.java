package io.millrace.ops.kafka;

import io.millrace.ops.word.Console;
import io.millrace.ops.word.Word;
import io.millrace.ops.word.WordFailed;
import io.millrace.schemas.program.GivenOptions;
import io.millrace.schemas.program.ProgramOptions;
import io.millrace.schemas.program.UsageException;
import java.util.List;
import java.util.Map;

/** {@code ./millrace cluster check}. */
public final class ClusterWord implements Word {

  private static final String CHECK = "check";
  private static final String SERVERS = "--bootstrap-servers";
  private static final String SETTINGS = "--admin-properties";

  @Override
  public String name() {
    return "cluster";
  }

  @Override
  public String summary() {
    return "check whether a Kafka cluster is set up for Millrace";
  }

  @Override
  public int run(List<String> arguments, Console console)
      throws InterruptedException, UsageException, WordFailed {
    GivenOptions options =
        ProgramOptions.ofWord(
                "cluster",
                "Reads the settings of brokers and topics, and says in a line each what is wrong,"
                    + " why, and what\n"
                    + "to set. Nothing is changed. Exit status 1 when a line is red or nothing can"
                    + " be read.")
            .operands(CHECK)
            .value(SERVERS, "H:P,..", "the brokers")
            .value(SETTINGS, "FILE", "an administrator's Kafka client settings")
            .parse(arguments);
    if (!options.operands().equals(List.of(CHECK))) {
      throw options.wrong(
          options.operands().isEmpty()
              ? CHECK + " is missing"
              : "'" + String.join(" ", options.operands()) + "' is not understood: only check is");
    }
    Map<String, Object> client = options.kafka(SETTINGS);
    List<KafkaFinding> found = KafkaCheck.of(client);
    found.forEach(it -> console.say(it.line()));
    long red = found.stream().filter(KafkaFinding::isRed).count();
    console.say(
        red > 0
            ? red + " red"
            : found.isEmpty() ? "nothing is wrong" : "nothing is red; notes are worth a look");
    return red > 0 ? 1 : 0;
  }
}
