package io.millrace.server.web.credential;

import java.io.IOException;
import java.security.Key;
import java.time.Clock;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jose4j.jwa.AlgorithmConstraints.ConstraintType;
import org.jose4j.jws.AlgorithmIdentifiers;
import org.jose4j.jws.JsonWebSignature;
import org.jose4j.jwt.JwtClaims;
import org.jose4j.jwt.MalformedClaimException;
import org.jose4j.jwt.NumericDate;
import org.jose4j.jwt.consumer.ErrorCodes;
import org.jose4j.jwt.consumer.InvalidJwtException;
import org.jose4j.jwt.consumer.JwtConsumer;
import org.jose4j.jwt.consumer.JwtConsumerBuilder;
import org.jose4j.lang.InvalidAlgorithmException;
import org.jose4j.lang.UnresolvableKeyException;

/**
 * Verifies tokens. The algorithm is fixed, keys come from the installation's own file by their id,
 * and nothing that a token brings along (a key, an address of one) is looked at.
 */
final class TokenVerifier {

  private static final int SKEW_S = 30;
  private static final int TOKEN_CHARS_MAX = 4096;

  private static final Pattern FORM =
      Pattern.compile("([A-Za-z0-9_-]+)\\.([A-Za-z0-9_-]+)\\.([A-Za-z0-9_-]+)");

  private final TokenFolder folder;
  private final String cluster;
  private final Clock clock;

  TokenVerifier(TokenFolder folder, String cluster, Clock clock) {
    this.folder = folder;
    this.cluster = cluster;
    this.clock = clock;
  }

  /** The user for whom the token is good now. */
  String user(String token) throws CredentialRefused {
    checkForm(token);
    try {
      TokenKeys keys = folder.keys();
      JwtClaims claims = consumer(keys).processToClaims(token);
      String user = claims.getSubject();
      long issuedS = claims.getIssuedAt().getValue();
      if (issuedS > clock.instant().getEpochSecond() + SKEW_S) {
        throw refused("not-yet-valid");
      }
      if (folder.revocations().has(claims.getJwtId(), user, issuedS)) {
        throw refused("revoked");
      }
      return user;
    } catch (InvalidJwtException e) {
      throw refused(reason(e));
    } catch (MalformedClaimException e) {
      throw refused("malformed");
    } catch (IOException e) {
      // No keys, or keys that others could have read: then no token is good.
      throw refused("no-keys");
    }
  }

  private JwtConsumer consumer(TokenKeys keys) {
    return new JwtConsumerBuilder()
        .setJwsAlgorithmConstraints(ConstraintType.PERMIT, AlgorithmIdentifiers.EDDSA)
        .setVerificationKeyResolver((jws, nested) -> key(keys, jws))
        .setExpectedType(true, TokenFolder.TYPE)
        .setExpectedIssuer(true, TokenFolder.ISSUER)
        .setExpectedAudience(true, cluster)
        .setRequireSubject()
        .setRequireJwtId()
        .setRequireIssuedAt()
        .setRequireNotBefore()
        .setRequireExpirationTime()
        .setMaxFutureValidityInMinutes((int) TokenFolder.LONGEST.toMinutes() + 1)
        .setAllowedClockSkewInSeconds(SKEW_S)
        .setEvaluationTime(NumericDate.fromMilliseconds(clock.millis()))
        .build();
  }

  private static Key key(TokenKeys keys, JsonWebSignature token) throws UnresolvableKeyException {
    String id = token.getKeyIdHeaderValue();
    return keys.find(id == null ? "" : id)
        .map(key -> (Key) key.pair().getPublicKey())
        .orElseThrow(() -> new UnresolvableKeyException("no key of this id"));
  }

  /**
   * Each part in its one right spelling: the last character of a part has bits that mean nothing,
   * and a token with other ones there would be another text with the same signature.
   */
  private static void checkForm(String token) throws CredentialRefused {
    Matcher parts = FORM.matcher(token);
    if (token.length() > TOKEN_CHARS_MAX || !parts.matches()) {
      throw refused("malformed");
    }
    for (int part = 1; part <= 3; part++) {
      try {
        byte[] bytes = Base64.getUrlDecoder().decode(parts.group(part));
        String again = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
        if (!again.equals(parts.group(part))) {
          throw refused("malformed");
        }
      } catch (IllegalArgumentException e) {
        throw refused("malformed");
      }
    }
  }

  private record RefusalReason(int code, String word) {}

  /** The first that fits, so that the most telling stands first. */
  private static final List<RefusalReason> REASONS =
      List.of(
          new RefusalReason(ErrorCodes.SIGNATURE_INVALID, "signature"),
          new RefusalReason(ErrorCodes.SIGNATURE_MISSING, "unsigned"),
          new RefusalReason(ErrorCodes.TYPE_INVALID, "type"),
          new RefusalReason(ErrorCodes.TYPE_MISSING, "type"),
          new RefusalReason(ErrorCodes.AUDIENCE_INVALID, "audience"),
          new RefusalReason(ErrorCodes.AUDIENCE_MISSING, "audience"),
          new RefusalReason(ErrorCodes.ISSUER_INVALID, "issuer"),
          new RefusalReason(ErrorCodes.ISSUER_MISSING, "issuer"),
          new RefusalReason(ErrorCodes.EXPIRED, "expired"),
          new RefusalReason(ErrorCodes.NOT_YET_VALID, "not-yet-valid"),
          new RefusalReason(ErrorCodes.EXPIRATION_TOO_FAR_IN_FUTURE, "too-long"),
          new RefusalReason(ErrorCodes.EXPIRATION_MISSING, "claims"),
          new RefusalReason(ErrorCodes.NOT_BEFORE_MISSING, "claims"),
          new RefusalReason(ErrorCodes.ISSUED_AT_MISSING, "claims"),
          new RefusalReason(ErrorCodes.SUBJECT_MISSING, "claims"),
          new RefusalReason(ErrorCodes.JWT_ID_MISSING, "claims"));

  private static String reason(InvalidJwtException why) {
    for (RefusalReason each : REASONS) {
      if (why.hasErrorCode(each.code())) {
        return each.word();
      }
    }
    for (Throwable cause = why; cause != null; cause = cause.getCause()) {
      if (cause instanceof InvalidAlgorithmException) {
        return "algorithm";
      }
      if (cause instanceof UnresolvableKeyException) {
        return "unknown-key";
      }
    }
    return "malformed";
  }

  private static CredentialRefused refused(String reason) {
    return CredentialRefused.because(CredentialKind.TOKEN, reason);
  }
}
