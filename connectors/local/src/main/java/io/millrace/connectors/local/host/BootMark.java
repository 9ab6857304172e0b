package io.millrace.connectors.local.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A file in the spool with the boot id of the host, present while an executor uses the spool. It
 * shows whether the spool may be out of date: after a power cut, files that were not forced to the
 * disk are as they were some seconds before, each at its own time.
 */
public final class BootMark {
  /** The word that a restore from a backup writes in place of a boot's id. */
  private static final String RESTORED = "restored";

  private BootMark() {}

  /**
   * Whether the last executor was not closed and the host was booted since, or the spool was
   * restored from a backup and so is out of date even if it was durable.
   */
  public static boolean doubtful(Path spool, boolean durable) throws IOException {
    Path file = file(spool);
    if (!Files.exists(file)) {
      return false;
    }
    String boot = Files.readString(file).strip();
    return boot.equals(RESTORED) || !durable && !boot.equals(HostProcesses.bootId());
  }

  public static void set(Path spool) throws IOException {
    HostClaim.write(file(spool), HostProcesses.bootId() + "\n");
  }

  /**
   * Removes the mark when the position is on the disk, so that no order that was carried out is
   * read again.
   */
  public static void clear(Path spool) throws IOException {
    Files.deleteIfExists(file(spool));
  }

  private static Path file(Path spool) {
    return spool.resolve("boot");
  }
}
