package io.millrace.server.unprivileged;

import java.io.IOException;

/** Rights cannot be dropped, so that nothing is started; the message is one line. */
public final class RightsKept extends IOException {

  private static final long serialVersionUID = 1L;

  RightsKept(String message) {
    super(message);
  }
}
