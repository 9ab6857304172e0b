package io.millrace.server.gateway.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A recorded session: command lines with what they printed and how they ended. */
final class PbsTranscript {

  /** One command line; err is without the prefix "stderr: ". */
  record Entry(String user, String line, String out, String err, int exit) {}

  private PbsTranscript() {}

  static List<Entry> read(Path file) throws IOException {
    List<Entry> entries = new ArrayList<>();
    String user = null;
    String command = null;
    StringBuilder out = new StringBuilder();
    StringBuilder err = new StringBuilder();
    for (String line : Files.readAllLines(file)) {
      if (command == null && (line.startsWith("$ ") || line.matches("\\[\\w+\\]\\$ .*"))) {
        user = line.startsWith("$") ? "root" : line.substring(1, line.indexOf(']'));
        command = line.substring(line.indexOf("$ ") + 2);
      } else if (command != null && line.startsWith("exit: ")) {
        int exit = Integer.parseInt(line.substring(6));
        entries.add(new Entry(user, command, out.toString(), err.toString(), exit));
        command = null;
        out.setLength(0);
        err.setLength(0);
      } else if (command != null && line.startsWith("stderr: ")) {
        err.append(line.substring(8)).append('\n');
      } else if (command != null && line.equals("stderr:")) {
        err.append('\n');
      } else if (command != null) {
        out.append(line).append('\n');
      }
    }
    return entries;
  }
}
