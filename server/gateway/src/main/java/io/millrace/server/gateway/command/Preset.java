package io.millrace.server.gateway.command;

import io.millrace.schemas.command.AttributeChange;
import io.millrace.schemas.common.ObjectKind;
import java.util.List;

/** The server's {@code default_qsub_arguments}: options of qsub that count least. */
final class Preset {

  static final String NAME = "default_qsub_arguments";

  /** They would change what directives are, and who waits before the job or how many it is. */
  private static final List<Character> NEVER = List.of('C', 'I', 'J');

  private Preset() {}

  /** Under what is asked for otherwise. */
  static Wishes under(Call call, Wishes asked) throws Failure {
    String text = call.site().serverAttribute(NAME).orElse("");
    return text.isBlank() ? asked : asked.over(read(call, text));
  }

  /** Whether qsub can obey what a directive sets; true of one that does not set it. */
  static boolean legal(Call call, QmgrSyntax.Directive directive) {
    if (directive.kind() != ObjectKind.SERVER) {
      return true;
    }
    try {
      for (AttributeChange change : directive.changes()) {
        if (change.getName().equals(NAME) && !change.getValue().isBlank()) {
          read(call, change.getValue());
        }
      }
      return true;
    } catch (Failure e) {
      return false;
    }
  }

  private static Wishes read(Call call, String text) throws Failure {
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
      for (char letter : NEVER) {
        if (options.has(letter)) {
          throw call.failure(NAME + ": -" + letter + " cannot be preset", 2);
        }
      }
      return Qsub.wishes(call, options);
    } catch (IllegalArgumentException e) {
      throw call.failure(NAME + ": " + text + ": " + e.getMessage(), 2);
    }
  }
}
