package io.millrace.server.web.credential;

import io.millrace.server.client.SignedRequest;
import java.io.IOException;
import java.time.Clock;
import java.util.Base64;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Verifies MUNGE credentials. The daemon of this host says who made one and refuses its second use;
 * beyond that a credential must be fresh, must name this very request, and is remembered here too,
 * since the daemon forgets what it has seen when it is started anew.
 */
final class MungeVerifier {

  /** A credential that is older is refused, whatever its maker asked for. */
  static final long AGE_S_MAX = 300;

  /** Clocks of hosts may differ by as much as this; daemons let them differ by more. */
  private static final long SKEW_S = 300;

  /** Of all users together; one alone may have half of them. */
  private static final int REMEMBERED = 200_000;

  private static final int CREDENTIAL_CHARS_MAX = 8192;
  private static final Pattern FORM = Pattern.compile("MUNGE:([A-Za-z0-9+/]{16,}={0,2}):");
  private static final Pattern SOMEBODY = Pattern.compile("(\\S+) \\((\\d+)\\)");
  private static final Pattern TIME = Pattern.compile(".*\\((\\d+)\\)");

  private final Unmunge unmunge;
  private final String cluster;
  private final boolean root;
  private final Clock clock;
  private final LongSupplier nanos;
  private final long openedNanos;
  private final ReplayCache used = new ReplayCache(REMEMBERED, (AGE_S_MAX + SKEW_S) * 1000);

  /**
   * @param root whether root of other hosts is root here
   */
  MungeVerifier(Unmunge unmunge, String cluster, boolean root, Clock clock) {
    this(unmunge, cluster, root, clock, System::nanoTime);
  }

  /**
   * @param nanos a clock that nobody sets, as System.nanoTime
   */
  MungeVerifier(Unmunge unmunge, String cluster, boolean root, Clock clock, LongSupplier nanos) {
    this.unmunge = unmunge;
    this.cluster = cluster;
    this.root = root;
    this.clock = clock;
    this.nanos = nanos;
    this.openedNanos = nanos.getAsLong();
  }

  Principal principal(String credential, AuthenticationRequest request)
      throws CredentialRefused, InterruptedException {
    checkForm(credential);
    Unmunge.UnmungeOutput said;
    try {
      said = unmunge.ask(credential);
    } catch (IOException e) {
      throw CredentialRefused.untilLater(CredentialKind.MUNGE, "unavailable");
    }
    if (said.status() != 0) {
      throw said.daemonAway()
          ? CredentialRefused.untilLater(CredentialKind.MUNGE, "unavailable")
          : refused(said.reason());
    }
    long age = time(said, "DECODE_TIME") - time(said, "ENCODE_TIME");
    if (age > AGE_S_MAX) {
      throw refused("expired");
    }
    if (age < -SKEW_S) {
      throw refused("not-yet-valid");
    }
    if (TimeUnit.SECONDS.toNanos(age) > nanos.getAsLong() - openedNanos) {
      // Neither we nor a daemon that started with the host would know of its first use. Not by the
      // time of day, which may have been set since the door was opened.
      throw CredentialRefused.untilLater(CredentialKind.MUNGE, "older-than-the-door");
    }
    String expected =
        SignedRequest.text(
            cluster, request.method(), request.target(), request.idempotencyKey(), request.body());
    if (!said.payload().equals(expected)) {
      throw refused("other-request");
    }
    Principal principal = new Principal(user(said), group(said), CredentialKind.MUNGE);
    switch (used.use(principal.user(), credential, clock.millis())) {
      case AGAIN -> throw refused("replayed");
      case FULL -> throw CredentialRefused.tooMany(CredentialKind.MUNGE, principal.user());
      case FIRST -> {}
    }
    return principal;
  }

  /** In its one right spelling: others would unpack to the same and look like another one. */
  private static void checkForm(String credential) throws CredentialRefused {
    Matcher form = FORM.matcher(credential);
    if (credential.length() > CREDENTIAL_CHARS_MAX || !form.matches()) {
      throw refused("malformed");
    }
    try {
      byte[] bytes = Base64.getDecoder().decode(form.group(1));
      if (!Base64.getEncoder().encodeToString(bytes).equals(form.group(1))) {
        throw refused("malformed");
      }
    } catch (IllegalArgumentException e) {
      throw refused("malformed");
    }
  }

  private String user(Unmunge.UnmungeOutput said) throws CredentialRefused {
    Matcher uid = SOMEBODY.matcher(said.value("UID").orElse(""));
    if (!uid.matches() || !Accounts.NAME.matcher(uid.group(1)).matches()) {
      throw refused("no-account");
    }
    if (uid.group(2).equals("0") && !root) {
      throw refused("root");
    }
    return uid.group(1);
  }

  /** Its name, or the number when it has none. */
  private static String group(Unmunge.UnmungeOutput said) throws CredentialRefused {
    Matcher gid = SOMEBODY.matcher(said.value("GID").orElse(""));
    if (!gid.matches()) {
      throw refused("no-account");
    }
    return Accounts.NAME.matcher(gid.group(1)).matches() ? gid.group(1) : gid.group(2);
  }

  private static long time(Unmunge.UnmungeOutput said, String key) throws CredentialRefused {
    Optional<Matcher> time = said.value(key).map(TIME::matcher).filter(Matcher::matches);
    if (time.isEmpty()) {
      throw refused("malformed");
    }
    return Long.parseLong(time.get().group(1));
  }

  private static CredentialRefused refused(String reason) {
    return CredentialRefused.because(CredentialKind.MUNGE, reason);
  }
}
