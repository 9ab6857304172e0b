package io.millrace.ops.launcher;

import io.millrace.ops.home.ClientNames;
import io.millrace.ops.word.Console;
import io.millrace.ops.word.OneLine;
import io.millrace.ops.word.Word;
import io.millrace.ops.word.WordFailed;
import io.millrace.ops.word.Words;
import io.millrace.schemas.program.HelpRequested;
import io.millrace.schemas.program.UsageException;
import io.millrace.server.campaigns.command.CampaignCommands;
import io.millrace.server.gateway.command.CommandTable;
import io.millrace.server.gateway.help.HelpText;
import io.millrace.server.gateway.help.Page;
import io.millrace.server.gateway.help.Syntax;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Entry point of the words that the script {@code millrace} does not pass on to the gateway. */
public final class Launcher {

  private static final String USAGE = "usage: ./millrace WORD [options]";

  private static final int COLUMNS = 100;

  private Launcher() {}

  /** The manual page of this program. */
  public static Page page() {
    return new Page(
        "millrace",
        "start, stop, examine and measure a Millrace system",
        Syntax.of("", USAGE),
        List.of(),
        List.of(
            new Page.Section("words", List.of(words())),
            new Page.Section("help", List.of("Each word has --help."))),
        ClientNames.NAMES);
  }

  private static String words() {
    return Words.all().stream()
        .map(word -> String.format("  %-8s  %s", word.name(), word.summary()))
        .collect(Collectors.joining("\n"));
  }

  /** All words of the launcher, then those that it passes on. */
  static String help() {
    return USAGE + "\n\n" + words() + "\n\n" + clients();
  }

  private static String clients() {
    List<String> names = ClientNames.NAMES;
    int last = names.size() - 1;
    String text =
        String.join(", ", names.subList(0, last))
            + " and "
            + names.get(last)
            + " go to the gateway. Each word has --help; ./millrace help NAME tells the same, also"
            + " where no gateway is.";
    StringBuilder lines = new StringBuilder();
    int column = 0;
    for (String word : text.split(" ")) {
      if (column > 0) {
        boolean fits = column + 1 + word.length() <= COLUMNS;
        lines.append(fits ? " " : "\n");
        column = fits ? column + 1 : 0;
      }
      lines.append(word);
      column += word.length();
    }
    return lines.toString();
  }

  /** What a command of the gateway does. */
  private static Optional<Page> ofGateway(String name) {
    return Stream.of(CommandTable.pages(), CampaignCommands.manual())
        .flatMap(Collection::stream)
        .filter(page -> page.name().equals(name))
        .findFirst();
  }

  public static void main(String[] args) {
    int status;
    try {
      status = run(List.of(args));
    } catch (UsageException e) {
      status = e.tell();
    } catch (WordFailed | IOException e) {
      System.err.println("millrace: " + OneLine.of(e));
      status = 1;
    } catch (InterruptedException e) {
      status = 130;
    }
    System.out.flush();
    System.exit(status);
  }

  static int run(List<String> args)
      throws IOException, InterruptedException, UsageException, WordFailed {
    if (args.size() == 2 && args.get(0).equals("help")) {
      Optional<Page> page = ofGateway(args.get(1));
      if (page.isPresent()) {
        throw new HelpRequested(HelpText.of(page.get()).stripTrailing());
      }
      return run(List.of(args.get(1), "--help"));
    }
    if (args.isEmpty() || args.get(0).equals("--help") || args.get(0).equals("help")) {
      throw new HelpRequested(help());
    }
    Optional<Word> word = Words.find(args.get(0));
    if (word.isEmpty()) {
      throw new UsageException(
          "millrace: there is no word '" + args.get(0) + "' (see ./millrace --help)");
    }
    Console console = new Console(System.out, System.getenv("MILLRACE_TERMINAL") != null);
    return word.get().run(args.subList(1, args.size()), console);
  }
}
