package io.millrace.ops.home;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Whose a home is: who starts its parts, which run as him and write files there. */
public final class HomeOwner {

  private static final String USER = "unix:uid";

  private HomeOwner() {}

  /**
   * Passes a folder that is not there yet, and the caller's own.
   *
   * @throws IOException in one line that names the owner
   */
  public static void require(Home home) throws IOException {
    if (Files.exists(home.root()) && !isCallers(home.root())) {
      String owner = Files.getOwner(home.root()).getName();
      throw new IOException(
          home.root()
              + " belongs to "
              + owner
              + ": only "
              + owner
              + " starts its parts, which run as whoever starts them");
    }
  }

  /** Whether a file or folder is the caller's own. */
  public static boolean isCallers(Path path) throws IOException {
    return Files.getAttribute(path, USER).equals(Files.getAttribute(Path.of("/proc/self"), USER));
  }
}
