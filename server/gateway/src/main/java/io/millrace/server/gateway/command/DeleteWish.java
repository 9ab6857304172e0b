package io.millrace.server.gateway.command;

import io.millrace.schemas.command.DeleteJob;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.state.IndexSteps;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How one qdel deletes: its options, and about how many of its jobs owners may be written to. */
final class DeleteWish {

  private static final String SUPPRESS = "suppress_email=";
  private static final Pattern NUMBER = Pattern.compile("\\s*([+-]?\\d{1,9})");

  /** As in PBS, where nothing else is said. */
  private static final int LETTERS = 1000;

  private final boolean purge;
  private boolean force;
  private int letters = LETTERS;

  private DeleteWish(boolean purge) {
    this.purge = purge;
  }

  /**
   * @throws Failure with the usage, or for an option of PBS's that there is not
   */
  static DeleteWish read(Call call, GetOpt options, String usage) throws Failure {
    DeleteWish wish = new DeleteWish(options.has('x'));
    boolean wrong = options.wrong();
    for (GetOpt.Option option : options.options()) {
      if (option.letter() == 'W' && !wish.take(option.argument())) {
        if (option.argument().matches("\\d+")) {
          throw call.refused("-W " + option.argument(), "a run is ended at once");
        }
        call.complain("illegal -W value");
        wrong = true;
      }
    }
    if (wrong || options.operands().isEmpty()) {
      throw call.usage(usage);
    }
    return wish;
  }

  private boolean take(String value) {
    if (value.equals("force")) {
      force = true;
      return true;
    }
    if (!value.startsWith(SUPPRESS)) {
      return false;
    }
    // As in PBS: the number that stands there first, and none is as if nothing had been said.
    Matcher number = NUMBER.matcher(value.substring(SUPPRESS.length()));
    int given = number.lookingAt() ? Integer.parseInt(number.group(1)) : 0;
    letters = given == 0 ? LETTERS : Math.max(0, given);
    return true;
  }

  /** Whether nobody is to be written to about the next job. */
  boolean quiet() {
    return letters-- <= 0;
  }

  DeleteJob command(CommandMeta meta, String id, List<IndexSteps> subjobs, boolean quiet) {
    return new DeleteJob(meta, id, purge, subjobs, quiet, force);
  }
}
