package io.millrace.reservations.resources;

/** A request that is refused: PBS's error code, and PBS's text as the message. */
public final class RequestException extends Exception {
  private static final long serialVersionUID = 1L;

  /** Illegal attribute or resource value. */
  public static final int BAD_VALUE = 15014;

  /** Unknown resource. */
  public static final int UNKNOWN_RESOURCE = 15035;

  /** Specification of nodes= that says nothing usable. */
  public static final int BAD_NODES = 15089;

  /** The same resource twice in one chunk. */
  public static final int TWICE_IN_CHUNK = 15106;

  /** A resource that is not on the host stands in a select. */
  public static final int NOT_IN_SELECT = 15108;

  public static final String NOT_IN_SELECT_TEXT = "Resource invalid in \"select\" specification";

  /** A job-wide request of a resource beside select or place. */
  public static final int NOT_BESIDE_SELECT = 15109;

  /** nodes= beside select or place. */
  public static final int NODES_BESIDE_SELECT = 15110;

  /** place without select. */
  public static final int PLACE_WITHOUT_SELECT = 15111;

  private final int code;

  public RequestException(int code, String text) {
    super(text);
    this.code = code;
  }

  /** Code as in PBS's pbs_error.h; a command exits with code mod 256. */
  public int code() {
    return code;
  }

  static RequestException badValue(String where) {
    String text = "Illegal attribute or resource value";
    return new RequestException(BAD_VALUE, where.isEmpty() ? text : text + " " + where);
  }
}
