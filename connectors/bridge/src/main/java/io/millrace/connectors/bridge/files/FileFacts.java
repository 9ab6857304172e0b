package io.millrace.connectors.bridge.files;

import java.time.Instant;

/**
 * What is known of a file without a look into it.
 *
 * @param shape what it is
 * @param owner name of its owner, or his number where he has none
 * @param rights its nine bits
 * @param size bytes
 * @param modified when it was written to last
 */
public record FileFacts(FileShape shape, String owner, int rights, long size, Instant modified) {

  /** What a file can be. */
  public enum FileShape {
    REGULAR,
    FOLDER,
    OTHER
  }

  public boolean isFolder() {
    return shape == FileShape.FOLDER;
  }

  public boolean isRegular() {
    return shape == FileShape.REGULAR;
  }
}
