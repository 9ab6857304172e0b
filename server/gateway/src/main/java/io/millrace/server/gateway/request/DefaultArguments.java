package io.millrace.server.gateway.request;

import io.millrace.schemas.pbs.resources.RequestException;
import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.command.Failure;
import io.millrace.server.gateway.command.GetOpt;
import io.millrace.server.gateway.link.LinkException;
import io.millrace.server.gateway.operand.ShellWords;
import io.millrace.server.gateway.query.QueryException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The server's {@code default_qsub_arguments}: options of qsub that count least. */
public final class DefaultArguments {

  public static final String NAME = "default_qsub_arguments";

  /** Options that cannot be preset: prefix of directives, interactive, array. */
  private static final List<Character> NEVER = List.of('C', 'I', 'J');

  private static final Logger LOG = LoggerFactory.getLogger(DefaultArguments.class);

  private DefaultArguments() {}

  /** The text whose error was logged last. */
  private static final AtomicReference<String> TOLD = new AtomicReference<>("");

  /**
   * The given options, completed by the presets. A preset that has become illegal, for example
   * because its queue is gone, is ignored and logged.
   */
  public static JobOptions under(Call call, JobOptions asked) throws Failure {
    String text = call.site().serverAttribute(NAME).orElse("");
    if (text.isBlank()) {
      return asked;
    }
    List<String> refused = new ArrayList<>();
    JobOptions preset = new JobOptions();
    for (GetOpt.GivenOption option : parsed(call, text, refused::add).options()) {
      try {
        preset = alone(call, option).over(preset);
      } catch (Failure e) {
        refused.add(reason(call, e));
      }
    }
    if (!refused.isEmpty() && !text.equals(TOLD.getAndSet(text))) {
      LOG.warn("of {} what is refused says nothing: {}", NAME, String.join("; ", refused));
    }
    return asked.over(preset.without(NEVER));
  }

  private static JobOptions alone(Call call, GetOpt.GivenOption option) throws Failure {
    List<String> words = new ArrayList<>(List.of("-" + option.letter()));
    if (option.argument() != null) {
      words.add(option.argument());
    }
    return QsubOptions.of(call, GetOpt.parse(SubmitSyntax.QSUB_LETTERS, words, false, wrong -> {}));
  }

  /** The first line of the message, without the name of the command. */
  private static String reason(Call call, Failure failure) {
    String line = failure.text().lines().findFirst().orElse("").strip();
    for (String whose : List.of(call.name() + ": ", NAME + ": ")) {
      line = line.startsWith(whose) ? line.substring(whose.length()) : line;
    }
    return line;
  }

  /** Whether qsub can obey this preset, with the resources and queues that are there now. */
  public static boolean legal(Call call, String text) throws LinkException, InterruptedException {
    try {
      JobOptions preset = read(call, text);
      for (char letter : NEVER) {
        if (preset.has(letter)) {
          throw call.failure("-" + letter + " cannot be preset", 2);
        }
      }
      call.site().requests().parse(NewJobBuilder.attributes(preset.resources()));
      NewJobBuilder.project(call, preset);
      if (preset.has('q')) {
        SubmitQueue.of(call, preset);
      }
      return true;
    } catch (Failure e) {
      call.complain(NAME + ": " + reason(call, e));
    } catch (RequestException | QueryException e) {
      call.complain(NAME + ": " + e.getMessage());
    }
    return false;
  }

  private static JobOptions read(Call call, String text) throws Failure {
    List<String> wrong = new ArrayList<>();
    GetOpt options = parsed(call, text, wrong::add);
    if (!wrong.isEmpty()) {
      throw call.failure(String.join("; ", wrong), 2);
    }
    return QsubOptions.of(call, options);
  }

  private static GetOpt parsed(Call call, String text, Consumer<String> complain) throws Failure {
    try {
      GetOpt options =
          GetOpt.parse(SubmitSyntax.QSUB_LETTERS, ShellWords.split(text.strip()), false, complain);
      if (!options.operands().isEmpty()) {
        throw call.failure(NAME + ": options only: " + text, 2);
      }
      return options;
    } catch (IllegalArgumentException e) {
      throw call.failure(NAME + ": " + text + ": " + e.getMessage(), 2);
    }
  }
}
