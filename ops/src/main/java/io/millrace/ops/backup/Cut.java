package io.millrace.ops.backup;

import io.millrace.ops.backup.Kept.Kind;
import io.millrace.ops.backup.Kept.Rights;
import io.millrace.ops.home.FolderTree;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The files of a home as they are at one moment. While the parts stand still, what only grows gets
 * a further link, and the rest, which is small, is copied: a matter of milliseconds. Reading all of
 * it may take its time after that.
 */
final class Cut implements AutoCloseable {

  /** Clients wait that long; none gives up by then. */
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final Path home;
  private final Path gathered;
  private final List<Kept> kept = new ArrayList<>();
  private final long begunNanos = System.nanoTime();

  private Cut(Path home) {
    this.home = home;
    this.gathered = home.resolve(HomeContents.GATHERED);
  }

  /**
   * @param atWork whether somebody waits for the end of it
   */
  static Cut of(Path home, boolean atWork) throws IOException {
    Cut cut = new Cut(home);
    try {
      cut.gather(atWork);
      return cut;
    } catch (IOException e) {
      cut.close();
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
  List<Kept> kept() {
    return kept;
  }

  @Override
  public void close() throws IOException {
    clear(home);
  }

  private void gather(boolean atWork) throws IOException {
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
            if (atWork && System.nanoTime() - begunNanos > PATIENCE_NANOS) {
              throw new IOException(
                  "the parts would stand still for more than "
                      + TimeUnit.NANOSECONDS.toSeconds(PATIENCE_NANOS)
                      + " s: back up after ./millrace down");
            }
            beside = names(folder);
            kept.add(new Kept(name.toString(), folder, Kind.FOLDER, 0, Rights.of(folder)));
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
    try {
      BasicFileAttributes attributes =
          Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      Rights rights = Rights.of(file);
      if (attributes.isSymbolicLink()) {
        kept.add(new Kept(name.toString(), file, Kind.LINK, 0, rights));
      } else if (attributes.isRegularFile()) {
        Path own = gathered.resolve(Integer.toString(kept.size()));
        boolean linked = HomeContents.onlyGrows(name, attributes.size()) && link(file, own);
        if (!linked) {
          Files.copy(file, own, LinkOption.NOFOLLOW_LINKS);
        }
        // Of a file that grows the length now, of a copy its own.
        long bytes = Files.size(own);
        kept.add(new Kept(name.toString(), own, Kind.FILE, bytes, rights));
      }
    } catch (NoSuchFileException e) {
      goneMeanwhile(e);
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
