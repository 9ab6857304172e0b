package io.millrace.server.gateway.query;

/** A question that was not answered; the message says in one line which and why. */
public class QueryException extends Exception {
  private static final long serialVersionUID = 1L;

  public QueryException(String message) {
    super(message);
  }
}
