package io.millrace.connectors.local.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A file of the spool that names the boot of the host in which an executor uses it, for as long as
 * it does. It tells whether the spool may be older than what was done: what is not forced to the
 * disk comes back from a power cut as it was some seconds before, each file and directory at its
 * own time.
 */
public final class BootMark {
  /** The word that a restore from a backup writes in place of a boot's id. */
  private static final String RESTORED = "restored";

  private BootMark() {}

  /**
   * Whether the last executor was not closed, and the host was started anew since; or the spool
   * comes from a backup, and so is older than what was done, however durable it was.
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

  /** The position is on the disk: what was carried out does not come again. */
  public static void clear(Path spool) throws IOException {
    Files.deleteIfExists(file(spool));
  }

  private static Path file(Path spool) {
    return spool.resolve("boot");
  }
}
