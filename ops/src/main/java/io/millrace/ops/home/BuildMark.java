package io.millrace.ops.home;

import io.millrace.schemas.release.SchemaLevel;
import io.millrace.server.gateway.command.Version;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;

/**
 * The newest build that has worked in a home. Each build writes its mark before it writes anything
 * else.
 *
 * @param version for example {@code 0.1.0-SNAPSHOT}
 * @param level schema level of its records; see {@link SchemaLevel}
 */
public record BuildMark(String version, int level) {

  private static final String VERSION = "version";
  private static final String LEVEL = "schema_level";

  /** Key of marks from before schema levels. */
  private static final String LEVEL_ONCE = "schemas";

  /** Mark of this build. */
  public static BuildMark current() {
    return new BuildMark(Version.text(), SchemaLevel.OWN);
  }

  /**
   * Reads the mark of a home; empty when it has none.
   *
   * @throws IOException when the mark cannot be parsed or has no schema level
   */
  public static Optional<BuildMark> read(Home home) throws IOException {
    if (!Files.exists(home.build())) {
      return Optional.empty();
    }
    Map<String, Object> found = ClientSettings.read(home.build());
    if (found.containsKey(LEVEL_ONCE) && !found.containsKey(LEVEL)) {
      throw tooOld(home);
    }
    String version = found.getOrDefault(VERSION, "").toString();
    String level = found.getOrDefault(LEVEL, "").toString();
    if (!version.matches("[0-9]+(\\.[0-9]+)*([-+].*)?") || !level.matches("[0-9]{1,9}")) {
      throw new IOException(
          home.build()
              + " is damaged: version and schema level of the build that used the home last");
    }
    return Optional.of(new BuildMark(version, Integer.parseInt(level)));
  }

  /** The error for a home from before the first release. */
  public static IOException tooOld(Home home) {
    return new IOException(
        home.root()
            + " is the home of a Millrace of before 0.1.0, which is not upgraded (docs/upgrade.md):"
            + " another folder for --home, or an empty one, becomes a new home");
  }

  /** Writes the mark of this build into a home. */
  public void write(Home home) throws IOException {
    if (read(home).equals(Optional.of(this))) {
      return;
    }
    SmallFile.write(
        home.build(),
        "# The newest build that was at work here.\n"
            + VERSION
            + "="
            + version
            + "\n"
            + LEVEL
            + "="
            + level
            + "\n");
  }

  /** Whether this build's records may be unreadable for the other build. */
  public boolean newerThan(BuildMark other) {
    return level > other.level || Arrays.compare(numbers(), other.numbers()) > 0;
  }

  private int[] numbers() {
    return Arrays.stream(version.split("[-+]", 2)[0].split("\\."))
        .mapToInt(Integer::parseInt)
        .toArray();
  }

  /** The mark as text for people. */
  public String text() {
    return "Millrace " + version + " (schema level " + level + ")";
  }
}
