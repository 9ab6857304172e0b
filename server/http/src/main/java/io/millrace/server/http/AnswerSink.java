package io.millrace.server.http;

/** The open end of an answer that has no end of its own. */
public interface AnswerSink {

  /**
   * Sends some more, at once and whole.
   *
   * @return false when the other end does not take what was sent before, or has gone
   */
  boolean offer(byte[] bytes);

  /** Whether the other end takes what it is sent. */
  boolean writable();

  /** Whether there is another end. */
  boolean open();

  /** Sends the last of it, if it can be sent soon, and closes. */
  void end(byte[] last);
}
