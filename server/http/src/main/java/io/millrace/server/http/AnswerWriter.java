package io.millrace.server.http;

import java.io.IOException;
import java.io.OutputStream;

/** Writes the body of an answer that may be larger than what is held of it. */
public interface AnswerWriter {

  /**
   * Writes all of it; may wait until the client takes what was written before. It can be called
   * when nothing was sent yet, so that a failure before the first 64 KiB is answered as one.
   *
   * @throws IOException when the client has gone
   */
  void write(OutputStream body) throws IOException;
}
