package io.millrace.ops.e2e;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A session that was recorded on a real OpenPBS. */
record Recording(String name, List<Entry> entries) {

  /**
   * One command line with what it printed and how it ended.
   *
   * @param user who typed it; root or the name of an ordinary user
   * @param err standard error without the mark in front of its lines
   */
  record Entry(String user, String line, String out, String err, int exit) {}

  static Recording read(Path file) throws IOException {
    List<Entry> entries = new ArrayList<>();
    String user = "";
    String command = null;
    StringBuilder out = new StringBuilder();
    StringBuilder err = new StringBuilder();
    for (String line : Files.readAllLines(file)) {
      if (command == null) {
        if (line.matches("(\\[\\w+\\])?\\$ .*")) {
          int prompt = line.indexOf("$ ");
          user = prompt == 0 ? "root" : line.substring(1, prompt - 1);
          command = line.substring(prompt + 2);
        }
      } else if (line.startsWith("exit: ")) {
        int exit = Integer.parseInt(line.substring("exit: ".length()));
        entries.add(new Entry(user, command, out.toString(), err.toString(), exit));
        command = null;
        out.setLength(0);
        err.setLength(0);
      } else if (line.startsWith("stderr:")) {
        err.append(line.substring(Math.min(line.length(), "stderr: ".length()))).append('\n');
      } else {
        out.append(line).append('\n');
      }
    }
    return new Recording(file.getFileName().toString().replaceAll("\\.txt$", ""), entries);
  }
}
