package io.millrace.ops.home;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Checks the owner of a home. He starts the parts, which run as him and write files there. */
public final class HomeOwner {

  private static final String USER = "unix:uid";

  private HomeOwner() {}

  /**
   * Accepts a folder that does not exist yet, or in which the parts' files belong to the caller.
   * The folder itself may belong to somebody else.
   *
   * @throws IOException in one line that names the owner
   */
  public static void require(Home home) throws IOException {
    for (Path written : List.of(home.settings(), home.settings().getParent())) {
      if (Files.exists(written)) {
        refuseOthers(home, written);
        return;
      }
    }
  }

  private static void refuseOthers(Home home, Path written) throws IOException {
    if (!isCallers(written)) {
      String owner = Files.getOwner(written).getName();
      throw new IOException(
          home.root()
              + " belongs to "
              + owner
              + ": only "
              + owner
              + " starts its parts, which run as whoever starts them (or chown -R the folder)");
    }
  }

  /** Whether a file or folder is the caller's own. */
  public static boolean isCallers(Path path) throws IOException {
    return Files.getAttribute(path, USER).equals(Files.getAttribute(Path.of("/proc/self"), USER));
  }
}
