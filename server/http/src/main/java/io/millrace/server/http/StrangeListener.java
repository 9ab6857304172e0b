package io.millrace.server.http;

import java.io.IOException;

/** Another account listens where a service of ours should; it was told nothing. */
public final class StrangeListener extends IOException {
  private static final long serialVersionUID = 1L;

  StrangeListener(String message) {
    super(message);
  }
}
