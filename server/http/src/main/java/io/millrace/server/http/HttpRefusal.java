package io.millrace.server.http;

/** Why a request was not carried out, or may not have been, before its service could say so. */
public enum HttpRefusal {
  /** What came is no request. */
  NOT_HTTP(400),

  /** The body is larger than {@link HttpLimits#bodyBytes}. */
  TOO_LARGE(413),

  /** All requests, or all answers, together hold all that they may. */
  NO_MEMORY(503),

  /** No thread is free, and too many requests wait for one. */
  BUSY(503),

  /** It took longer than {@link HttpLimits.HttpTimeLimits#work}; it may still be carried out. */
  LATE(504),

  /** A failure that nobody expected; it is in the log. */
  INTERNAL(500);

  private final int status;

  HttpRefusal(int status) {
    this.status = status;
  }

  /** HTTP's status that says it. */
  public int status() {
    return status;
  }
}
