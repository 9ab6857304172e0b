package io.millrace.server.core.decision;

import io.millrace.schemas.pbs.PbsError;

/** Something is refused, with PBS's code and PBS's text as the message. */
public class PbsRefusal extends Exception {
  private static final long serialVersionUID = 1L;

  private final int code;

  public PbsRefusal(int code, String text) {
    super(text, null, false, false);
    this.code = code;
  }

  public PbsRefusal(PbsError error) {
    this(error.code(), error.text());
  }

  public PbsRefusal(PbsError error, String subject) {
    this(error.code(), error.text(subject));
  }

  public int code() {
    return code;
  }
}
