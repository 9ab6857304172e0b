package io.millrace.connectors.bridge.files;

import java.io.IOException;

/** The host of the files is not reached: nothing is known of any file, and nothing follows. */
public class FilesUnreached extends IOException {
  private static final long serialVersionUID = 1L;

  public FilesUnreached(String message) {
    super(message);
  }

  public FilesUnreached(String message, Throwable cause) {
    super(message, cause);
  }
}
