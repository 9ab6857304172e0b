package io.millrace.schemas;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDirFactory;

/**
 * Temporary folders of tests that have thousands of writes made durable and never lose the machine
 * in between: in memory, where that waits for no disk, or as usual where there is no such place.
 */
public final class MemoryFolder implements TempDirFactory {
  private static final Path MEMORY = Path.of("/dev/shm");

  @Override
  public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext test)
      throws IOException {
    return Files.isWritable(MEMORY)
        ? Files.createTempDirectory(MEMORY, "millrace-test")
        : Files.createTempDirectory("millrace-test");
  }
}
