package io.millrace.server.gateway.session;

import java.io.IOException;

/** A file holds more bytes than the reader is willing to take. */
public final class FileTooLargeException extends IOException {
  private static final long serialVersionUID = 1L;
  private final int maxBytes;

  /** A refusal that names the bound in bytes. */
  public FileTooLargeException(String path, int maxBytes) {
    super(path + ": larger than " + maxBytes + " bytes");
    this.maxBytes = maxBytes;
  }

  /** The largest content that would have been accepted, in bytes. */
  public int maxBytes() {
    return maxBytes;
  }
}
