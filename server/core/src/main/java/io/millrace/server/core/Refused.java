package io.millrace.server.core;

/** Something is refused, with PBS's code and PBS's text as the message. */
public final class Refused extends Exception {
  private static final long serialVersionUID = 1L;

  private final int code;

  public Refused(int code, String text) {
    super(text, null, false, false);
    this.code = code;
  }

  public Refused(PbsError error) {
    this(error.code(), error.text());
  }

  public Refused(PbsError error, String subject) {
    this(error.code(), error.text(subject));
  }

  public int code() {
    return code;
  }
}
