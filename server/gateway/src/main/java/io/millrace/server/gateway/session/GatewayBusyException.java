package io.millrace.server.gateway.session;

import java.io.IOException;

/** There is no session slot for the invocation now: its client is told to try again. */
public final class GatewayBusyException extends IOException {
  private static final long serialVersionUID = 1L;

  public GatewayBusyException(String message) {
    super(message);
  }
}
