package io.millrace.server.gateway.command;

import io.millrace.reservations.resources.RequestException;
import io.millrace.schemas.command.AttributeChange;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.server.gateway.link.LinkException;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The server's {@code default_qsub_arguments}: options of qsub that count least. */
final class Preset {

  static final String NAME = "default_qsub_arguments";

  /** They would change what directives are, and who waits before the job or how many it is. */
  private static final List<Character> NEVER = List.of('C', 'I', 'J');

  private static final Logger LOG = LoggerFactory.getLogger(Preset.class);

  private Preset() {}

  /**
   * Under what is asked for otherwise. What cannot be preset an earlier build may have taken: an
   * option that is refused now keeps nobody from submitting.
   */
  static Wishes under(Call call, Wishes asked) throws Failure {
    String text = call.site().serverAttribute(NAME).orElse("");
    if (text.isBlank()) {
      return asked;
    }
    Wishes preset = new Wishes();
    for (GetOpt.Option option : parsed(call, text).options()) {
      try {
        preset = alone(call, option).over(preset);
      } catch (Failure e) {
        LOG.warn("{}: -{} says nothing: {}", NAME, option.letter(), e.getMessage().strip());
      }
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
              throw call.failure(NAME + ": -" + letter + " cannot be preset", 2);
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
    } catch (Failure | RequestException e) {
      return false;
    }
  }

  private static Wishes read(Call call, String text) throws Failure {
    return Qsub.wishes(call, parsed(call, text));
  }

  private static GetOpt parsed(Call call, String text) throws Failure {
    try {
      GetOpt options =
          GetOpt.parse(
              SubmitSyntax.QSUB_LETTERS,
              Words.split(text.strip()),
              false,
              wrong -> call.complain(NAME + ": " + wrong));
      if (!options.operands().isEmpty()) {
        throw call.failure(NAME + ": options only: " + text, 2);
      }
      return options;
    } catch (IllegalArgumentException e) {
      throw call.failure(NAME + ": " + text + ": " + e.getMessage(), 2);
    }
  }
}
