package io.millrace.connectors.oar;

/** Asks OAR's REST API. Tests put faults and recordings in its place. */
public interface OarExchange {

  /** Sends a request once; never throws for what becomes of it. */
  OarAnswer ask(OarRequest request) throws InterruptedException;
}
