package io.millrace.schemas.pbs.resources;

import io.millrace.schemas.pbs.PbsError;

/** A request that is refused: PBS's error code, and PBS's text as the message. */
public final class RequestException extends Exception {
  private static final long serialVersionUID = 1L;

  private final int code;

  /** A refusal with PBS's text followed by the subject. */
  public RequestException(PbsError error, String subject) {
    super(error.text() + subject);
    this.code = error.code();
  }

  /** PBS's error number; see {@link PbsError}. */
  public int code() {
    return code;
  }

  static RequestException badValue(String where) {
    return new RequestException(PbsError.ILLEGAL_VALUE, where.isEmpty() ? "" : " " + where);
  }
}
