package io.millrace.ops.faults.evidence;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The line that a job's script appends to the common file as its first act. */
public record JobLine(String jobId, int run, String token) {

  /** Parses a line. A line of another form is kept as the token, so that the verdict shows it. */
  static JobLine parse(String line) {
    String[] words = line.split(" ");
    if (words.length == 3 && words[1].matches("[0-9]{1,9}")) {
      return new JobLine(words[0], Integer.parseInt(words[1]), words[2]);
    }
    return new JobLine(line, 0, "");
  }

  /** All lines of the file; none when no job has written yet. */
  public static List<JobLine> readAll(Path file) throws IOException {
    List<JobLine> lines = new ArrayList<>();
    if (Files.exists(file)) {
      for (String line : Files.readAllLines(file, StandardCharsets.UTF_8)) {
        lines.add(parse(line));
      }
    }
    return lines;
  }
}
