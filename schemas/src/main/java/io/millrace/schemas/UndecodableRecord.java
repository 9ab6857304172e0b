package io.millrace.schemas;

/** Bytes that are no record of the catalogue; the message says why in one line. */
public final class UndecodableRecord extends Exception {
  private static final long serialVersionUID = 1L;

  public UndecodableRecord(String message) {
    super(message);
  }

  public UndecodableRecord(String message, Throwable cause) {
    super(message, cause);
  }
}
