package io.millrace.ops.e2e;

import io.millrace.ops.home.FolderTree;
import io.millrace.ops.process.PidFile;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** Removes what a killed test run has left: processes, mounts and folders of its sites. */
final class Leftovers {

  private static final Path TEMPORARY = Path.of(System.getProperty("java.io.tmpdir"));
  private static final String OWNER = "owner";
  private static final Duration PATIENCE = Duration.ofSeconds(180);

  private static boolean removed;

  private Leftovers() {}

  /** Records the owner of a folder. */
  static void mark(Path folder) throws IOException {
    Files.writeString(folder.resolve(OWNER), self());
  }

  /** Keeps a folder for inspection: no later run deletes it. */
  static void keep(Path folder) throws IOException {
    Files.deleteIfExists(folder.resolve(OWNER));
  }

  /** Removes the sites whose owners are dead; once per test run. */
  static synchronized void remove() throws IOException, InterruptedException {
    if (removed) {
      return;
    }
    removed = true;
    try (DirectoryStream<Path> folders = Files.newDirectoryStream(TEMPORARY, "millrace-*")) {
      for (Path folder : folders) {
        Path owner = folder.resolve(OWNER);
        if (Files.isReadable(owner) && Files.isWritable(folder) && dead(owner)) {
          removeIfPossible(folder);
        }
      }
    }
  }

  /** Leftovers that cannot be removed must not make a test fail. */
  private static void removeIfPossible(Path folder) throws InterruptedException {
    if (Machine.isOfAnAncestor(folder)) {
      System.out.println("e2e: leaves " + folder + ", where this run was started");
      return;
    }
    System.out.println("e2e: removes " + folder + ", whose owner is dead");
    try {
      remove(folder);
    } catch (IOException | AssertionError e) {
      System.out.println("e2e: cannot remove " + folder + ": " + e.getMessage());
    }
  }

  private static void remove(Path folder) throws IOException, InterruptedException {
    Machine.killAllOf(folder);
    for (String mount : Files.readAllLines(Path.of("/proc/self/mounts"))) {
      String place = mount.split(" ")[1];
      if (Path.of(place).startsWith(folder)) {
        // Files below a mount that cannot be unmounted must not be deleted.
        new Shell(TEMPORARY).run(TEMPORARY, PATIENCE, "umount -l '" + place + "'").must();
      }
    }
    FolderTree.delete(folder);
  }

  /**
   * Whether the owner is dead; false when it cannot be told: a folder that is being created has an
   * empty mark, and of another process namespace nothing is seen here.
   */
  private static boolean dead(Path owner) throws IOException {
    String marked = Files.readString(owner);
    return marked.matches("\\d+ \\d+ \\S+ \\S+")
        && marked.endsWith(" " + namespace())
        && !of(Long.parseLong(marked.split(" ")[0])).equals(Optional.of(marked));
  }

  private static String self() throws IOException {
    return of(ProcessHandle.current().pid()).orElseThrow();
  }

  private static Optional<String> of(long pid) throws IOException {
    Optional<PidFile> process = PidFile.of(pid);
    return process.isEmpty()
        ? Optional.empty()
        : Optional.of(
            process.get().pid()
                + " "
                + process.get().ticks()
                + " "
                + process.get().boot()
                + " "
                + namespace());
  }

  /** As {@code pid:[4026531836]}. */
  private static String namespace() throws IOException {
    return Files.readSymbolicLink(Path.of("/proc/self/ns/pid")).toString();
  }
}
