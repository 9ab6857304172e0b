package io.millrace.ops.dist;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * A work of others in the distribution.
 *
 * @param licences by the names that its pom, or one above it, has for them; none when there is none
 */
record ThirdParty(String group, String artifact, String version, List<String> licences) {

  /** How the list of the build calls a work without a licence. */
  private static final String NONE = "Unknown license";

  private static final String OUR_GROUP = "io.millrace";
  private static final int FIRST_LICENCE = 3;

  /**
   * Reads the list that the build makes: group, artifact, version and licences between tabs. It has
   * our own jars too.
   */
  static List<ThirdParty> read(Path list) throws IOException {
    List<ThirdParty> all = new ArrayList<>();
    for (String line : Files.readAllLines(list)) {
      String[] fields = line.split("\t");
      if (line.isBlank() || fields[0].equals(OUR_GROUP)) {
        continue;
      }
      if (fields.length < FIRST_LICENCE) {
        throw new IOException(list + " has a line that is no work: " + line);
      }
      List<String> licences =
          List.of(fields).subList(FIRST_LICENCE, fields.length).stream()
              .map(String::strip)
              .filter(name -> !name.isEmpty() && !name.equals(NONE))
              .toList();
      all.add(new ThirdParty(fields[0], fields[1], fields[2], licences));
    }
    all.sort(Comparator.comparing(ThirdParty::key));
    return all;
  }

  String key() {
    return group + ":" + artifact;
  }

  /** The name of its jar, without the ending. */
  String name() {
    return artifact + "-" + version;
  }

  /** The package URL, under which lists of vulnerabilities name it. */
  String packageUrl() {
    return "pkg:maven/" + group + "/" + artifact + "@" + version + "?type=jar";
  }

  @Override
  public String toString() {
    return key() + ":" + version;
  }
}
