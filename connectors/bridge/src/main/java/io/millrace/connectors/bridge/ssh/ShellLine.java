package io.millrace.connectors.bridge.ssh;

import io.millrace.connectors.bridge.command.BareProgram;
import io.millrace.connectors.bridge.command.OutsideCommand;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * A command as the one line that an sshd hands to the login shell of an account. Each word of it
 * stands in single quotes, between which a shell like that of POSIX looks at nothing; whether the
 * login shell is one is tried before any command is sent.
 */
final class ShellLine {

  /** Linux takes no longer argument, as which the shell gets the line. */
  static final int BYTES_MOST = 128 * 1024 - 1;

  private ShellLine() {}

  /** The line: its words alone around the program, in the root folder. */
  static String of(OutsideCommand command) {
    StringBuilder line = new StringBuilder("cd / && exec");
    BareProgram.words(command).forEach(it -> line.append(' ').append(quoted(it)));
    return line.toString();
  }

  /** Why a command cannot go as a line; empty when it can. */
  static Optional<String> unfit(OutsideCommand command, String line) {
    Optional<String> unfit = BareProgram.unfit(command);
    if (unfit.isPresent()) {
      return unfit;
    }
    return line.getBytes(StandardCharsets.UTF_8).length > BYTES_MOST
        ? Optional.of(command.program() + ": its words are longer than a shell takes")
        : Optional.empty();
  }

  static String quoted(String word) {
    return "'" + word.replace("'", "'\\''") + "'";
  }
}
