package io.millrace.server.gateway.session;

import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * The connection to the client ended or was given up. Unchecked, so that a command which turns an
 * {@link IOException} of a file into a message does not take the loss of its client for one; a
 * command lets it pass, and the client repeats the invocation if it still lives.
 */
public final class ClientGoneException extends UncheckedIOException {
  private static final long serialVersionUID = 1L;

  public ClientGoneException(String message, IOException cause) {
    super(message, cause);
  }
}
