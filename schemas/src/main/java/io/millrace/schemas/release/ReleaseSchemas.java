package io.millrace.schemas.release;

import io.millrace.schemas.Catalogue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.apache.avro.Schema;

/**
 * Writes the file of a version that is about to be tagged; writes nothing when a change breaks a
 * rule.
 */
public final class ReleaseSchemas {

  private ReleaseSchemas() {}

  /**
   * @param args the folder and the version
   */
  public static void main(String[] args) throws IOException {
    if (args.length != 2 || !ReleasedVersion.VERSION.matcher(args[1]).matches()) {
      System.err.println("usage: release.sh VERSION, such as 0.1.0");
      System.exit(2);
    }
    System.exit(release(Path.of(args[0]), args[1], current(), SchemaLevel.OWN));
  }

  /** The records of this build. */
  static Collection<Schema> current() {
    return Catalogue.get().entries().stream().map(Catalogue.CatalogueEntry::schema).toList();
  }

  static int release(Path folder, String version, Collection<Schema> records, int level)
      throws IOException {
    ReleasedSchemas released = new ReleasedSchemas(folder);
    List<String> problems = new ArrayList<>(released.problems(records, level));
    if (Files.exists(released.file(version))) {
      problems.add(version + " is released and never changes");
    }
    if (!problems.isEmpty()) {
      problems.forEach(System.err::println);
      System.err.println("nothing was released");
      return 1;
    }
    released.write(ReleasedVersion.of(version, level, records));
    System.out.println("wrote " + released.file(version) + ", level " + level);
    return 0;
  }
}
