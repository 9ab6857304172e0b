package io.millrace.server.web.credential;

/** How a caller says who he is. */
public enum CredentialKind {
  /** No credential, or none of a known kind. */
  NONE("none"),
  TOKEN("token"),
  MUNGE("munge");

  private final String word;

  CredentialKind(String word) {
    this.word = word;
  }

  public String word() {
    return word;
  }
}
