package io.millrace.ops.home;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** Operations on a folder with all its content. */
public final class FolderTree {

  private static final int TRIES_MAX = 10;
  private static final long PAUSE_NANOS = 20_000_000;

  private FolderTree() {}

  /** Whether the folder does not exist or is empty. */
  public static boolean isFree(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return true;
    }
    try (Stream<Path> entries = Files.list(folder)) {
      return entries.findAny().isEmpty();
    }
  }

  /**
   * Deletes the folder with its content. Files that disappear meanwhile are no error, and symbolic
   * links are not followed.
   *
   * @throws java.nio.file.DirectoryNotEmptyException when files keep being created there
   */
  public static void delete(Path folder) throws IOException {
    for (int tried = 1; ; tried++) {
      try {
        deleteAll(folder);
        return;
      } catch (DirectoryNotEmptyException e) {
        // A process that was told to end may have written a file after the walk had passed.
        if (tried == TRIES_MAX) {
          throw e;
        }
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }
  }

  private static void deleteAll(Path folder) throws IOException {
    Files.walkFileTree(
        folder,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.deleteIfExists(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
            if (e instanceof NoSuchFileException) {
              return FileVisitResult.CONTINUE;
            }
            throw e;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path visited, IOException e)
              throws IOException {
            if (e != null && !(e instanceof NoSuchFileException)) {
              throw e;
            }
            Files.deleteIfExists(visited);
            return FileVisitResult.CONTINUE;
          }
        });
  }
}
