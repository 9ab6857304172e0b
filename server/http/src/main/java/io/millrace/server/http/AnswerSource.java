package io.millrace.server.http;

/** Where an answer comes from that has no end of its own. */
public interface AnswerSource {

  /** Begins; returns at once. */
  void begin(AnswerSink sink);

  /** The other end has gone, or was closed; called once. */
  void gone();
}
