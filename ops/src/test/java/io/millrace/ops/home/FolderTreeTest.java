package io.millrace.ops.home;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Deleting a folder, and which one may be deleted. */
class FolderTreeTest {

  @TempDir Path place;

  @Test
  void deletesWhatIsInsideAndNothingElse() throws IOException {
    Path outside = Files.createDirectories(place.resolve("outside"));
    Files.writeString(outside.resolve("file"), "stays");
    Path folder = Files.createDirectories(place.resolve("folder/inner"));
    Files.writeString(folder.resolve("file"), "goes");
    Files.createSymbolicLink(folder.resolve("link"), outside);
    FolderTree.delete(place.resolve("folder"));
    assertFalse(Files.exists(place.resolve("folder")));
    assertTrue(Files.exists(outside.resolve("file")));
  }

  @Test
  void twoMayDeleteTheSame() throws Exception {
    for (int round = 0; round < 20; round++) {
      Path folder = Files.createDirectory(place.resolve("both"));
      for (int i = 0; i < 50; i++) {
        Files.writeString(Files.createDirectory(folder.resolve("d" + i)).resolve("file"), "goes");
      }
      CompletableFuture<Void> other = CompletableFuture.runAsync(() -> delete(folder));
      delete(folder);
      other.get(60, TimeUnit.SECONDS);
      assertFalse(Files.exists(folder));
    }
  }

  @Test
  void whatIsPutThereMeanwhileIsDeletedToo() throws Exception {
    for (int round = 0; round < 20; round++) {
      Path folder = Files.createDirectory(place.resolve("filled" + round));
      Files.createFile(folder.resolve("first"));
      CompletableFuture<Void> writer = CompletableFuture.runAsync(() -> fill(folder));
      delete(folder);
      writer.get(60, TimeUnit.SECONDS);
      assertFalse(Files.exists(folder));
    }
  }

  /** Adds files while the folder exists, but not for ever. */
  private static void fill(Path folder) {
    try {
      for (int i = 0; i < 500; i++) {
        Files.createFile(folder.resolve("file" + i));
      }
    } catch (NoSuchFileException e) {
      // The folder is gone.
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void delete(Path folder) {
    try {
      FolderTree.delete(folder);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void aFolderWithFilesIsNotFree() throws IOException {
    assertTrue(FolderTree.isFree(place.resolve("absent")));
    assertTrue(FolderTree.isFree(place));
    Files.createFile(place.resolve("file"));
    assertFalse(FolderTree.isFree(place));
  }
}
