package io.millrace.server.web.credential;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Base64;
import java.util.List;
import org.jose4j.jwk.OctetKeyPairJsonWebKey;
import org.jose4j.jwk.OkpJwkGenerator;
import org.jose4j.jws.AlgorithmIdentifiers;
import org.jose4j.jws.JsonWebSignature;
import org.jose4j.keys.HmacKey;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

class TokenVerifierTest {

  private static final Instant NOW = Instant.parse("2026-11-20T12:00:00Z");
  private static final String CLUSTER = "cluster-1";

  @TempDir Path home;
  private TokenFolder folder;

  @BeforeEach
  void open() throws Exception {
    folder = new TokenFolder(home);
    folder.open(CLUSTER);
  }

  private TokenVerifier at(Instant when) {
    return new TokenVerifier(folder, CLUSTER, Clock.fixed(when, ZoneOffset.UTC));
  }

  private String refused(String token) {
    return refused(NOW, token);
  }

  private String refused(Instant when, String token) {
    return assertThrows(CredentialRefused.class, () -> at(when).user(token)).reason();
  }

  private TokenFolder.Issued token(String user, Duration lifetime) throws IOException {
    return folder.create(user, lifetime, NOW);
  }

  /** A token whose parts say this, signed by the installation's own key. */
  private String signed(String header, String payload) throws Exception {
    JsonWebSignature token = new JsonWebSignature();
    TokenKeys.TokenKey key = folder.keys().signing();
    org.jose4j.json.JsonUtil.parseJson(header)
        .forEach((name, value) -> token.getHeaders().setObjectHeaderValue(name, value));
    token.setKeyIdHeaderValue(key.id());
    token.setPayload(payload);
    token.setKey(key.pair().getPrivateKey());
    return token.getCompactSerialization();
  }

  private static String claims(String with) {
    long now = NOW.getEpochSecond();
    return "{\"iss\":\"millrace\",\"aud\":\"cluster-1\",\"sub\":\"mary\",\"jti\":\"t1\",\"iat\":"
        + now
        + ",\"nbf\":"
        + now
        + ",\"exp\":"
        + (now + 600)
        + with
        + "}";
  }

  private static final String HEADER = "{\"alg\":\"EdDSA\",\"typ\":\"millrace+jwt\"}";

  @Test
  void aTokenIsGoodForItsTime() throws Exception {
    String token = token("mary", Duration.ofHours(8)).text();
    assertEquals("mary", at(NOW).user(token));
    assertEquals("mary", at(NOW.plus(Duration.ofHours(8)).plusSeconds(20)).user(token));
    assertEquals("expired", refused(NOW.plus(Duration.ofHours(8)).plusSeconds(40), token));
    assertEquals("mary", at(NOW.minusSeconds(20)).user(token));
    assertEquals("not-yet-valid", refused(NOW.minusSeconds(40), token));
  }

  @Test
  void whatIsSignedAsItShouldBeIsTaken() throws Exception {
    token("mary", Duration.ofHours(1));
    assertEquals("mary", at(NOW).user(signed(HEADER, claims(""))));
  }

  @Test
  void eachClaimCounts() throws Exception {
    token("mary", Duration.ofHours(1));
    String good = claims("");
    assertEquals("audience", refused(signed(HEADER, good.replace("cluster-1", "cluster-2"))));
    assertEquals("issuer", refused(signed(HEADER, good.replace("\"millrace\"", "\"other\""))));
    assertEquals("claims", refused(signed(HEADER, good.replace("\"sub\"", "\"bus\""))));
    assertEquals("claims", refused(signed(HEADER, good.replace("\"jti\"", "\"itj\""))));
    assertEquals("claims", refused(signed(HEADER, good.replace("\"exp\"", "\"pxe\""))));
    assertEquals("claims", refused(signed(HEADER, good.replace("\"nbf\"", "\"fbn\""))));
    assertEquals("claims", refused(signed(HEADER, good.replace("\"iat\"", "\"tai\""))));
    long exp = NOW.getEpochSecond() + 600;
    String forever = good.replace("" + exp, "" + (exp + Duration.ofDays(365).getSeconds()));
    assertEquals("too-long", refused(signed(HEADER, forever)));
    assertEquals("type", refused(signed(HEADER.replace("millrace+jwt", "JWT"), good)));
    assertEquals("malformed", refused(signed(HEADER, "no claims")));
  }

