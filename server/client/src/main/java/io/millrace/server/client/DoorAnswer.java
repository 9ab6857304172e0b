package io.millrace.server.client;

import java.nio.charset.StandardCharsets;

/** What the door has answered to one request. */
final class DoorAnswer {
  private final int status;
  private final byte[] body;

  DoorAnswer(int status, byte[] body) {
    this.status = status;
    this.body = body;
  }

  int status() {
    return status;
  }

  byte[] body() {
    return body;
  }

  String text() {
    return new String(body, StandardCharsets.UTF_8);
  }

  /** Also what a proxy says whose door is not there. */
  boolean isBusy() {
    return status == 429 || status == 503 || status == 504;
  }

  /** What the door says, when it is our door that says it. */
  String message() {
    String all = text();
    String name = "\"message\":\"";
    int from = all.indexOf(name);
    int to = all.lastIndexOf("\"}}");
    return from < 0 || to < from
        ? "HTTP " + status
        : all.substring(from + name.length(), to).replace("\\\"", "\"").replace("\\\\", "\\");
  }
}
