package io.millrace.ops.dist;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.maven.artifact.versioning.ComparableVersion;

/** What is known against works of others below a version: {@code ops/advisories.txt}. */
record Advisories(List<Advisory> all) {

  /**
   * @param work group:artifact
   * @param fixed the first version against which it is not known
   */
  record Advisory(String work, String fixed, String id) {

    boolean concerns(ThirdParty other) {
      return other.key().equals(work)
          && new ComparableVersion(other.version()).compareTo(new ComparableVersion(fixed)) < 0;
    }
  }

  static Advisories read(Path file) throws IOException {
    List<Advisory> all = new ArrayList<>();
    for (String line : Files.readAllLines(file)) {
      if (line.isBlank() || line.startsWith("#")) {
        continue;
      }
      String[] fields = line.strip().split("\\s+");
      if (fields.length != 3 || !fields[0].matches("[^:]+:[^:]+")) {
        throw new IOException(file + " has a line that is no advisory: " + line);
      }
      all.add(new Advisory(fields[0], fields[1], fields[2]));
    }
    return new Advisories(all);
  }

  /** A line for each work that an advisory concerns. */
  List<String> against(List<ThirdParty> works) {
    return works.stream()
        .flatMap(
            work ->
                all.stream()
                    .filter(advisory -> advisory.concerns(work))
                    .map(it -> work + " is older than " + it.fixed() + ": " + it.id()))
        .toList();
  }
}
