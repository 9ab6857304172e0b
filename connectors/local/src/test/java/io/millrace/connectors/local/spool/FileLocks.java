package io.millrace.connectors.local.spool;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Locks of files as the kernel has them. */
public final class FileLocks {

  private FileLocks() {}

  /** Whether other processes are kept off. */
  public static boolean has(Path file) throws IOException {
    Object inode = Files.getAttribute(file, "unix:ino");
    return Files.readAllLines(Path.of("/proc/locks")).stream()
        .anyMatch(it -> it.contains("POSIX") && it.contains(":" + inode + " "));
  }
}
