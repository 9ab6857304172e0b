package io.millrace.server.client;

import java.io.IOException;

/** A way to the gateway: frames out, frames in. */
interface GatewayLink extends AutoCloseable {

  /** Sends bytes that are frames already. */
  void sendRaw(byte[] bytes, int length) throws IOException;

  void send(int frameType, byte[] bytes, int length) throws IOException;

  /**
   * Reads the next frame into {@link #type} and {@link #payload}.
   *
   * @throws IOException when the connection ended
   * @throws ProtocolViolation when the frame is none
   */
  void receive() throws IOException;

  int type();

  byte[] payload();

  @Override
  void close() throws IOException;
}
