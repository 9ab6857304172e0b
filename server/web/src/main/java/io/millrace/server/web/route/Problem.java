package io.millrace.server.web.route;

import io.millrace.schemas.pbs.PbsError;
import io.millrace.server.http.HttpAnswer;

/** A request that is not answered as it was meant. */
public final class Problem extends Exception {
  private static final long serialVersionUID = 1L;

  private final int status;
  private final PbsError error;

  /**
   * @param status HTTP's status
   * @param error PBS's number for it
   * @param text one line
   */
  public Problem(int status, PbsError error, String text) {
    super(text);
    this.status = status;
    this.error = error;
  }

  static Problem bad(String text) {
    return new Problem(400, PbsError.INVALID_REQUEST, text);
  }

  public int status() {
    return status;
  }

  public PbsError error() {
    return error;
  }

  /** What the caller sees. */
  public HttpAnswer answer() {
    return JsonText.answer(status, JsonText.object().set("error", body()));
  }

  private com.fasterxml.jackson.databind.node.ObjectNode body() {
    return JsonText.object().put("code", error.code()).put("message", getMessage());
  }
}
