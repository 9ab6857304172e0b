package io.millrace.server.gateway.command;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Reads options as getopt(3) of the GNU library does, with its messages, since scripts meet them:
 * letters may stand together, options and operands may be mixed, and "--" ends the options.
 */
public final class GetOpt {

  /** One option with its argument, or null when it takes none. */
  public record GivenOption(char letter, String argument) {}

  private final List<GivenOption> options = new ArrayList<>();
  private final List<String> operands = new ArrayList<>();
  private boolean wrong;
  private int endMarker = -1;

  private GetOpt() {}

  /**
   * @param known letters; a colon behind one says that it takes an argument
   * @param complain told each message without a line end, for example {@code invalid option -- 'Z'}
   * @param stopAtOperand true when the first operand ends the options
   */
  public static GetOpt parse(
      String known, List<String> args, boolean stopAtOperand, Consumer<String> complain) {
    GetOpt result = new GetOpt();
    for (int i = 0; i < args.size(); i++) {
      String arg = args.get(i);
      if (arg.equals("--")) {
        result.endMarker = result.operands.size();
        result.operands.addAll(args.subList(i + 1, args.size()));
        return result;
      }
      if (arg.length() < 2 || arg.charAt(0) != '-') {
        if (stopAtOperand) {
          result.operands.addAll(args.subList(i, args.size()));
          return result;
        }
        result.operands.add(arg);
      } else {
        i = result.letters(known, args, i, complain);
      }
    }
    return result;
  }

  /** Reads the letters of one argument; gives the index of the last argument that was used. */
  private int letters(String known, List<String> args, int index, Consumer<String> complain) {
    String arg = args.get(index);
    for (int at = 1; at < arg.length(); at++) {
      char letter = arg.charAt(at);
      int place = letter == ':' ? -1 : known.indexOf(letter);
      if (place < 0) {
        complain.accept("invalid option -- '" + letter + "'");
        wrong = true;
      } else if (place + 1 < known.length() && known.charAt(place + 1) == ':') {
        if (at + 1 < arg.length()) {
          options.add(new GivenOption(letter, arg.substring(at + 1)));
          return index;
        }
        if (index + 1 < args.size()) {
          options.add(new GivenOption(letter, args.get(index + 1)));
          return index + 1;
        }
        complain.accept("option requires an argument -- '" + letter + "'");
        wrong = true;
        return index;
      } else {
        options.add(new GivenOption(letter, null));
      }
    }
    return index;
  }

  public List<GivenOption> options() {
    return options;
  }

  public List<String> operands() {
    return operands;
  }

  /** Whether an option was not known or lacked its argument. */
  public boolean wrong() {
    return wrong;
  }

  /** Number of operands before "--"; -1 when it was not given. */
  public int endMarker() {
    return endMarker;
  }

  public boolean has(char letter) {
    return options.stream().anyMatch(o -> o.letter() == letter);
  }

  /** Argument of the last option with this letter, or null. */
  public String argument(char letter) {
    String found = null;
    for (GivenOption option : options) {
      found = option.letter() == letter ? option.argument() : found;
    }
    return found;
  }
}
