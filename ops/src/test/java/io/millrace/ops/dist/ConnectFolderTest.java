package io.millrace.ops.dist;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ConnectFolderTest {

  @TempDir Path folder;
  private Path made;
  private Path lib;
  private Path target;

  @BeforeEach
  void prepare() throws IOException {
    made = Files.createDirectory(folder.resolve("made"));
    lib = Files.createDirectory(folder.resolve("lib"));
    target = folder.resolve("connect/millrace");
    Files.writeString(made.resolve("millrace-connect-1.jar"), "ours");
    Files.writeString(made.resolve("avro-2.jar"), "avro");
    Files.writeString(lib.resolve("avro-2.jar"), "avro");
  }

  @Test
  void itHasWhatTheBuildHasMadeAndNothingElse() throws IOException {
    Files.createDirectories(target);
    Files.writeString(target.resolve("avro-1.jar"), "old");
    ConnectFolder.copy(made, lib, target);
    assertEquals("ours", Files.readString(target.resolve("millrace-connect-1.jar")));
    assertFalse(Files.exists(target.resolve("avro-1.jar")));
    Files.writeString(target.resolve("avro-2.jar"), "touched");
    FileTime same = Files.getLastModifiedTime(made.resolve("avro-2.jar"));
    Files.setLastModifiedTime(target.resolve("avro-2.jar"), same);
    ConnectFolder.copy(made, lib, target);
    assertEquals("touched", Files.readString(target.resolve("avro-2.jar")), "copied again");
  }

  @Test
  void aJarThatTheDistributionHasNotIsRefused() throws IOException {
    Files.delete(lib.resolve("avro-2.jar"));
    String said =
        assertThrows(IOException.class, () -> ConnectFolder.copy(made, lib, target)).getMessage();
    assertEquals("avro-2.jar is for Kafka Connect only: nothing is known of its licence", said);
  }
}
