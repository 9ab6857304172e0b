package io.millrace.connectors.bridge.container;

import io.millrace.connectors.bridge.files.FilesUnreached;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;

/**
 * Which container a cluster was in so far. Another one of its name can have the cluster's files or
 * none of them, and would say of each job that it has never been.
 */
final class ContainerMark {

  private final Optional<Path> file;
  private String known = "";

  /**
   * @param file that remembers it beyond this process; empty where this process alone does
   */
  ContainerMark(Optional<Path> file) {
    this.file = file;
  }

  /**
   * @throws FilesUnreached where it was another one
   */
  synchronized void require(RunningContainer at) throws FilesUnreached {
    String before = known();
    if (!before.isEmpty() && !before.equals(at.id())) {
      throw new FilesUnreached(
          "container "
              + at.name()
              + " is another one ("
              + RunningContainer.brief(at.id())
              + ") than before ("
              + RunningContainer.brief(before)
              + "); if it has that one's state and spool, "
              + file.map(it -> "remove " + it).orElse("start this process anew"));
    }
  }

  private String known() throws FilesUnreached {
    try {
      return file.isEmpty()
          ? known
          : Files.exists(file.get()) ? Files.readString(file.get()).strip() : "";
    } catch (IOException e) {
      throw unreadable(e);
    }
  }

  private FilesUnreached unreadable(IOException e) {
    return new FilesUnreached(
        "which container it was cannot be told: " + e + "; see " + file.orElseThrow(), e);
  }

  /** From here on it is this one. */
  synchronized void remember(RunningContainer at) throws FilesUnreached {
    known = at.id();
    if (file.isEmpty()) {
      return;
    }
    try {
      Path fresh = file.get().resolveSibling(file.get().getFileName() + ".new");
      Files.write(fresh, (at.id() + "\n").getBytes(StandardCharsets.US_ASCII));
      Files.move(fresh, file.get(), StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw unreadable(e);
    }
  }
}
