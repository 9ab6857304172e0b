package io.millrace.schemas.release;

import io.millrace.schemas.Catalogue;
import io.millrace.schemas.registry.CompatibilityLevel;
import io.millrace.schemas.registry.SchemaText;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.avro.Schema;

/**
 * Writes a version file for each record that changed since its last release. Refuses, and writes
 * nothing, when a change is incompatible.
 */
public final class ReleaseSchemas {

  private ReleaseSchemas() {}

  /**
   * @param args the folder; with {@code --renew} before it all records start again at version 1,
   *     which is right only as long as no cluster was ever initialised with them
   */
  public static void main(String[] args) throws IOException {
    boolean renew = args.length == 2 && args[0].equals("--renew");
    if (args.length != (renew ? 2 : 1)) {
      System.err.println("usage: release.sh [--renew]");
      System.exit(2);
    }
    System.exit(release(Path.of(args[args.length - 1]), renew));
  }

  static int release(Path folder, boolean renew) throws IOException {
    ReleasedSchemas released = new ReleasedSchemas(folder);
    if (renew) {
      released.clear();
    }
    SortedMap<String, SortedMap<Integer, Schema>> earlier = released.read();
    List<String> problems = new ArrayList<>();
    List<Schema> changed = new ArrayList<>();
    for (Catalogue.Entry entry : Catalogue.get().entries()) {
      Schema schema = SchemaText.published(entry.schema());
      List<Schema> versions =
          List.copyOf(earlier.getOrDefault(entry.fullName(), new TreeMap<>()).values());
      if (versions.isEmpty() || !schema.equals(versions.get(versions.size() - 1))) {
        problems.addAll(CompatibilityLevel.FULL_TRANSITIVE.problems(schema, versions));
        changed.add(schema);
      }
    }
    if (!problems.isEmpty()) {
      problems.forEach(System.err::println);
      System.err.println("nothing was released");
      return 1;
    }
    for (Schema schema : changed) {
      int version = earlier.getOrDefault(schema.getFullName(), new TreeMap<>()).size() + 1;
      released.write(schema, version);
      System.out.println("released " + schema.getFullName() + " version " + version);
    }
    released.writeHashes();
    System.out.println(changed.size() + " schemas released, the others are as they were");
    return 0;
  }
}
