package io.millrace.server.terminal;

import io.millrace.server.client.ClientMain;
import io.millrace.server.client.Streams;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;

/**
 * Entry of the Java client for a command that reads directives at a terminal: {@code TerminalMain
 * COMMAND [ARGUMENT...]}. Exit status as that of {@link ClientMain}.
 */
public final class TerminalMain {
  private TerminalMain() {}

  /** Runs one command and ends the process with its exit status. */
  public static void main(String[] args) throws InterruptedException {
    System.exit(run(args));
  }

  private static int run(String[] args) throws InterruptedException {
    Streams own = Streams.ofProcess();
    try (Terminal terminal = terminal()) {
      if (!edits(terminal)) {
        return ClientMain.call(own, args);
      }
      try (OpenLine shown = new OpenLine(own.out())) {
        // What the system says is its home: $HOME may be another user's after sudo.
        Path home = Path.of(System.getProperty("user.home"));
        DirectiveHistory history =
            DirectiveHistory.at(home.resolve(DirectiveHistory.FILE), own.err());
        DirectiveReader reader = new DirectiveReader(terminal, history, args[0]);
        EditedInput typed = new EditedInput(() -> reader.next(shown.take()));
        return ClientMain.call(new Streams(typed, shown, shown.before(own.err())), args);
      }
    } catch (IOException e) {
      System.err.println(args[0] + ": the terminal: " + e.getMessage());
      return 1;
    }
  }

  /** The terminal of this process, by stty(1): see the dependencies of this module. */
  private static Terminal terminal() throws IOException {
    return TerminalBuilder.builder()
        .system(true)
        .provider("exec")
        .dumb(true)
        .encoding(StandardCharsets.UTF_8)
        .nativeSignals(true)
        .signalHandler(Terminal.SignalHandler.SIG_DFL)
        .build();
  }

  /** A terminal that cannot move its cursor, or whose width nobody knows, shows plain lines. */
  private static boolean edits(Terminal terminal) {
    return !terminal.getType().startsWith(Terminal.TYPE_DUMB) && terminal.getWidth() > 0;
  }
}
