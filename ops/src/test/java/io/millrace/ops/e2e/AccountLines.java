package io.millrace.ops.e2e;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Reads a folder of accounting files. */
final class AccountLines {

  private AccountLines() {}

  /** All lines, in the order of their days. */
  static List<String> all(Path folder) {
    List<String> lines = new ArrayList<>();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
        String text = Files.readString(file);
        // What follows the last line end is still being written.
        lines.addAll(text.substring(0, text.lastIndexOf('\n') + 1).lines().toList());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return lines;
  }

  /** How many are of a kind, such as E. */
  static long count(Path folder, String kind) {
    return all(folder).stream().filter(line -> line.split(";")[1].equals(kind)).count();
  }

  /** Kinds of a job's lines, sorted. */
  static List<String> kinds(Path folder, String id) {
    return all(folder).stream()
        .map(line -> line.split(";"))
        .filter(line -> line[2].equals(id))
        .map(line -> line[1])
        .sorted()
        .toList();
  }
}
