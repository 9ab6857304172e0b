package io.millrace.ops.backup;

import io.millrace.connectors.local.spool.LockFile;
import io.millrace.ops.backup.ArchivedFile.FileRights;
import io.millrace.ops.home.FolderTree;
import io.millrace.ops.home.Home;
import io.millrace.ops.home.HomeOwner;
import io.millrace.ops.word.Console;
import io.millrace.ops.word.HomeOption;
import io.millrace.schemas.program.GivenOptions;
import io.millrace.schemas.program.UsageException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;

/** {@code restore}: unpacks a backup into an empty folder, as a home that {@code up} can start. */
public final class Restore {

  /** Restored last, because a folder counts as a home only once it has settings. */
  private static final String LAST = "etc";

  /**
   * Written in place of the host's boot id in an executor's spool. It equals no boot id, so the
   * executor does not start runs from before the backup, which another executor may have started
   * since.
   */
  private static final String NO_BOOT = "restored\n";

  /** Largest random length of the lock file; the length identifies its owner. */
  private static final long LENGTH_MAX = 1L << 20;

  private final Home home;
  private final Path file;
  private final Console console;

  private Restore(Home home, Path file, Console console) {
    this.home = home;
    this.file = file;
    this.console = console;
  }

  public static int run(List<String> args, Console console) throws IOException, UsageException {
    GivenOptions options =
        HomeOption.only(
                "restore",
                "Makes a home, which must be an empty or new folder, from a file of ./millrace"
                    + " backup. The next\n./millrace up starts it. See docs/backup.md for what"
                    + " becomes of jobs.")
            .operands("FILE")
            .parse(args);
    if (options.operands().size() != 1) {
      throw options.wrong("it takes one file");
    }
    Home home = HomeOption.of(options);
    Path file = Path.of(options.operands().get(0)).toAbsolutePath().normalize();
    if (!Files.exists(file)) {
      throw new NoSuchFileException(file.toString());
    }
    new Restore(home, file, console).run();
    return 0;
  }

  private void run() throws IOException {
    requireFree();
    Path unpacked = unpacked(home.root());
    ArchiveReader reader;
    try (FileChannel channel = own(unpacked.resolve("lock"))) {
      try {
        // Another process may have created a home here since the first check.
        requireFree();
        reader = unpack(unpacked.resolve("tree"));
      } finally {
        // Only while the lock is held: otherwise this may be the folder of a concurrent restore.
        FolderTree.delete(unpacked);
      }
    }
    if (HomeOwner.isCallers(home.root())) {
      // Last, so that until here only the caller can put files there. A folder that another user
      // made keeps its rights.
      FileRights.of(reader.about()).give(home.root(), false);
    }
    console.say(
        reader.files()
            + " files, as they were at "
            + reader.about().getProperty("written")
            + ", are in "
            + home.root()
            + "; ./millrace up starts it");
  }

  private ArchiveReader unpack(Path tree) throws IOException {
    if (Files.exists(tree)) {
      FolderTree.delete(tree);
    }
    Files.createDirectory(tree);
    console.busy("reading " + file);
    ArchiveReader reader = new ArchiveReader(file, tree);
    reader.unpack();
    FileRights.of(reader.about()); // or it is refused before anything of it is there
    markSpools(tree.resolve("spool"));
    adopt(tree);
    return reader;
  }

  /**
   * Takes the lock. The kernel releases it when the process dies, but also when this process closes
   * a second handle of the file. Therefore the file is recognised by its length, without opening
   * it.
   *
   * @throws IOException when another restore holds it, or has just deleted it with its folder
   */
  static FileChannel own(Path lock) throws IOException {
    FileChannel channel = LockFile.open(lock);
    try {
      if (channel.tryLock() != null) {
        // One byte after a hole.
        long length = ThreadLocalRandom.current().nextLong(1, LENGTH_MAX);
        channel.truncate(0).write(ByteBuffer.allocate(1), length - 1);
        if (Files.exists(lock) && Files.size(lock) == length) {
          return channel;
        }
      }
      throw new IOException("another restore into " + lock.getParent().getParent() + " is at work");
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  /**
   * The folder to unpack into. Only its owner can read it, because keys and topics are unpacked
   * first.
   */
  static Path unpacked(Path home) throws IOException {
    Path folder = home.resolve(Home.RESTORE);
    Files.createDirectories(home);
    if (!Files.exists(folder)) {
      Files.createDirectory(folder, ArchiveReader.rights("rwx------"));
    }
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
    return folder;
  }

  private void requireFree() throws IOException {
    if (!isFree()) {
      throw new IOException(
          home.root() + " is not empty: restore into another --home, or move it away before");
    }
  }

  private boolean isFree() throws IOException {
    if (FolderTree.isFree(home.root())) {
      return true;
    }
    try (Stream<Path> entries = Files.list(home.root())) {
      return entries.allMatch(entry -> entry.endsWith(Home.RESTORE));
    }
  }

  private static void markSpools(Path spools) throws IOException {
    if (Files.exists(spools)) {
      try (Stream<Path> hosts = Files.list(spools)) {
        for (Path host : hosts.filter(Files::isDirectory).toList()) {
          Files.writeString(host.resolve("boot"), NO_BOOT);
        }
      }
    }
  }

  private void adopt(Path tree) throws IOException {
    List<Path> entries;
    try (Stream<Path> all = Files.list(tree)) {
      entries = new ArrayList<>(all.toList());
    }
    entries.sort(Comparator.comparing(entry -> entry.endsWith(LAST)));
    for (Path entry : entries) {
      Files.move(entry, home.root().resolve(entry.getFileName()));
    }
  }
}
