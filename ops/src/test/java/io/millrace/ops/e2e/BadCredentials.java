package io.millrace.ops.e2e;

import io.millrace.server.client.SignedRequest;
import io.millrace.server.web.credential.TokenFolder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.jose4j.jwk.OctetKeyPairJsonWebKey;
import org.jose4j.jwk.OkpJwkGenerator;
import org.jose4j.jwk.PublicJsonWebKey;
import org.jose4j.jws.JsonWebSignature;
import org.jose4j.jwx.JsonWebStructure;
import org.jose4j.keys.HmacKey;
import org.jose4j.lang.JoseException;

/**
 * Credentials that must be refused, each made from a good one by a forgery. A seed chooses the
 * order.
 */
final class BadCredentials {

  private static final String TARGET = "/v1/commands/qsub";

  /**
   * One bad credential.
   *
   * @param kind the forgery
   * @param header value of Authorization
   * @param audited kind that the audit log must name
   * @param reasons of which the audit log must name one
   */
  record Bad(String kind, String header, String audited, Set<String> reasons) {}

  /** Makes a good credential. */
  interface Maker {
    String make() throws Exception;
  }

  private final Random random;
  private final Account user;
  private final TokenFolder tokens;
  private final Path scratch;
  private final String cluster;
  private final byte[] body;

  BadCredentials(long seed, Account user, Path home, Path scratch, byte[] body) throws IOException {
    this.random = new Random(seed);
    this.user = user;
    this.tokens = new TokenFolder(home);
    this.cluster = tokens.audience();
    this.scratch = scratch;
    this.body = body;
    // A cluster with the same keys, as after a careless copy.
    Path other = Files.createDirectories(scratch.resolve("other-home/etc/tokens")).getParent();
    new TokenFolder(other.getParent()).open("another-cluster");
    tokens.create(user.name(), Duration.ofHours(1), Instant.now());
    Files.copy(home.resolve("etc/tokens/keys.json"), other.resolve("tokens/keys.json"));
  }

  private String good() throws IOException {
    return tokens.create(user.name(), Duration.ofHours(1), Instant.now()).text();
  }

