package io.millrace.server.client;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * What a MUNGE credential says of the one HTTP request that it is for: whoever takes it away can
 * use it for nothing else, at no other cluster. docs/http.md has the lines.
 */
public final class SignedRequest {

  private static final String HEX = "0123456789abcdef";

  private SignedRequest() {}

  /**
   * The payload of the credential.
   *
   * @param cluster id of the cluster, as it is told to everybody
   * @param method for example POST
   * @param target path and query as they are sent
   * @param idempotencyKey value of that header; empty without one
   */
  public static String text(
      String cluster, String method, String target, String idempotencyKey, byte[] body) {
    StringBuilder text = new StringBuilder("millrace-http-1\n");
    text.append(cluster).append('\n');
    text.append(method).append('\n');
    text.append(target).append('\n');
    text.append(idempotencyKey).append('\n');
    for (byte each : sha256(body)) {
      text.append(HEX.charAt(each >> 4 & 15)).append(HEX.charAt(each & 15));
    }
    return text.append('\n').toString();
  }

  private static byte[] sha256(byte[] bytes) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(bytes);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  /** The payload as it is given to munge. */
  public static byte[] bytes(
      String cluster, String method, String target, String idempotencyKey, byte[] body) {
    return text(cluster, method, target, idempotencyKey, body).getBytes(StandardCharsets.UTF_8);
  }
}
