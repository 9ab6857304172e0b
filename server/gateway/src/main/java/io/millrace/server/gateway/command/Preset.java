package io.millrace.server.gateway.command;

import io.millrace.reservations.resources.RequestException;
import io.millrace.schemas.command.AttributeChange;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.server.gateway.link.LinkException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The server's {@code default_qsub_arguments}: options of qsub that count least. */
final class Preset {

  static final String NAME = "default_qsub_arguments";

  /** They would change what directives are, and who waits before the job or how many it is. */
  private static final List<Character> NEVER = List.of('C', 'I', 'J');

  private static final Logger LOG = LoggerFactory.getLogger(Preset.class);

  private Preset() {}

  /** The text of which the log has told last what in it says nothing. */
  private static final AtomicReference<String> TOLD = new AtomicReference<>("");

  /**
   * Under what is asked for otherwise. What cannot be preset an earlier build may have taken: an
   * option that is refused now keeps nobody from submitting, and the log tells of it.
   */
  static Wishes under(Call call, Wishes asked) throws Failure {
    String text = call.site().serverAttribute(NAME).orElse("");
    if (text.isBlank()) {
      return asked;
    }
    List<String> refused = new ArrayList<>();
    Wishes preset = new Wishes();
    for (GetOpt.Option option : parsed(call, text, refused::add).options()) {
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

  private static Wishes alone(Call call, GetOpt.Option option) throws Failure {
    List<String> words = new ArrayList<>(List.of("-" + option.letter()));
    if (option.argument() != null) {
      words.add(option.argument());
    }
    return Qsub.wishes(call, GetOpt.parse(SubmitSyntax.QSUB_LETTERS, words, false, wrong -> {}));
  }

  /** The first line, which the usage may follow, without whose it is. */
  private static String reason(Call call, Failure failure) {
    String line = failure.text().lines().findFirst().orElse("").strip();
    for (String whose : List.of(call.name() + ": ", NAME + ": ")) {
      line = line.startsWith(whose) ? line.substring(whose.length()) : line;
    }
    return line;
  }

  /**
   * Whether qsub can obey what a directive sets, with the resources and queues that are there now;
   * true of one that does not set it.
   */
  static boolean legal(Call call, QmgrSyntax.Directive directive)
      throws LinkException, InterruptedException {
    if (directive.kind() != ObjectKind.SERVER) {
      return true;
    }
    try {
      for (AttributeChange change : directive.changes()) {
        if (change.getName().equals(NAME) && !change.getValue().isBlank()) {
          Wishes preset = read(call, change.getValue());
          for (char letter : NEVER) {
            if (preset.has(letter)) {
              throw call.failure("-" + letter + " cannot be preset", 2);
            }
          }
          call.site().requests().parse(JobBuilder.attributes(preset.resources()));
          JobBuilder.project(call, preset);
          if (preset.has('q')) {
            Qsub.destination(call, preset);
          }
        }
      }
      return true;
    } catch (Failure e) {
      call.complain(NAME + ": " + reason(call, e));
    } catch (RequestException e) {
      call.complain(NAME + ": " + e.getMessage());
    }
    return false;
  }

  private static Wishes read(Call call, String text) throws Failure {
    List<String> wrong = new ArrayList<>();
    GetOpt options = parsed(call, text, wrong::add);
    if (!wrong.isEmpty()) {
      throw call.failure(String.join("; ", wrong), 2);
    }
    return Qsub.wishes(call, options);
  }

  private static GetOpt parsed(Call call, String text, Consumer<String> complain) throws Failure {
    try {
      GetOpt options =
          GetOpt.parse(SubmitSyntax.QSUB_LETTERS, Words.split(text.strip()), false, complain);
      if (!options.operands().isEmpty()) {
        throw call.failure(NAME + ": options only: " + text, 2);
      }
      return options;
    } catch (IllegalArgumentException e) {
      throw call.failure(NAME + ": " + text + ": " + e.getMessage(), 2);
    }
  }
}
