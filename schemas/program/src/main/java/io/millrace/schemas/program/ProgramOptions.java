package io.millrace.schemas.program;

import java.util.List;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.DefaultParser;
import org.apache.commons.cli.MissingArgumentException;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.Options;
import org.apache.commons.cli.ParseException;
import org.apache.commons.cli.UnrecognizedOptionException;

/**
 * The options that a program knows, and its help. Options are named with their dashes: {@code
 * --home}. A user gives them as {@code --home DIR} or {@code --home=DIR}; the last one counts when
 * one is given several times.
 */
public final class ProgramOptions {

  private static final String DASHES = "--";
  private static final int HELP_COLUMN = 30;

  private final ProgramName program;
  private final String purpose;
  private final Options known = new Options();
  private String operandHelp = "";

  private ProgramOptions(ProgramName program, String purpose) {
    this.program = program;
    this.purpose = purpose;
  }

  /**
   * The options of {@code ./millrace WORD}.
   *
   * @param purpose what the word does, in one line
   */
  public static ProgramOptions ofWord(String word, String purpose) {
    return new ProgramOptions(ProgramName.ofWord(word), purpose);
  }

  /**
   * The options of a process that {@code ./millrace} starts.
   *
   * @param purpose what the process does, in one line
   */
  public static ProgramOptions ofProcess(String name, String purpose) {
    return new ProgramOptions(ProgramName.ofProcess(name), purpose);
  }

  /** An option with a value. */
  public ProgramOptions value(String name, String argument, String help) {
    known.addOption(
        Option.builder().longOpt(bare(name)).hasArg().argName(argument).desc(help).get());
    return this;
  }

  /** An option that may have a value. */
  public ProgramOptions optional(String name, String argument, String help) {
    known.addOption(
        Option.builder()
            .longOpt(bare(name))
            .hasArg()
            .optionalArg(true)
            .argName("[" + argument + "]")
            .desc(help)
            .get());
    return this;
  }

  /** An option without a value. */
  public ProgramOptions flag(String name, String help) {
    known.addOption(Option.builder().longOpt(bare(name)).desc(help).get());
    return this;
  }

  /**
   * An option without a value that has a short form.
   *
   * @param letter the short form with its dash
   */
  public ProgramOptions flag(String name, String letter, String help) {
    known.addOption(Option.builder(letter.substring(1)).longOpt(bare(name)).desc(help).get());
    return this;
  }

  /** Allows operands; without this none is accepted. */
  public ProgramOptions operands(String help) {
    operandHelp = help;
    return this;
  }

  /** The options with which a process reaches the brokers; see {@link GivenOptions#kafka}. */
  public ProgramOptions kafka() {
    return value(GivenOptions.SERVERS, "HOST:PORT,..", "the brokers")
        .value(GivenOptions.PROPERTIES, "FILE", "Kafka client settings, and schema.registry.url");
  }

  public GivenOptions parse(String... arguments) throws UsageException {
    return parse(List.of(arguments));
  }

  /**
   * Parses the arguments. @throws UsageException one line that says what is wrong and what would be
   * right @throws HelpRequested when --help is given
   */
  public GivenOptions parse(List<String> arguments) throws UsageException {
    if (arguments.contains("--help") || arguments.contains("-h")) {
      throw new HelpRequested(help());
    }
    CommandLine given = split(arguments);
    if (operandHelp.isEmpty() && !given.getArgList().isEmpty()) {
      throw program.wrong("'" + given.getArgList().get(0) + "' is not understood");
    }
    return new GivenOptions(program, given);
  }

  private CommandLine split(List<String> arguments) throws UsageException {
    DefaultParser parser =
        DefaultParser.builder()
            .setAllowPartialMatching(false)
            .setStripLeadingAndTrailingQuotes(false)
            .get();
    try {
      return parser.parse(known, arguments.toArray(new String[0]));
    } catch (UnrecognizedOptionException e) {
      throw program.wrong(unknown(e.getOption()));
    } catch (MissingArgumentException e) {
      String name = DASHES + e.getOption().getLongOpt();
      throw program.wrong(name + " needs a value: " + name + " " + e.getOption().getArgName());
    } catch (ParseException e) {
      throw program.wrong(e.getMessage());
    }
  }

  private String unknown(String argument) {
    String name = argument.split("=", 2)[0];
    return known.hasLongOption(name) ? name + " takes no value" : "there is no option " + name;
  }

  private static String bare(String name) {
    return name.substring(DASHES.length());
  }

  private String help() {
    StringBuilder text = new StringBuilder("usage: " + program.called());
    text.append(known.getOptions().isEmpty() ? "" : " [options]");
    text.append(operandHelp.isEmpty() ? "" : " " + operandHelp);
    text.append("\n\n").append(purpose).append("\n\n");
    for (Option option : known.getOptions()) {
      String argument = option.hasArg() ? " " + option.getArgName() : "";
      String letter = option.getOpt() == null ? "" : "-" + option.getOpt() + ", ";
      String left = "  " + letter + DASHES + option.getLongOpt() + argument;
      text.append(left);
      text.append(" ".repeat(Math.max(2, HELP_COLUMN - left.length())));
      text.append(option.getDescription()).append('\n');
    }
    return text.toString().stripTrailing();
  }
}
