package io.millrace.ops.log;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** Who may read a log: the owner of the home and its group, nobody else. */
public final class LogMode {

  private static final Set<PosixFilePermission> MODE = PosixFilePermissions.fromString("rw-r-----");

  private LogMode() {}

  /** Makes a log file unless it exists, so that it never was open to others. */
  public static void create(Path file) throws IOException {
    Set<StandardOpenOption> made = Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    Files.newByteChannel(file, made, PosixFilePermissions.asFileAttribute(MODE)).close();
  }
}
