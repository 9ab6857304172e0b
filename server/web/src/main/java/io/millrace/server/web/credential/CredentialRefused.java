package io.millrace.server.web.credential;

/** A credential that was not taken. The reason is for the audit log; the caller learns less. */
public final class CredentialRefused extends Exception {
  private static final long serialVersionUID = 1L;

  private final CredentialKind kind;
  private final String reason;
  private final boolean later;

  private CredentialRefused(CredentialKind kind, String reason, boolean later) {
    super(kind.word() + ": " + reason);
    this.kind = kind;
    this.reason = reason;
    this.later = later;
  }

  /**
   * @param reason a word or some joined by hyphens
   */
  static CredentialRefused because(CredentialKind kind, String reason) {
    return new CredentialRefused(kind, reason, false);
  }

  /** Nobody can tell now whether it is good. */
  static CredentialRefused untilLater(CredentialKind kind, String reason) {
    return new CredentialRefused(kind, reason, true);
  }

  public CredentialKind kind() {
    return kind;
  }

  public String reason() {
    return reason;
  }

  /** Whether the same caller may be taken when he comes again. */
  public boolean later() {
    return later;
  }
}
