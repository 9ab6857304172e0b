package io.millrace.server.gateway.job;

import io.millrace.schemas.command.DeleteJob;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.state.IndexSteps;
import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.command.Failure;
import io.millrace.server.gateway.command.GetOpt;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The options of one qdel, and the number of its jobs about which mail may be sent. */
final class DeleteOptions {

  private static final String SUPPRESS = "suppress_email=";
  private static final Pattern NUMBER = Pattern.compile("\\s*([+-]?\\d{1,9})");

  /** Most jobs of one qdel about which mail is sent, as in PBS, unless an option says otherwise. */
  private static final int LETTERS = 1000;

  private final boolean purge;
  private boolean force;
  private int letters = LETTERS;

  private DeleteOptions(boolean purge) {
    this.purge = purge;
  }

  /**
   * @throws Failure with the usage, or for an option of PBS's that there is not
   */
  static DeleteOptions read(Call call, GetOpt options, String usage) throws Failure {
    DeleteOptions deletion = new DeleteOptions(options.has('x'));
    boolean wrong = options.wrong();
    for (GetOpt.GivenOption option : options.options()) {
      if (option.letter() == 'W' && !deletion.take(option.argument())) {
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
    return deletion;
  }

  private boolean take(String value) {
    if (value.equals("force")) {
      force = true;
      return true;
    }
    if (!value.startsWith(SUPPRESS)) {
      return false;
    }
    // As in PBS the leading number counts, and without one the option has no effect.
    Matcher number = NUMBER.matcher(value.substring(SUPPRESS.length()));
    int given = number.lookingAt() ? Integer.parseInt(number.group(1)) : 0;
    letters = given == 0 ? LETTERS : Math.max(0, given);
    return true;
  }

  /** Whether no mail is sent about the next job. */
  boolean quiet() {
    return letters-- <= 0;
  }

  DeleteJob command(CommandMeta meta, String id, List<IndexSteps> subjobs, boolean quiet) {
    return new DeleteJob(meta, id, purge, subjobs, quiet, force, false);
  }
}
