package io.millrace.ops.home;

import io.millrace.schemas.release.ReleasedSchemas;
import io.millrace.server.gateway.command.Version;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;

/**
 * Which build is, or was, at work in a home. Builds before this mark left none.
 *
 * @param version for example {@code 0.1.0-SNAPSHOT}
 * @param schemas how many versions of records it knows; see {@link ReleasedSchemas#known}
 */
public record BuildMark(String version, int schemas) {

  /** This build. */
  public static BuildMark current() {
    return new BuildMark(Version.text(), ReleasedSchemas.known());
  }

  /**
   * The newest build that was at work in a home; empty when none left its mark.
   *
   * @throws IOException when the mark cannot be understood
   */
  public static Optional<BuildMark> read(Home home) throws IOException {
    if (!Files.exists(home.build())) {
      return Optional.empty();
    }
    Map<String, Object> found = ClientSettings.read(home.build());
    String version = found.getOrDefault("version", "").toString();
    String schemas = found.getOrDefault("schemas", "").toString();
    if (!version.matches("[0-9]+(\\.[0-9]+)*([-+].*)?") || !schemas.matches("[0-9]{1,9}")) {
      throw new IOException(
          home.build() + " is damaged: version and schemas of the build that used the home last");
    }
    return Optional.of(new BuildMark(version, Integer.parseInt(schemas)));
  }

  /** Leaves the mark of this build in a home. */
  public void write(Home home) throws IOException {
    if (read(home).equals(Optional.of(this))) {
      return;
    }
    SmallFile.write(
        home.build(),
        "# The newest build that was at work here.\nversion="
            + version
            + "\nschemas="
            + schemas
            + "\n");
  }

  /** Whether what this one writes may be more than the other one understands. */
  public boolean newerThan(BuildMark other) {
    return schemas > other.schemas || Arrays.compare(numbers(), other.numbers()) > 0;
  }

  private int[] numbers() {
    return Arrays.stream(version.split("[-+]", 2)[0].split("\\."))
        .mapToInt(Integer::parseInt)
        .toArray();
  }

  /** As people read it. */
  public String text() {
    return "Millrace " + version + " (" + schemas + " schemas)";
  }
}
