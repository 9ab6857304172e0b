package io.millrace.server.terminal;

import java.io.IOException;
import org.jline.keymap.KeyMap;
import org.jline.reader.EndOfFileException;
import org.jline.reader.LineReader;
import org.jline.reader.LineReaderBuilder;
import org.jline.reader.UserInterruptException;
import org.jline.reader.Widget;
import org.jline.terminal.Attributes;
import org.jline.terminal.Terminal;

/**
 * Reads directives at a terminal as PBS's qmgr does: a backslash at the end of a line goes on with
 * the next one, {@code history [N]} shows the last directives, {@code !N} is the one of that
 * number. Ctrl-C gives up what was typed of a directive, Ctrl-D in an empty line is the end.
 */
final class DirectiveReader {
  private static final String HISTORY = "history";

  /** "h" alone is help. */
  private static final int HISTORY_SHORTEST = 2;

  private final Terminal terminal;
  private final DirectiveHistory history;
  private final LineReader reader;
  private final StringBuilder joined = new StringBuilder();
  private boolean ended;

  /**
   * @param command is asked what a word may become
   */
  DirectiveReader(Terminal terminal, DirectiveHistory history, String command) {
    this.terminal = terminal;
    this.history = history;
    this.reader =
        LineReaderBuilder.builder()
            .terminal(terminal)
            .appName(command)
            .history(history)
            .parser(new CompletionWord())
            .completer(new GatewayCompleter(command, () -> joined.toString()))
            .variable(LineReader.HISTORY_SIZE, DirectiveHistory.MAX)
            // Exclamation marks and backslashes are the directive's, not the editor's.
            .option(LineReader.Option.DISABLE_EVENT_EXPANSION, true)
            // Lines that are pasted are directives, each of them, as when they are typed.
            .option(LineReader.Option.BRACKETED_PASTE, false)
            .option(LineReader.Option.AUTO_FRESH_LINE, false)
            .build();
    takeCtrlC();
  }

  /**
   * Makes Ctrl-C a key like others, for as long as the terminal is open. As a signal it would end
   * this process whenever no line is being read, and stty(1), which the editor calls, with it; or
   * come late and interrupt a call of the gateway.
   */
  private void takeCtrlC() {
    Attributes attributes = terminal.getAttributes();
    attributes.setControlChar(Attributes.ControlChar.VINTR, 0);
    terminal.setAttributes(attributes);
    Widget giveUp =
        () -> {
          throw new UserInterruptException(reader.getBuffer().toString());
        };
    reader.getKeyMaps().get(LineReader.MAIN).bind(giveUp, KeyMap.ctrl('C'));
  }

  /**
   * The next directive in one line, or null at the end.
   *
   * @param prompt what the command asks with
   */
  String next(String prompt) throws IOException {
    while (!ended) {
      String directive = typed(prompt);
      if (directive == null) {
        return null;
      }
      String wanted = directive.strip();
      if (wanted.startsWith("!")) {
        directive = recalled(wanted.substring(1).strip());
        wanted = directive == null ? "" : directive;
      }
      if (wanted.isEmpty() || wanted.startsWith("#")) {
        continue;
      }
      history.keep(wanted);
      if (!showsHistory(wanted)) {
        return directive;
      }
    }
    return null;
  }

  /** Lines up to one that is not continued. */
  private String typed(String prompt) throws IOException {
    joined.setLength(0);
    while (true) {
      String line;
      history.moveToEnd();
      try {
        line = reader.readLine(joined.length() == 0 ? prompt : continued(prompt));
      } catch (UserInterruptException e) {
        joined.setLength(0);
        continue;
      } catch (EndOfFileException e) {
        ended = true;
        // What stands before the backslash is still a directive.
        return joined.length() == 0 ? null : joined.toString();
      }
      if (!line.endsWith("\\")) {
        return joined.append(line).toString();
      }
      joined.append(line, 0, line.length() - 1);
    }
  }

  /** PBS's prompt of a line that goes on: "Qmgr: " becomes "Qmgr< ". */
  static String continued(String prompt) {
    return prompt.replace(':', '<');
  }

  private String recalled(String number) {
    String found = number.matches("[0-9]{1,9}") ? history.numbered(Integer.parseInt(number)) : null;
    say(found == null ? "No item " + number + " in history\n" : found + "\n");
    return found;
  }

  /** Whether the directive is about the history, which is this side's alone; shows it then. */
  private boolean showsHistory(String directive) {
    String[] words = directive.split("\\s+", 2);
    if (words[0].length() < HISTORY_SHORTEST || !HISTORY.startsWith(words[0])) {
      return false;
    }
    boolean number = words.length == 1 || words[1].matches("[0-9]{1,9}");
    int most = words.length == 1 || !number ? DirectiveHistory.MAX : Integer.parseInt(words[1]);
    say(number ? history.text(most) : "Invalid option\n");
    return true;
  }

  private void say(String text) {
    terminal.writer().print(text);
    terminal.writer().flush();
  }
}
