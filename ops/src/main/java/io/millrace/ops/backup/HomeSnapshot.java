package io.millrace.ops.backup;

import io.millrace.ops.backup.ArchivedFile.Kind;
import io.millrace.ops.backup.ArchivedFile.Rights;
import io.millrace.ops.home.FolderTree;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.FileSystemException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The files of a home as they are at one moment. While the parts stand still, what only grows gets
 * a further link, and the rest, which is small, is copied: a matter of milliseconds. Reading all of
 * it may take its time after that.
 */
final class HomeSnapshot implements AutoCloseable {

  private static final int PIECE = 1 << 20;

  private final Path home;
  private final Path gathered;
  private final List<ArchivedFile> kept = new ArrayList<>();
  private final Patience patience;

  private HomeSnapshot(Path home, Patience patience) {
    this.home = home;
    this.patience = patience;
    this.gathered = home.resolve(HomeContents.GATHERED);
  }

  /** Who waits for the end of it. */
  interface Patience {
    /**
     * @throws IOException when it took too long
     */
    void check() throws IOException;
  }

  /**
   * @param home without symbolic links above it or in its path
   * @param patience is looked at again and again
   * @throws IOException also when not all of the home would be in it
   */
  static HomeSnapshot of(Path home, Patience patience) throws IOException {
    HomeSnapshot snapshot = new HomeSnapshot(home, patience);
    try {
      snapshot.gather();
      snapshot.requireTopics();
      return snapshot;
    } catch (IOException e) {
      snapshot.close();
      throw e;
    }
  }

  /** What an interrupted backup left. */
  static void clear(Path home) throws IOException {
    Path left = home.resolve(HomeContents.GATHERED);
    if (Files.exists(left)) {
      FolderTree.delete(left);
    }
  }

  /** Folders before what is in them. */
  List<ArchivedFile> kept() {
    return kept;
  }

  @Override
  public void close() throws IOException {
    clear(home);
  }

  private void gather() throws IOException {
    Files.createDirectory(gathered);
    Files.walkFileTree(
        home,
        new SimpleFileVisitor<>() {
          private List<String> beside = List.of();

          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes)
              throws IOException {
            if (folder.equals(home)) {
              return FileVisitResult.CONTINUE;
            }
            Path name = home.relativize(folder);
            if (HomeContents.leftOut(name)) {
              return FileVisitResult.SKIP_SUBTREE;
            }
            patience.check();
            beside = names(folder);
            kept.add(new ArchivedFile(name.toString(), folder, Kind.FOLDER, 0, Rights.of(folder)));
            // A mark of how far the files beside it are whole: these may have more than it says.
            for (String mark : beside) {
              if (isMark(mark)) {
                consider(folder.resolve(mark));
              }
            }
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            if (!isMark(file.getFileName().toString())) {
              consider(file);
            }
            return FileVisitResult.CONTINUE;
          }

          private void consider(Path file) throws IOException {
            Path name = home.relativize(file);
            boolean open =
                name.startsWith("data")
                    && HomeContents.isOpenIndex(file.getFileName().toString(), beside);
            if (!HomeContents.leftOut(name) && !open) {
              take(file, name);
            }
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
            return goneMeanwhile(e);
          }
        });
  }

  /** The parts stand still; the supervisor of a run does not. */
  private static FileVisitResult goneMeanwhile(IOException e) throws IOException {
    if (e instanceof NoSuchFileException) {
      return FileVisitResult.CONTINUE;
    }
    throw e;
  }

  private static List<String> names(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }

  private static boolean isMark(String name) {
    return name.startsWith(".");
  }

  private void take(Path file, Path name) throws IOException {
    patience.check();
    try {
      BasicFileAttributes attributes =
          Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      Rights rights = Rights.of(file);
      if (attributes.isSymbolicLink()) {
        if (HomeContents.mustBeFolder(name) && Files.isDirectory(file)) {
          throw new IOException(
              file
                  + " is a symbolic link, and what it leads to would not be in the backup: make it"
                  + " a folder, or a mount");
        }
        kept.add(new ArchivedFile(name.toString(), file, Kind.LINK, 0, rights));
      } else if (attributes.isRegularFile()) {
        Path own = gathered.resolve(Integer.toString(kept.size()));
        boolean linked = HomeContents.onlyGrows(name, attributes.size()) && link(file, own);
        if (!linked) {
          copy(file, own);
        }
        // A linked file may grow while it is read: only the bytes that it has now belong to the
        // cut.
        long bytes = Files.size(own);
        kept.add(new ArchivedFile(name.toString(), own, Kind.FILE, bytes, rights));
      }
    } catch (NoSuchFileException e) {
      goneMeanwhile(e);
    }
  }

  private void copy(Path file, Path own) throws IOException {
    try (InputStream in = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS);
        OutputStream out = Files.newOutputStream(own, StandardOpenOption.CREATE_NEW)) {
      byte[] piece = new byte[PIECE];
      for (int read; (read = in.readNBytes(piece, 0, PIECE)) > 0; patience.check()) {
        out.write(piece, 0, read);
      }
    }
  }

  /** A broker cannot start without them, however much else there is. */
  private void requireTopics() throws IOException {
    if (kept.stream().noneMatch(file -> HomeContents.isClusterMetadata(file.name()))) {
      throw new IOException(
          "there is no segment of __cluster_metadata in " + home + ": nothing could be restored");
    }
  }

  /** Not every file system has links, and not everybody may make one to another's file. */
  private static boolean link(Path file, Path own) throws IOException {
    try {
      Files.createLink(own, file);
      return true;
    } catch (NoSuchFileException e) {
      throw e;
    } catch (FileSystemException | UnsupportedOperationException e) {
      return false;
    }
  }
}
