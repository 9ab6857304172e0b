package io.millrace.server.gateway.session;

import java.io.IOException;
import java.time.Duration;

/** Frames both ways, each read within a limit. */
interface FrameChannel {

  /** One frame as it came. */
  record Frame(int type, byte[] payload) {}

  /** Starts a time limit that covers several operations, until {@link #disarm}. */
  void arm(Duration limit);

  void disarm();

  /** The next frame, within the limit. */
  Frame receive(Duration limit) throws IOException;

  /** The next frame, within the limit that is armed. */
  Frame receive() throws IOException;

  /** Adds a frame to what {@link #flush} sends. */
  void send(int type, byte[] payload, int from, int length) throws IOException;

  default void send(int type, byte[] payload) throws IOException {
    send(type, payload, 0, payload.length);
  }

  void flush() throws IOException;

  /** Whether the other end is closed; does not block. */
  boolean peerClosed();

  /** Whether this end is open. */
  boolean isOpen();
}
