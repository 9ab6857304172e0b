package io.millrace.server.gateway.session;

import java.io.IOException;

/** What the gateway does for an invocation: all commands behind one door. */
public interface CommandHandler {

  /**
   * Carries out one invocation; called on a session thread, many at once.
   *
   * @return the exit status that the client's process ends with, 0 to 255
   * @throws IOException when the client went away or a request to it failed unexpectedly
   * @throws InterruptedException when the gateway stops
   */
  int run(Invocation invocation) throws IOException, InterruptedException;
}
