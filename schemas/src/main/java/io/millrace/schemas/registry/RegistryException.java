package io.millrace.schemas.registry;

/**
 * A request that a registry refused, or a registry that could not be reached; the message is one
 * line.
 */
public final class RegistryException extends Exception {
  private static final long serialVersionUID = 1L;

  private final int code;

  /**
   * @param code error_code of the Confluent protocol (its first three digits are the HTTP status),
   *     or 0 when there was no answer
   */
  public RegistryException(int code, String message) {
    super(message);
    this.code = code;
  }

  public RegistryException(String message, Throwable cause) {
    super(message, cause);
    this.code = 0;
  }

  public int code() {
    return code;
  }

  /** HTTP status of the refusal; 0 when there was no answer. */
  public int status() {
    return code >= 10_000 ? code / 100 : code;
  }
}
