package io.millrace.server.gateway.session;

import java.io.IOException;

/** Carries out invocations: the one interface to all commands. */
public interface CommandHandler {

  /**
   * Carries out one invocation; called on a session thread, many at once.
   *
   * @return the exit status that the client's process ends with, 0 to 255
   * @throws IOException of a request to the client that the command did not expect to fail: the
   *     user sees its message, exit status 1
   * @throws InterruptedException when the gateway stops: the client repeats the invocation
   * @throws ClientGoneException passed on from the invocation: nobody is left to tell
   */
  int run(Invocation invocation) throws IOException, InterruptedException;

  /**
   * Told by the thread of a session before and after it waits for its client to take what was said,
   * so that it holds nothing meanwhile that others want.
   */
  interface ClientWaits {

    /** Nobody wants to know. */
    ClientWaits UNHEARD =
        new ClientWaits() {
          @Override
          public void begin() {
            // Nothing is held.
          }

          @Override
          public void end() {
            // Nothing was given back.
          }
        };

    void begin();

    void end();
  }
}
