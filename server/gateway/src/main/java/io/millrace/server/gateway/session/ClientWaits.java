package io.millrace.server.gateway.session;

/**
 * Told by the thread of a session before and after it waits for its client to take what was said,
 * so that it holds nothing meanwhile that others want.
 */
public interface ClientWaits {

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
