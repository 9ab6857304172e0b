package io.millrace.server.web.credential;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jose4j.json.JsonUtil;
import org.jose4j.jwk.JsonWebKey;
import org.jose4j.jwk.OctetKeyPairJsonWebKey;
import org.jose4j.jwk.OkpJwkGenerator;
import org.jose4j.jwk.PublicJsonWebKey;
import org.jose4j.lang.JoseException;

/**
 * The keys of tokens, the newest last. It signs; the others only verify what they signed, until the
 * last such token has expired.
 */
final class TokenKeys {

  /**
   * A pair of keys.
   *
   * @param retiredS since when it signs no more, seconds since 1970; 0 for the one that signs
   */
  record TokenKey(PublicJsonWebKey pair, long retiredS) {
    String id() {
      return pair.getKeyId();
    }
  }

  private static final String RETIRED = "retired";

  private final List<TokenKey> keys;

  private TokenKeys(List<TokenKey> keys) {
    this.keys = List.copyOf(keys);
  }

  /** One fresh key. */
  static TokenKeys fresh() throws IOException {
    return new TokenKeys(List.of(generate()));
  }

  private static TokenKey generate() throws IOException {
    try {
      OctetKeyPairJsonWebKey pair =
          OkpJwkGenerator.generateJwk(OctetKeyPairJsonWebKey.SUBTYPE_ED25519);
      pair.setKeyId(pair.calculateBase64urlEncodedThumbprint("SHA-256").substring(0, 16));
      return new TokenKey(pair, 0);
    } catch (JoseException e) {
      throw new IOException("no key for tokens: " + e.getMessage(), e);
    }
  }

  /** Signs with a fresh key from now on; keys whose tokens have all expired are left out. */
  TokenKeys rotated(long nowS, long longestS) throws IOException {
    List<TokenKey> kept = new ArrayList<>();
    for (TokenKey key : keys) {
      TokenKey retired = key.retiredS() == 0 ? new TokenKey(key.pair(), nowS) : key;
      if (retired.retiredS() + longestS > nowS) {
        kept.add(retired);
      }
    }
    kept.add(generate());
    return new TokenKeys(kept);
  }

  TokenKey signing() {
    return keys.get(keys.size() - 1);
  }

  Optional<TokenKey> find(String id) {
    return keys.stream().filter(key -> key.id().equals(id)).findFirst();
  }

  int count() {
    return keys.size();
  }

  /** As a set of JSON web keys, private halves included. */
  String print() {
    List<Map<String, Object>> all = new ArrayList<>();
    for (TokenKey key : keys) {
      Map<String, Object> one = key.pair().toParams(JsonWebKey.OutputControlLevel.INCLUDE_PRIVATE);
      one.put(RETIRED, key.retiredS());
      all.add(one);
    }
    return JsonUtil.toJson(Map.of("keys", all)) + "\n";
  }

  static TokenKeys parse(String text) throws IOException {
    try {
      List<TokenKey> keys = new ArrayList<>();
      if (JsonUtil.parseJson(text).get("keys") instanceof List<?> list) {
        for (Object each : list) {
          keys.add(key(each));
        }
      }
      if (keys.isEmpty() || keys.get(keys.size() - 1).retiredS() != 0) {
        throw new IOException("no key that signs");
      }
      return new TokenKeys(keys);
    } catch (JoseException | ClassCastException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  private static TokenKey key(Object each) throws JoseException, IOException {
    if (!(each instanceof Map<?, ?> given)) {
      throw new IOException("a key that is no object");
    }
    Map<String, Object> params = new java.util.LinkedHashMap<>();
    given.forEach((name, value) -> params.put((String) name, value));
    Object retired = params.remove(RETIRED);
    PublicJsonWebKey pair = PublicJsonWebKey.Factory.newPublicJwk(params);
    boolean good =
        pair instanceof OctetKeyPairJsonWebKey okp
            && okp.getSubtype().equals(OctetKeyPairJsonWebKey.SUBTYPE_ED25519)
            && pair.getPrivateKey() != null
            && pair.getKeyId() != null;
    if (!good) {
      throw new IOException("a key that is no pair of Ed25519 with an id");
    }
    return new TokenKey(pair, retired instanceof Number since ? since.longValue() : 0);
  }
}
