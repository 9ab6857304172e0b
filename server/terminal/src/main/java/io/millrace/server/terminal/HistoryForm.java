package io.millrace.server.terminal;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The form of a history of libedit, with which PBS's qmgr is made: a first line that names it, then
 * a line for each entry, in which blanks and other bytes that do not show are {@code \ooo} in octal
 * and a backslash is two.
 */
final class HistoryForm {
  private static final String COOKIE = "_HiStOrY_V2_";

  private HistoryForm() {}

  /** Whether a text is in this form, to which more lines may be added. */
  static boolean is(String text) {
    return text.startsWith(COOKIE + "\n") && text.endsWith("\n");
  }

  /** All entries as the text of a file. */
  static String write(List<String> entries) {
    StringBuilder text = new StringBuilder(COOKIE).append('\n');
    entries.forEach(entry -> text.append(line(entry)));
    return text.toString();
  }

  /** One entry with its line end. */
  static String line(String entry) {
    StringBuilder line = new StringBuilder();
    for (char c : entry.toCharArray()) {
      if (c == '\\') {
        line.append("\\\\");
      } else if (c <= ' ' || c == 0x7f) {
        line.append('\\').append((char) ('0' + (c >> 6))).append((char) ('0' + (c >> 3 & 7)));
        line.append((char) ('0' + (c & 7)));
      } else {
        line.append(c);
      }
    }
    return line.append('\n').toString();
  }

  /** The entries of a file; one without the first line is taken as plain lines. */
  static List<String> read(String text) {
    List<String> lines = text.lines().filter(line -> !line.isEmpty()).toList();
    if (lines.isEmpty() || !lines.get(0).equals(COOKIE)) {
      return lines;
    }
    List<String> entries = new ArrayList<>();
    for (String line : lines.subList(1, lines.size())) {
      entries.add(entry(line));
    }
    return entries;
  }

  /** Bytes above 127 may be octal too: characters are known only when all bytes are there. */
  private static String entry(String line) {
    byte[] from = line.getBytes(StandardCharsets.UTF_8);
    ByteArrayOutputStream to = new ByteArrayOutputStream(from.length);
    for (int i = 0; i < from.length; i++) {
      if (from[i] != '\\') {
        to.write(from[i]);
      } else if (i + 3 < from.length && octal(from, i + 1)) {
        to.write((from[i + 1] - '0') << 6 | (from[i + 2] - '0') << 3 | from[i + 3] - '0');
        i += 3;
      } else {
        // A backslash stands for what follows it, which may be another.
        i += i + 1 < from.length ? 1 : 0;
        to.write(from[i]);
      }
    }
    return to.toString(StandardCharsets.UTF_8);
  }

  private static boolean octal(byte[] bytes, int at) {
    for (int i = at; i < at + 3; i++) {
      if (bytes[i] < '0' || bytes[i] > '7') {
        return false;
      }
    }
    return true;
  }
}