  /** Makes this many bad tokens. */
  List<Bad> tokens(int count) throws Exception {
    List<Bad> all = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      all.add(token());
    }
    return all;
  }

  private Bad token() throws Exception {
    Instant now = Instant.now();
    return switch (random.nextInt(11)) {
      case 0 -> bearer("forged key", signedByAnother(), "signature", "unknown-key");
      case 1 -> bearer("algorithm none", unsigned(), "algorithm", "malformed");
      case 2 -> bearer("public key as secret", confused(), "algorithm");
      case 3, 4 ->
          bearer(
              "changed character",
              changed(good()),
              "malformed",
              "signature",
              "algorithm",
              "unknown-key");
      case 5 -> bearer("cut", cut(good()), "malformed", "signature");
      case 6 -> {
        Duration ago = Duration.ofMinutes(61 + random.nextInt(100_000));
        yield bearer(
            "expired",
            tokens.create(user.name(), Duration.ofHours(1), now.minus(ago)).text(),
            "expired");
      }
      case 7 -> {
        // Far enough in the future that it does not become valid before it is sent.
        Duration ahead = Duration.ofMinutes(60 + random.nextInt(100_000));
        yield bearer(
            "not yet valid",
            tokens.create(user.name(), Duration.ofHours(1), now.plus(ahead)).text(),
            "not-yet-valid");
      }
      case 8 ->
          bearer(
              "for another cluster",
              new TokenFolder(scratch.resolve("other-home"))
                  .create(user.name(), Duration.ofHours(1), now)
                  .text(),
              "audience");
      case 9 -> {
        TokenFolder.Issued issued = tokens.create(user.name(), Duration.ofHours(1), now);
        tokens.revoke(issued.id(), now);
        yield bearer("revoked", issued.text(), "revoked");
      }
      default -> bearer("malformed", garbage(), "malformed");
    };
  }

  private static Bad bearer(String kind, String token, String... reasons) {
    return new Bad("token: " + kind, "Bearer " + token, "token", Set.of(reasons));
  }

  private String changed(String text) {
    int at = random.nextInt(text.length());
    String alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    char other = text.charAt(at);
    while (other == text.charAt(at)) {
      other = alphabet.charAt(random.nextInt(alphabet.length()));
    }
    return text.substring(0, at) + other + text.substring(at + 1);
  }

  private String cut(String text) {
    return text.substring(0, 1 + random.nextInt(text.length() - 1));
  }

  private String garbage() {
    StringBuilder text = new StringBuilder();
    int length = 1 + random.nextInt(200);
    for (int i = 0; i < length; i++) {
      text.append((char) ('!' + random.nextInt(94)));
    }
    return text.toString();
  }

  private String signedByAnother() throws IOException, JoseException {
    OctetKeyPairJsonWebKey own =
        OkpJwkGenerator.generateJwk(OctetKeyPairJsonWebKey.SUBTYPE_ED25519);
    String token = good();
    JsonWebSignature good = (JsonWebSignature) JsonWebStructure.fromCompactSerialization(token);
    JsonWebSignature forged = new JsonWebSignature();
    forged.setAlgorithmHeaderValue("EdDSA");
    forged.setHeader("typ", good.getHeader("typ"));
    forged.setKeyIdHeaderValue(random.nextBoolean() ? good.getKeyIdHeaderValue() : "mine");
    if (random.nextBoolean()) {
      forged.getHeaders().setJwkHeaderValue("jwk", own);
    }
    forged.setPayload(payload(token));
    forged.setKey(own.getPrivateKey());
    return forged.getCompactSerialization();
  }

  private static String payload(String token) {
    byte[] bytes = Base64.getUrlDecoder().decode(token.split("\\.")[1]);
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private String unsigned() throws IOException {
    String[] parts = good().split("\\.");
    String header = new String(Base64.getUrlDecoder().decode(parts[0]), StandardCharsets.UTF_8);
    byte[] none = header.replace("EdDSA", random.nextBoolean() ? "none" : "None").getBytes();
    String text = Base64.getUrlEncoder().withoutPadding().encodeToString(none);
    return text + "." + parts[1] + "." + (random.nextBoolean() ? "" : parts[2]);
  }

  private String confused() throws IOException, JoseException {
    String good = good();
    JsonWebSignature read = (JsonWebSignature) JsonWebStructure.fromCompactSerialization(good);
    JsonWebSignature forged = new JsonWebSignature();
    forged.setAlgorithmHeaderValue("HS256");
    forged.setHeader("typ", read.getHeader("typ"));
    forged.setKeyIdHeaderValue(read.getKeyIdHeaderValue());
    forged.setPayload(payload(good));
    forged.setKey(new HmacKey(publicKey()));
    return forged.getCompactSerialization();
  }

  private byte[] publicKey() throws IOException, JoseException {
    String text = Files.readString(scratch.resolve("other-home/etc/tokens/keys.json"));
    Object first = ((List<?>) org.jose4j.json.JsonUtil.parseJson(text).get("keys")).get(0);
    @SuppressWarnings("unchecked")
    var params = new java.util.LinkedHashMap<>((java.util.Map<String, Object>) first);
    params.remove("retired");
    return PublicJsonWebKey.Factory.newPublicJwk(params).getPublicKey().getEncoded();
  }

  /** The MUNGE daemons of the test: the host's own and a foreign one. */
  record Daemons(MungeDaemon own, MungeDaemon other) {}

  /**
   * Makes this many bad MUNGE credentials.
   *
   * @param use sends a good one, after which it is used up
   */
  List<Bad> munge(int count, Daemons daemons, Use use) throws Exception {
    List<Bad> all = new ArrayList<>();
    List<Bad> late = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Bad bad = munge(daemons, use);
      (bad.kind().endsWith("expired") ? late : all).add(bad);
    }
    // Daemons count whole seconds: one that lives for a second may be good for nearly two.
    Instant expired = Instant.now().plusSeconds(3);
    Site.await(Duration.ofSeconds(60), "expired", () -> Instant.now().isAfter(expired));
    all.addAll(late);
    return all;
  }

  /** Sends good credentials, after which the last one is used up. */
  interface Use {
    void send(Maker credential) throws Exception;
  }

  /** Cuts to whole groups of Base64; for other lengths the HTTP server does not ask the daemon. */
  private static String quartets(String text) {
    String whole = text.substring(0, text.length() / 4 * 4);
    return whole.isEmpty() ? text : whole;
  }

  private byte[] request() {
    return SignedRequest.bytes(cluster, "POST", TARGET, "", body);
  }

  private Bad munge(Daemons daemons, Use use) throws Exception {
    MungeDaemon own = daemons.own();
    Maker good = () -> own.credential(user, request(), 0);
    return switch (random.nextInt(9)) {
      case 0 -> {
        String[] credential = {""};
        use.send(() -> credential[0] = good.make());
        yield munged("replayed", credential[0], "replayed");
      }
      case 1 -> munged("another key", daemons.other().credential(user, request(), 0), "forged");
      case 2, 3 ->
          munged(
              "changed character",
              "MUNGE:" + changed(good.make().substring(6)),
              "forged",
              "malformed");
      case 4 -> {
        // Also with a correct end, so that only the daemon can detect it.
        String text = good.make().substring(6).replaceAll("=*:$", "");
        String end = random.nextBoolean() ? ":" : "";
        yield munged("cut", "MUNGE:" + quartets(cut(text)) + end, "forged", "malformed");
      }
      case 5 -> munged("expired", own.credential(user, request(), 1), "expired");
      // If the daemon decoded it but answered too late, it counts as used up.
      case 6 ->
          munged(
              "for another request",
              own.credential(user, anotherRequest(), 0),
              "other-request",
              "replayed");
      case 7 -> munged("malformed", garbage(), "malformed");
      default -> {
        byte[] bytes = new byte[100 + random.nextInt(400)];
        random.nextBytes(bytes);
        yield munged(
            "random",
            "MUNGE:" + Base64.getEncoder().encodeToString(bytes) + ":",
            "malformed",
            "forged");
      }
    };
  }

  private static Bad munged(String kind, String credential, String... reasons) {
    return new Bad("munge: " + kind, "MUNGE " + credential, "munge", Set.of(reasons));
  }

  private byte[] anotherRequest() {
    byte[] other = "{\"arguments\":[\"--\",\"false\"]}".getBytes(StandardCharsets.UTF_8);
    return switch (random.nextInt(6)) {
      case 0 -> SignedRequest.bytes("another-cluster", "POST", TARGET, "", body);
      case 1 -> SignedRequest.bytes(cluster, "GET", TARGET, "", body);
      case 2 -> SignedRequest.bytes(cluster, "POST", "/v1/commands/qdel", "", body);
      case 3 -> SignedRequest.bytes(cluster, "POST", TARGET, "another-key", body);
      case 4 -> SignedRequest.bytes(cluster, "POST", TARGET, "", other);
      default -> new byte[0];
    };
  }
}
