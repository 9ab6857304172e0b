package io.millrace.schemas.release;

import io.millrace.schemas.registry.CompatibilityLevel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Schema;

/** The folder of released schemas: one file for each tagged version, none before the first one. */
public final class ReleasedSchemas {

  private static final String SUFFIX = ".json";

  private final Path folder;

  public ReleasedSchemas(Path folder) {
    this.folder = folder;
  }

  /**
   * Compares the schemas of this build with every released version.
   *
   * @param level of this build
   * @return violations, one line each with the record's or file's name; empty when there are none
   */
  public List<String> problems(Collection<Schema> current, int level) throws IOException {
    List<String> problems = new ArrayList<>();
    List<ReleasedVersion> released = read(problems);
    ReleasedVersion now = ReleasedVersion.of("now", level, current);
    for (ReleasedVersion version : released) {
      problems.addAll(unreadable(now, version));
    }
    if (problems.isEmpty()) {
      problems.addAll(wrongLevels(now, released));
    }
    return problems;
  }

  private static List<String> unreadable(ReleasedVersion now, ReleasedVersion version) {
    List<String> problems = new ArrayList<>();
    version
        .records()
        .forEach(
            (name, then) -> {
              Schema schema = now.records().get(name);
              if (schema == null) {
                problems.add(name + " was released with " + version.version() + " and is gone");
              } else {
                problems.addAll(
                    CompatibilityLevel.FULL_TRANSITIVE.problems(
                        schema, "version " + version.version(), then));
              }
            });
    return problems;
  }

  /** Checks that levels count from 1 without gaps, so that a missing file is noticed. */
  private static List<String> wrongLevels(ReleasedVersion now, List<ReleasedVersion> released) {
    int last = 0;
    for (ReleasedVersion version : released) {
      if (version.level() > last + 1) {
        return List.of(
            "version " + version.version() + " has level " + version.level() + ": one is missing");
      }
      last = version.level();
    }
    boolean same =
        !released.isEmpty() && released.get(released.size() - 1).records().equals(now.records());
    int due = same ? last : last + 1;
    return now.level() == due
        ? List.of()
        : List.of(
            "SchemaLevel.OWN is "
                + now.level()
                + " and must be "
                + due
                + (same ? ": no record differs" : ": records differ")
                + " from the last released version");
  }

  /**
   * The versions in the order of their levels.
   *
   * @param problems gets a line for each file that is not a released version
   */
  private List<ReleasedVersion> read(List<String> problems) throws IOException {
    List<ReleasedVersion> released = new ArrayList<>();
    for (Path file : files()) {
      try {
        ReleasedVersion version = ReleasedVersion.parse(Files.readString(file));
        if (!file.equals(file(version.version()))) {
          problems.add("released file " + file.getFileName() + " is that of another version");
        }
        released.add(version);
      } catch (AvroRuntimeException e) {
        problems.add("released file " + file.getFileName() + ": " + e.getMessage());
      }
    }
    released.sort(Comparator.comparingInt(ReleasedVersion::level));
    return released;
  }

  private List<Path> files() throws IOException {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files.sorted().toList();
    }
  }

  Path file(String version) {
    return folder.resolve(version + SUFFIX);
  }

  void write(ReleasedVersion version) throws IOException {
    Files.createDirectories(folder);
    Files.writeString(file(version.version()), version.text());
  }
}