  @Test
  void noOtherAlgorithmIsTaken() throws Exception {
    token("mary", Duration.ofHours(1));
    TokenKeys.TokenKey key = folder.keys().signing();
    Base64.Encoder base64 = Base64.getUrlEncoder().withoutPadding();
    String none =
        base64.encodeToString(
            ("{\"alg\":\"none\",\"typ\":\"millrace+jwt\",\"kid\":\"" + key.id() + "\"}")
                .getBytes(StandardCharsets.UTF_8));
    String payload = base64.encodeToString(claims("").getBytes(StandardCharsets.UTF_8));
    assertEquals("malformed", refused(none + "." + payload + "."));
    assertEquals("algorithm", refused(none + "." + payload + ".AAAA"));
    // The public key as the secret of a symmetric algorithm.
    JsonWebSignature confused = new JsonWebSignature();
    confused.setAlgorithmHeaderValue(AlgorithmIdentifiers.HMAC_SHA256);
    confused.setHeader("typ", TokenFolder.TYPE);
    confused.setKeyIdHeaderValue(key.id());
    confused.setPayload(claims(""));
    confused.setKey(new HmacKey(key.pair().getPublicKey().getEncoded()));
    assertEquals("algorithm", refused(confused.getCompactSerialization()));
  }

  @Test
  void aKeyThatTheTokenBringsIsNotLookedAt() throws Exception {
    token("mary", Duration.ofHours(1));
    OctetKeyPairJsonWebKey own =
        OkpJwkGenerator.generateJwk(OctetKeyPairJsonWebKey.SUBTYPE_ED25519);
    JsonWebSignature forged = new JsonWebSignature();
    forged.setAlgorithmHeaderValue(AlgorithmIdentifiers.EDDSA);
    forged.setHeader("typ", TokenFolder.TYPE);
    forged.getHeaders().setJwkHeaderValue("jwk", own);
    forged.setPayload(claims(""));
    forged.setKey(own.getPrivateKey());
    assertEquals("unknown-key", refused(forged.getCompactSerialization()));
    forged.setKeyIdHeaderValue(folder.keys().signing().id());
    assertEquals("signature", refused(forged.getCompactSerialization()));
  }

  @Test
  void everyOtherCharacterMakesItAnotherToken() throws Exception {
    String token = token("mary", Duration.ofHours(1)).text();
    for (int i = 0; i < token.length(); i++) {
      for (char other : List.of('A', 'B', '_', '.', '=')) {
        if (token.charAt(i) != other) {
          String changed = token.substring(0, i) + other + token.substring(i + 1);
          assertThrows(CredentialRefused.class, () -> at(NOW).user(changed), changed);
        }
      }
    }
    assertEquals("malformed", refused(token + "="));
    assertEquals("malformed", refused(token + ".AAAA"));
    assertEquals("malformed", refused("A".repeat(5000)));
    assertEquals("malformed", refused(""));
  }

  @Test
  void aRevokedTokenIsGoodNoMore() throws Exception {
    TokenFolder.Issued first = token("mary", Duration.ofHours(1));
    TokenFolder.Issued second = token("mary", Duration.ofHours(1));
    TokenFolder.Issued others = token("john", Duration.ofHours(1));
    TokenVerifier verifier = at(NOW);
    assertEquals("mary", verifier.user(first.text()));
    folder.revoke(first.id(), NOW);
    assertEquals("revoked", refused(first.text()));
    assertEquals("mary", verifier.user(second.text()));
    folder.revokeAllOf("mary", NOW);
    assertEquals("revoked", refused(second.text()));
    assertEquals("john", verifier.user(others.text()));
    Instant later = NOW.plusSeconds(1);
    assertEquals("mary", at(later).user(folder.create("mary", Duration.ofHours(1), later).text()));
    assertEquals(
        List.of(true, true, false, false),
        folder.list(NOW).stream().map(TokenFolder.Listed::revoked).toList());
  }

  @Test
  void whatWasMadeWhileTheClockWasAheadIsRevokedToo() throws Exception {
    for (Duration ahead : List.of(Duration.ofDays(1), Duration.ofDays(700))) {
      Instant then = NOW.plus(ahead);
      String token = folder.create("mary", Duration.ofDays(8), then).text();
      String others = folder.create("john", Duration.ofDays(8), then).text();
      TokenFolder.Issued one = folder.create("mary", Duration.ofDays(8), then);
      folder.revoke(one.id(), NOW);
      folder.revokeAllOf("mary", NOW);
      // What is no longer needed goes when something else is revoked.
      Instant after = NOW.plus(Duration.ofDays(100));
      folder.revokeAllOf("eve", after.isBefore(then) ? after : then);
      assertEquals("revoked", refused(then, token), ahead.toString());
      assertEquals("revoked", refused(then, one.text()), ahead.toString());
      assertEquals("john", at(then).user(others));
    }
  }

