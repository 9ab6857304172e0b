package io.millrace.server.web.route;

/** A request that is not answered as it was meant. */
public final class Problem extends Exception {
  private static final long serialVersionUID = 1L;

  /** PBS's codes that are used here. */
  public static final int UNKNOWN_JOB = 15001;

  public static final int INVALID_REQUEST = 15004;
  public static final int UNAUTHORIZED = 15007;
  public static final int INTERNAL = 15011;
  public static final int BAD_CREDENTIAL = 15019;
  public static final int UNKNOWN_QUEUE = 15018;
  public static final int PROTOCOL = 15031;
  public static final int UNKNOWN_NODE = 15062;
  public static final int NO_SERVER = 15034;

  private final int status;
  private final int code;

  /**
   * @param status HTTP's status
   * @param code PBS's code
   * @param text one line
   */
  public Problem(int status, int code, String text) {
    super(text);
    this.status = status;
    this.code = code;
  }

  static Problem bad(String text) {
    return new Problem(400, INVALID_REQUEST, text);
  }

  public int status() {
    return status;
  }

  public int code() {
    return code;
  }

  /** What the caller sees. */
  public Answer answer() {
    return Answer.json(status, JsonText.object().set("error", error()));
  }

  private com.fasterxml.jackson.databind.node.ObjectNode error() {
    return JsonText.object().put("code", code).put("message", getMessage());
  }
}
