package io.millrace.server.web.credential;

/** A credential that was not taken. The reason is for the audit log; the caller learns less. */
public final class CredentialRefused extends Exception {
  private static final long serialVersionUID = 1L;

  private final CredentialKind kind;
  private final String reason;
  private final boolean later;
  private final String told;

  private CredentialRefused(CredentialKind kind, String reason, boolean later, String told) {
    super(kind.word() + ": " + reason);
    this.kind = kind;
    this.reason = reason;
    this.later = later;
    this.told = told;
  }

  /**
   * @param reason a word or some joined by hyphens
   */
  static CredentialRefused because(CredentialKind kind, String reason) {
    return new CredentialRefused(kind, reason, false, "");
  }

  /** Nobody can tell now whether it is good. */
  static CredentialRefused untilLater(CredentialKind kind, String reason) {
    return new CredentialRefused(kind, reason, true, "");
  }

  /** It is good, and its user has used more than can be remembered of him. */
  static CredentialRefused tooMany(CredentialKind kind, String user) {
    String told = "user " + user + " has used too many credentials in the last minutes";
    return new CredentialRefused(kind, "too-many", true, told + "; try again later");
  }

  public CredentialKind kind() {
    return kind;
  }

  public String reason() {
    return reason;
  }

  /** What a caller may be told whose credential was good; empty for all others. */
  public String told() {
    return told;
  }

  /** Whether the same caller may be taken when he comes again. */
  public boolean later() {
    return later;
  }
}
