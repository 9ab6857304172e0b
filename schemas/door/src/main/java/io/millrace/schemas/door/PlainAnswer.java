package io.millrace.schemas.door;

/** What a door has answered to one request. */
public final class PlainAnswer {
  private final int status;
  private final byte[] body;

  PlainAnswer(int status, byte[] body) {
    this.status = status;
    this.body = body;
  }

  public int status() {
    return status;
  }

  /** Empty when there is none. */
  public byte[] body() {
    return body;
  }
}
