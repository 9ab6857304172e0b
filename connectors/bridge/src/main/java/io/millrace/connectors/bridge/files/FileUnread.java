package io.millrace.connectors.bridge.files;

import java.io.IOException;

/** One file cannot be read: nothing is known of it, and others may well be. */
public final class FileUnread extends IOException {
  private static final long serialVersionUID = 1L;

  /** What keeps it from being read. */
  public enum UnreadCause {
    /** An error of its own, as of a disk. */
    FAULT,
    /** No answer came in time. */
    SLOW,
    /** It is not looked at for a while, for the sake of others. */
    SKIPPED
  }

  private final UnreadCause why;

  public FileUnread(UnreadCause why, String message) {
    super(message);
    this.why = why;
  }

  public FileUnread(UnreadCause why, String message, Throwable cause) {
    super(message, cause);
    this.why = why;
  }

  public UnreadCause why() {
    return why;
  }
}
