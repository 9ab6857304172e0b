package io.millrace.server.gateway.query;

/** The gateway has no room for an answer; the message says in one line whose room is full. */
public final class NoRoomException extends QueryException {
  private static final long serialVersionUID = 1L;

  NoRoomException(String message) {
    super(message);
  }
}
