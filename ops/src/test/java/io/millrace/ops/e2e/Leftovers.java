package io.millrace.ops.e2e;

import io.millrace.ops.home.FolderTree;
import io.millrace.ops.process.PidFile;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** What a run of tests that was killed has left: processes, mounts and folders of its sites. */
final class Leftovers {

  private static final Path TEMPORARY = Path.of(System.getProperty("java.io.tmpdir"));
  private static final String OWNER = "owner";
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private static boolean removed;

  private Leftovers() {}

  /** Writes who this folder is of. */
  static void mark(Path folder) throws IOException {
    Files.writeString(folder.resolve(OWNER), self());
  }

  /** It is to be looked at: no later run takes it away. */
  static void keep(Path folder) throws IOException {
    Files.deleteIfExists(folder.resolve(OWNER));
  }

  /** Once in a run: takes away the sites whose owners are dead. */
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

  /** What is left over is no reason for a test to fail, nor to end who looks at it. */
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
        // What is below a mount that stays is not to be deleted.
        new Shell(TEMPORARY).run(TEMPORARY, PATIENCE, "umount -l '" + place + "'").must();
      }
    }
    FolderTree.delete(folder);
  }

  /** Not when it cannot be said: a folder that is being made has an empty mark. */
  private static boolean dead(Path owner) throws IOException {
    String marked = Files.readString(owner);
    return marked.matches("\\d+ \\d+ \\S+")
        && !of(Long.parseLong(marked.split(" ")[0])).equals(Optional.of(marked));
  }

  private static String self() throws IOException {
    return of(ProcessHandle.current().pid()).orElseThrow();
  }

  private static Optional<String> of(long pid) throws IOException {
    return PidFile.of(pid).map(it -> it.pid() + " " + it.ticks() + " " + it.boot());
  }
}
