package io.millrace.ops.dist;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The folder that a worker of Kafka Connect loads our plugins from. Of the works of others it has
 * only those that the distribution has too, so that one list says which these are.
 */
final class ConnectFolder {

  private static final String OURS = "millrace-";

  private ConnectFolder() {}

  /**
   * Makes a folder like another one; what has not changed is not touched.
   *
   * @param lib the jars of the distribution
   * @throws IOException with one line, when the folder has a jar of which nothing is known
   */
  static void copy(Path made, Path lib, Path target) throws IOException {
    Files.createDirectories(target);
    Set<String> wanted = new HashSet<>();
    for (Path jar : list(made)) {
      String name = jar.getFileName().toString();
      if (!name.startsWith(OURS) && !Files.exists(lib.resolve(name))) {
        throw new IOException(name + " is for Kafka Connect only: nothing is known of its licence");
      }
      wanted.add(name);
      Path copy = target.resolve(name);
      boolean same =
          Files.exists(copy)
              && Files.getLastModifiedTime(copy).equals(Files.getLastModifiedTime(jar));
      if (!same) {
        Path fresh = target.resolve(name + ".new");
        Files.copy(
            jar, fresh, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.COPY_ATTRIBUTES);
        Files.move(fresh, copy, StandardCopyOption.ATOMIC_MOVE);
      }
    }
    for (Path jar : list(target)) {
      if (!wanted.contains(jar.getFileName().toString())) {
        Files.delete(jar);
      }
    }
  }

  private static Iterable<Path> list(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.toList();
    }
  }
}
