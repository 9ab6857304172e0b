package io.millrace.ops.e2e;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A session that was recorded on a real Grid Engine. */
record Transcript(String name, List<Recording.Entry> entries) {

  private static final String USER = "# user: ";
  private static final String EXIT = "# exit: ";

  /** Reads a transcript; lines without a user are root's. */
  static Transcript read(Path file) throws IOException {
    List<Recording.Entry> entries = new ArrayList<>();
    String line = null;
    String user = "root";
    StringBuilder out = new StringBuilder();
    StringBuilder err = new StringBuilder();
    StringBuilder to = out;
    for (String text : Files.readAllLines(file)) {
      if (line == null) {
        if (text.startsWith("$ ")) {
          line = text.substring(2);
          user = "root";
          out.setLength(0);
          err.setLength(0);
        }
      } else if (text.startsWith(USER)) {
        user = text.substring(USER.length());
      } else if (text.equals("# stdout:") || text.equals("# stderr:")) {
        to = text.equals("# stdout:") ? out : err;
      } else if (text.startsWith(EXIT)) {
        int exit = Integer.parseInt(text.substring(EXIT.length()));
        entries.add(new Recording.Entry(user, line, out.toString(), err.toString(), exit));
        line = null;
      } else {
        to.append(text).append('\n');
      }
    }
    return new Transcript(file.getFileName().toString().replaceAll("\\.txt$", ""), entries);
  }

  /** What a recorded command line printed. */
  String printed(String line) {
    return entries.stream()
        .filter(entry -> entry.line().equals(line))
        .map(Recording.Entry::out)
        .findFirst()
        .orElseThrow(() -> new AssertionError(name + " has no line " + line));
  }
}
