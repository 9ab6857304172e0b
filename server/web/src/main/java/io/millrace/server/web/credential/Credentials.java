package io.millrace.server.web.credential;

import java.io.IOException;
import java.util.Optional;

/** The one place that decides who a caller from afar is. */
public final class Credentials implements AutoCloseable {

  private static final String TOKEN = "Bearer ";
  private static final String MUNGE = "MUNGE ";

  private final TokenVerifier tokens;
  private final MungeVerifier munge;
  private final Unmunge unmunge;
  private final Accounts accounts;
  private final AuditLog audit;

  /**
   * How MUNGE is used.
   *
   * @param socket of the daemon; empty for the one of the host
   * @param root whether root of other hosts is root here
   */
  public record MungeSettings(String socket, boolean root) {}

  /**
   * @param cluster id of the cluster for which credentials must be
   */
  public Credentials(
      String cluster,
      TokenFolder folder,
      MungeSettings settings,
      Accounts accounts,
      AuditLog audit) {
    this.tokens = new TokenVerifier(folder, cluster, accounts.clock());
    this.unmunge = new Unmunge(settings.socket());
    this.munge = new MungeVerifier(unmunge, cluster, settings.root(), accounts.clock());
    this.accounts = accounts;
    this.audit = audit;
  }

  /**
   * Who makes a request.
   *
   * @throws CredentialRefused after it was written to the audit log
   */
  public Principal check(AuthenticationRequest request)
      throws CredentialRefused, InterruptedException {
    try {
      return principal(request);
    } catch (CredentialRefused e) {
      audit.refused(e, request);
      throw e;
    }
  }

  /**
   * What can be told of a request whose body is not there yet.
   *
   * @return who makes it; empty when that is not proven yet: a signature of MUNGE is over the body
   *     too
   * @throws CredentialRefused after it was written to the audit log
   */
  public Optional<Principal> checkHead(AuthenticationRequest head)
      throws CredentialRefused, InterruptedException {
    boolean one = head.authorization().size() == 1;
    if (one && is(MUNGE, head.authorization().get(0))) {
      return Optional.empty();
    }
    return Optional.of(check(head));
  }

  private static boolean is(String scheme, String authorization) {
    return authorization.regionMatches(true, 0, scheme, 0, scheme.length());
  }

  private Principal principal(AuthenticationRequest request)
      throws CredentialRefused, InterruptedException {
    if (request.authorization().isEmpty()) {
      throw CredentialRefused.because(CredentialKind.NONE, "absent");
    }
    if (request.authorization().size() > 1) {
      throw CredentialRefused.because(CredentialKind.NONE, "several");
    }
    String given = request.authorization().get(0);
    if (is(TOKEN, given)) {
      return token(given.substring(TOKEN.length()));
    }
    if (is(MUNGE, given)) {
      return munge.principal(given.substring(MUNGE.length()), request);
    }
    throw CredentialRefused.because(CredentialKind.NONE, "unknown-scheme");
  }

  private Principal token(String token) throws CredentialRefused, InterruptedException {
    String user = tokens.user(token);
    try {
      Optional<Accounts.Account> account = accounts.find(user);
      if (account.isEmpty()) {
        throw CredentialRefused.because(CredentialKind.TOKEN, "no-account");
      }
      return new Principal(user, account.get().group(), CredentialKind.TOKEN);
    } catch (IOException e) {
      throw CredentialRefused.untilLater(CredentialKind.TOKEN, "no-directory");
    }
  }

  @Override
  public void close() {
    unmunge.close();
  }
}
