package io.millrace.schemas.door;

import java.io.IOException;

/** The body of an answer is longer than its bound. */
public final class AnswerTooLong extends IOException {
  private static final long serialVersionUID = 1L;

  public AnswerTooLong(long most) {
    super("more than " + most + " bytes");
  }
}
