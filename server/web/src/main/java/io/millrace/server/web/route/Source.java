package io.millrace.server.web.route;

/** Where an answer comes from that has no end of its own. */
public interface Source {

  /** Begins; returns at once. */
  void begin(Sink sink);

  /** The other end has gone, or was closed; called once. */
  void gone();
}
