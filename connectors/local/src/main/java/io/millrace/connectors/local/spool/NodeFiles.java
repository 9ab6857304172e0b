package io.millrace.connectors.local.spool;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Node files by content. Most runs of a host have the same one, so that a run gets a link to a file
 * that is there already; jobs may read it only.
 */
final class NodeFiles {
  private static final int KEPT_MAX = 64;
  private static final int TEXT_MAX = 10_000;

  private final Path home;
  private long made;
  private final Map<String, Path> kept =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Path> eldest) {
          if (size() <= KEPT_MAX) {
            return false;
          }
          forget(eldest.getValue());
          return true;
        }
      };

  NodeFiles(Path home) {
    this.home = home;
  }

  /** Makes the node file of a run. */
  synchronized void put(String text, Path nodeFile) throws IOException {
    Path known = kept.get(text);
    if (known != null) {
      try {
        Files.createLink(nodeFile, known);
        return;
      } catch (IOException e) {
        // Too many links to one file, or someone removed it: it is made anew.
        kept.remove(text);
        forget(known);
      }
    }
    Files.deleteIfExists(nodeFile);
    Files.writeString(nodeFile, text);
    Files.setPosixFilePermissions(nodeFile, PosixFilePermissions.fromString("r--r--r--"));
    if (text.length() <= TEXT_MAX) {
      Path file = home.resolve(Long.toString(++made));
      Files.createLink(file, nodeFile);
      kept.put(text, file);
    }
  }

  /** Removes the shared file; runs keep their own links to it. */
  private static void forget(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      file.toFile().deleteOnExit(); // the next opening of the spool clears the directory anyway
    }
  }
}
