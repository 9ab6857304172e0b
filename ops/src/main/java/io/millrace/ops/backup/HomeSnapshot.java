package io.millrace.ops.backup;

import io.millrace.ops.backup.ArchivedFile.ArchivedFileKind;
import io.millrace.ops.backup.ArchivedFile.FileRights;
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
 * The files of a home at one moment. While the parts are stopped, files that only grow are
 * hard-linked and the rest, which is small, is copied; that takes milliseconds. The content is read
 * afterwards, while the parts run.
 */
final class HomeSnapshot implements AutoCloseable {

  private static final int PIECE = 1 << 20;

  private final Path home;
  private final Path gathered;
  private final List<ArchivedFile> kept = new ArrayList<>();
  private final SnapshotTimeLimit patience;

  private HomeSnapshot(Path home, SnapshotTimeLimit patience) {
    this.home = home;
    this.patience = patience;
    this.gathered = home.resolve(HomeContents.GATHERED);
  }

  /** Limits the time that a snapshot may take. */
  interface SnapshotTimeLimit {
    /**
     * @throws IOException when it took too long
     */
    void check() throws IOException;
  }

  /**
   * @param home without symbolic links above it or in its path
   * @param patience checked again and again while the snapshot is taken
   * @throws IOException also when part of the home would be missing from it
   */
  static HomeSnapshot of(Path home, SnapshotTimeLimit patience) throws IOException {
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

  /** Deletes what an interrupted backup has left. */
  static void clear(Path home) throws IOException {
    Path left = home.resolve(HomeContents.GATHERED);
    if (Files.exists(left)) {
      FolderTree.delete(left);
    }
  }

  /** The files, each folder before its content. */
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
            kept.add(
                new ArchivedFile(
                    name.toString(), folder, ArchivedFileKind.FOLDER, 0, FileRights.of(folder)));
            // A checkpoint says up to where the files beside it are complete; these may contain
            // more than it says.
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

  /**
   * A file that has disappeared since the walk saw it; the parts are stopped, but the supervisor of
   * a run is not.
   */
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
      FileRights rights = FileRights.of(file);
      if (attributes.isSymbolicLink()) {
        if (HomeContents.mustBeFolder(name) && Files.isDirectory(file)) {
          throw new IOException(
              file
                  + " is a symbolic link, and what it leads to would not be in the backup: make it"
                  + " a folder, or a mount");
        }
        kept.add(new ArchivedFile(name.toString(), file, ArchivedFileKind.LINK, 0, rights));
      } else if (attributes.isRegularFile()) {
        Path own = gathered.resolve(Integer.toString(kept.size()));
        boolean linked = HomeContents.onlyGrows(name, attributes.size()) && link(file, own);
        if (!linked) {
          copy(file, own);
        }
        // A linked file may grow while it is read; only its present bytes belong to the snapshot.
        long bytes = Files.size(own);
        kept.add(new ArchivedFile(name.toString(), own, ArchivedFileKind.FILE, bytes, rights));
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

  /** Refuses a home without topics, with which a broker cannot start. */
  private void requireTopics() throws IOException {
    if (kept.stream().noneMatch(file -> HomeContents.isClusterMetadata(file.name()))) {
      throw new IOException(
          "there is no segment of __cluster_metadata in " + home + ": nothing could be restored");
    }
  }

  /** Makes a hard link; false when the file system has none, or the file is another user's. */
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