  @Test
  void aLineThatWasCutIsNamedInOneLine() throws Exception {
    token("mary", Duration.ofHours(1));
    Path list = home.resolve("etc/tokens/issued");
    String whole = Files.readString(list);
    for (int cut : List.of(5, 40, whole.length() - 12)) {
      Files.writeString(list, whole + whole.substring(0, cut) + "\n");
      for (Executable change :
          List.<Executable>of(
              () -> token("mary", Duration.ofHours(1)),
              () -> folder.list(NOW),
              () -> folder.revoke("00000000-0000-0000-0000-000000000000", NOW),
              () -> folder.revokeAllOf("mary", NOW))) {
        String why = assertThrows(IOException.class, change).getMessage();
        assertTrue(why.startsWith(list + " is damaged: a line that is no token: "), why);
        assertEquals(1, why.lines().count(), why);
      }
    }
  }

  @Test
  void aLineThatCannotBeReadKeepsNoOtherTokenGood() throws Exception {
    Instant ahead = NOW.plus(Duration.ofDays(1));
    TokenFolder.Issued now = token("mary", Duration.ofDays(8));
    TokenFolder.Issued later = folder.create("mary", Duration.ofDays(8), ahead);
    TokenFolder.Issued johns = token("john", Duration.ofDays(8));
    Path list = home.resolve("etc/tokens/issued");
    Files.writeString(list, "half a li\n" + Files.readString(list) + "ne\n");
    String why =
        assertThrows(IOException.class, () -> folder.revokeAllOf("mary", NOW)).getMessage();
    assertEquals(
        list
            + " is damaged: a line that is no token: half a li, and: ne"
            + "; all other tokens of mary are revoked",
        why);
    assertEquals("revoked", refused(now.text()));
    assertEquals("revoked", refused(ahead, later.text()));
    assertEquals("john", at(NOW).user(johns.text()));
    folder.revoke(johns.id(), NOW);
    assertEquals("revoked", refused(johns.text()));
  }

  @Test
  void afterARotationOldTokensStayGoodAndOldKeysGoWithThem() throws Exception {
    String old = token("mary", Duration.ofHours(1)).text();
    assertEquals(2, folder.rotate(NOW));
    String fresh = folder.create("mary", Duration.ofHours(1), NOW).text();
    assertEquals("mary", at(NOW).user(old));
    assertEquals("mary", at(NOW).user(fresh));
    assertEquals(2, folder.rotate(NOW.plus(TokenFolder.LONGEST)));
    assertEquals("unknown-key", refused(old));
    assertEquals("mary", at(NOW).user(fresh));
  }

  @Test
  void whatWasNeverIssuedIsNotRevoked() {
    IOException none =
        assertThrows(
            IOException.class, () -> folder.revoke("00000000-0000-0000-0000-000000000000", NOW));
    assertTrue(none.getMessage().startsWith("no token 00000000-"), none.getMessage());
  }

  @Test
  void aLinkInThePlaceOfTheLockIsNotFollowed() throws Exception {
    Path other = Files.writeString(home.resolve("other"), "");
    Path lock = home.resolve("etc/tokens/lock");
    Files.deleteIfExists(lock);
    Files.createSymbolicLink(lock, other);
    assertThrows(IOException.class, () -> token("mary", Duration.ofHours(1)));
  }

  @Test
  void keysThatOthersCouldReadAreNoKeys() throws Exception {
    String token = token("mary", Duration.ofHours(1)).text();
    Path keys = home.resolve("etc/tokens/keys.json");
    for (String open : List.of("rw-r-----", "rw----r--", "rw--w----")) {
      Files.setPosixFilePermissions(keys, PosixFilePermissions.fromString(open));
      assertEquals("no-keys", refused(token));
      IOException refused = assertThrows(IOException.class, () -> token("a", Duration.ofHours(1)));
      assertEquals(true, refused.getMessage().contains("must have mode 0600, not " + open));
    }
    Files.setPosixFilePermissions(keys, PosixFilePermissions.fromString("rw-------"));
    assertEquals("mary", at(NOW).user(token));
    Path elsewhere = Files.move(keys, home.resolve("elsewhere"));
    assertEquals("no-keys", refused(token));
    Files.createSymbolicLink(keys, elsewhere);
    assertEquals("no-keys", refused(token));
  }

  @Test
  void aTokenIsNotForEver() {
    assertThrows(IOException.class, () -> token("mary", Duration.ofDays(91)));
    assertThrows(IOException.class, () -> token("mary", Duration.ZERO));
  }
}
