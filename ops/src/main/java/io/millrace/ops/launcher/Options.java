package io.millrace.ops.launcher;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The options of one word of the launcher, their help, and what was given. */
public final class Options {

  private record Option(String name, String argument, String help) {
    boolean takesValue() {
      return !argument.isEmpty();
    }
  }

  private static final int HELP_COLUMN = 30;

  private final String word;
  private final String purpose;
  private final Map<String, Option> known = new LinkedHashMap<>();
  private final Map<String, String> given = new HashMap<>();
  private final List<String> operands = new ArrayList<>();
  private String operandHelp = "";

  /**
   * @param word for example "up"
   * @param purpose what it does, in one line
   */
  public Options(String word, String purpose) {
    this.word = word;
    this.purpose = purpose;
  }

  /** An option with a value. */
  public Options value(String name, String argument, String help) {
    known.put(name, new Option(name, argument, help));
    return this;
  }

  public Options flag(String name, String help) {
    known.put(name, new Option(name, "", help));
    return this;
  }

  /** Allows operands; without this none is accepted. */
  public Options operands(String help) {
    operandHelp = help;
    return this;
  }

  /**
   * @throws UsageException one line that says what is wrong and what would be right
   * @throws HelpRequested when --help is given
   */
  public Options parse(List<String> args) throws UsageException {
    for (int i = 0; i < args.size(); i++) {
      String arg = args.get(i);
      if (arg.equals("--help") || arg.equals("-h")) {
        throw new HelpRequested(help());
      }
      if (!arg.startsWith("-")) {
        operand(arg);
        continue;
      }
      int equals = arg.indexOf('=');
      String name = equals < 0 ? arg : arg.substring(0, equals);
      Option option = known.get(name);
      if (option == null) {
        throw wrong("there is no option " + name);
      }
      if (!option.takesValue()) {
        if (equals >= 0) {
          throw wrong(name + " takes no value");
        }
        given.put(name, "");
      } else if (equals >= 0) {
        given.put(name, arg.substring(equals + 1));
      } else if (i + 1 < args.size()) {
        given.put(name, args.get(++i));
      } else {
        throw wrong(name + " needs a value: " + name + " " + option.argument());
      }
    }
    return this;
  }

  private void operand(String arg) throws UsageException {
    if (operandHelp.isEmpty()) {
      throw wrong("'" + arg + "' is not understood");
    }
    operands.add(arg);
  }

  /** A usage error of this word. */
  public UsageException wrong(String what) {
    return new UsageException(
        "millrace " + word + ": " + what + " (see ./millrace " + word + " --help)");
  }

  public boolean has(String name) {
    return given.containsKey(name);
  }

  public Optional<String> get(String name) {
    return Optional.ofNullable(given.get(name));
  }

  public String require(String name) throws UsageException {
    return get(name).orElseThrow(() -> wrong(name + " is missing"));
  }

  /** A whole number within bounds. */
  public int number(String name, int whenAbsent, int least, int most) throws UsageException {
    String text = given.get(name);
    if (text == null) {
      return whenAbsent;
    }
    try {
      int number = Integer.parseInt(text);
      if (number >= least && number <= most) {
        return number;
      }
    } catch (NumberFormatException e) {
      throw wrong(name + " takes a number from " + least + " to " + most + ", not '" + text + "'");
    }
    throw wrong(name + " takes a number from " + least + " to " + most + ", not " + text);
  }

  public List<String> operands() {
    return List.copyOf(operands);
  }

  String help() {
    StringBuilder text = new StringBuilder("usage: ./millrace " + word);
    text.append(known.isEmpty() ? "" : " [options]");
    text.append(operandHelp.isEmpty() ? "" : " " + operandHelp);
    text.append("\n\n").append(purpose).append("\n\n");
    for (Option option : known.values()) {
      String left = "  " + option.name + (option.takesValue() ? " " + option.argument : "");
      text.append(left);
      text.append(" ".repeat(Math.max(2, HELP_COLUMN - left.length())));
      text.append(option.help).append('\n');
    }
    return text.toString().stripTrailing();
  }
}
