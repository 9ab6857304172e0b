package io.millrace.ops.home;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
  void aFolderWithFilesIsNotFree() throws IOException {
    assertTrue(FolderTree.isFree(place.resolve("absent")));
    assertTrue(FolderTree.isFree(place));
    Files.createFile(place.resolve("file"));
    assertFalse(FolderTree.isFree(place));
  }
}
