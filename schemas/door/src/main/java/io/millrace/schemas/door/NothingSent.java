package io.millrace.schemas.door;

import java.io.IOException;

/** A request did not leave this process. */
public class NothingSent extends IOException {
  private static final long serialVersionUID = 1L;

  NothingSent(String message) {
    super(message);
  }

  NothingSent(String message, IOException cause) {
    super(message, cause);
  }
}
