package io.millrace.connectors.local.spool;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The {@code key=value} fields of a spool file. */
public record SpoolFields(Map<String, String> values) {

  /** Reads lines; empty when the file does not exist. */
  static Optional<SpoolFields> read(Path file) throws IOException {
    return read(file, '\n');
  }

  /** Reads fields with the given end character; of a repeated field the first counts. */
  static Optional<SpoolFields> read(Path file, char end) throws IOException {
    String text;
    try {
      // Latin 1 takes any byte, so that no user's text can make a file unreadable.
      text = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
    Map<String, String> values = new HashMap<>();
    for (int at = 0; at < text.length(); ) {
      int stop = text.indexOf(end, at);
      stop = stop < 0 ? text.length() : stop;
      int equals = text.indexOf('=', at);
      if (equals > at && equals < stop) {
        values.putIfAbsent(text.substring(at, equals), text.substring(equals + 1, stop));
      }
      at = stop + 1;
    }
    return Optional.of(new SpoolFields(values));
  }

  /** The field as UTF-8 text; empty when absent. */
  public String text(String key) {
    return new String(
        values.getOrDefault(key, "").getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
  }

  /** The field as a number; 0 when absent or no number. */
  public long number(String key) {
    String value = values.getOrDefault(key, "0");
    return value.matches("-?[0-9]{1,18}") ? Long.parseLong(value) : 0;
  }
}
