package io.millrace.schemas.hostkey;

import io.millrace.schemas.UndecodableRecord;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Pattern;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * The key of one host: 256 random bits that the host and the shards know. What it proves and what
 * it seals have keys of their own, which follow from it.
 *
 * <p>A key that was renewed brings those before it along, each good for what was written until a
 * time of its own: reports and orders that are on their way, and an executor that does not have the
 * new one yet. Orders are sealed with the oldest that is good until the host has proven a newer
 * one, since whoever has a newer one has the older ones too.
 */
public final class HostKey {
  /** Property of a host's client settings that holds the key's text. */
  public static final String PROPERTY = "millrace.host.key";

  /** How long a key that was renewed is good for what is written from then on. */
  public static final Duration GRACE = Duration.ofHours(1);

  /** Most earlier keys that are kept; each is tried where the newer ones do not fit. */
  private static final int EARLIER_MAX = 8;

  private static final int BYTES = 32;
  private static final String PROOF = "HmacSHA256";
  private static final String SEAL = "AES/GCM/NoPadding";

  /** First byte of a sealed order; an order in the open begins with another one. */
  private static final byte SEALED = 1;

  private static final int NONCE_BYTES = 12;
  private static final int TAG_BYTES = 16;

  /** Such a name is also a file's, and part of a principal's. */
  private static final Pattern HOST = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,199}");

  /** Before the name of an outside cluster, whose key is that of all its hosts and no others. */
  private static final char AT = '@';

  private static final Pattern CLUSTER = Pattern.compile("@[a-z][a-z0-9-]{0,14}");

  private static final Pattern TEXT = Pattern.compile("[0-9a-f]{" + 2 * BYTES + "}");

  /** Between an earlier key and the time until which it is good. */
  private static final String UNTIL = "@";

  private final String host;
  private final byte[] hostBytes;

  /** The present one first, then the earlier ones, the newest of them first. */
  private final List<Secret> secrets;

  /** The newest of the secrets that the host has proven; the oldest before it has proven any. */
  private volatile int proven;

  private final SecureRandom random = new SecureRandom();

  /**
   * @param untilMs last time, in milliseconds since 1970, of what it is good for
   */
  private record Secret(SecretKeySpec proofs, SecretKeySpec orders, long untilMs) {

    static Secret of(String hex, long untilMs) {
      SecretKeySpec all = new SecretKeySpec(HexFormat.of().parseHex(hex), PROOF);
      return new Secret(
          new SecretKeySpec(hash(all, text("proofs")), PROOF),
          new SecretKeySpec(hash(all, text("orders")), "AES"),
          untilMs);
    }
  }

  private HostKey(String host, List<Secret> secrets) {
    this.host = host;
    this.hostBytes = host.getBytes(StandardCharsets.UTF_8);
    this.secrets = List.copyOf(secrets);
    this.proven = secrets.size() - 1;
  }

  /**
   * The key that this text stands for: {@code KEY}, or {@code KEY EARLIER@UNTIL...}, where a key is
   * of 64 hex digits and the time one as {@code 2026-11-25T08:00:00Z}.
   *
   * @throws IllegalArgumentException when the name cannot be a host's with a key, or the text is
   *     none; the text is not told
   */
  public static HostKey of(String host, String text) {
    if (!isName(host) && !isMember(host)) {
      throw new IllegalArgumentException(
          "'" + host + "' is no name of a host: letters, digits, dots, dashes and underscores");
    }
    List<Secret> secrets = new ArrayList<>();
    for (String word : text.split(" ", -1)) {
      String[] parts = word.split(UNTIL, 2);
      if (!TEXT.matcher(parts[0]).matches()) {
        throw new IllegalArgumentException("the key of host " + host + " is not of 64 hex digits");
      }
      if ((parts.length == 1) != secrets.isEmpty()) {
        throw new IllegalArgumentException(
            "the key of host " + host + " is to be one, then earlier ones as KEY@UNTIL");
      }
      secrets.add(Secret.of(parts[0], secrets.isEmpty() ? Long.MAX_VALUE : untilMs(host, parts)));
    }
    return new HostKey(host, secrets);
  }

  private static long untilMs(String host, String[] parts) {
    try {
      return Instant.parse(parts[1]).toEpochMilli();
    } catch (DateTimeParseException e) {
      // Without its text, which may be a key that stands in the wrong place.
      throw new IllegalArgumentException(
          "an earlier key of host " + host + " has no time as 2026-11-25T08:00:00Z");
    }
  }

  /** Whether a host of this name can have a key, or {@code @CLUSTER} one for all its hosts. */
  public static boolean isName(String host) {
    return HOST.matcher(host).matches() || CLUSTER.matcher(host).matches();
  }

  /** Whether this is the name of a host of an outside cluster, {@code HOST@CLUSTER}. */
  public static boolean isMember(String host) {
    int at = host.indexOf(AT);
    return at > 0
        && HOST.matcher(host.substring(0, at)).matches()
        && CLUSTER.matcher(host.substring(at)).matches();
  }

  /** Whether a host of this name can speak for itself, with a key of its own or its cluster's. */
  public static boolean isHost(String host) {
    return HOST.matcher(host).matches() || isMember(host);
  }

  /** The name under which the key of a host is kept: of a cluster's host that of the cluster. */
  static String keptAs(String host) {
    return isMember(host) ? host.substring(host.indexOf(AT)) : host;
  }

  /**
   * The key of a host of the cluster that this is the key of.
   *
   * @throws IllegalArgumentException for any other host
   */
  public HostKey member(String name) {
    if (!isMember(name) || !keptAs(name).equals(host)) {
      throw new IllegalArgumentException("'" + name + "' is no host of " + host);
    }
    return new HostKey(name, secrets);
  }

  /** The text of a key that nobody has had before. */
  public static String newText(SecureRandom random) {
    byte[] secret = new byte[BYTES];
    random.nextBytes(secret);
    return HexFormat.of().formatHex(secret);
  }

  /** Whether keys can be made of this text: 64 hex digits. */
  public static boolean isSecret(String text) {
    return TEXT.matcher(text).matches();
  }

  /**
   * The text of the key that a host has in all homes that share a secret.
   *
   * @param secret of the cluster; see {@link #isSecret}
   */
  public static String sharedText(String secret, String host) {
    SecretKeySpec key = new SecretKeySpec(HexFormat.of().parseHex(secret), PROOF);
    return HexFormat.of().formatHex(hash(key, text("millrace host " + host)));
  }

  /**
   * The text of a new key that takes the place of another: that one is good for {@link #GRACE}
   * longer, and what it brings along as long as it was.
   *
   * @param before text of the host's key until now; what is none is left out
   * @throws IllegalArgumentException when the name cannot be a host's with a key
   */
  public static String renewedText(String host, String before, SecureRandom random, Instant now) {
    List<String> words = new ArrayList<>();
    words.add(newText(random));
    of(host, words.get(0));
    for (String word : isText(host, before) ? List.of(before.split(" ")) : List.<String>of()) {
      String[] parts = word.split(UNTIL, 2);
      Instant until = parts.length == 2 ? Instant.parse(parts[1]) : now.plus(GRACE);
      if (until.isAfter(now) && words.size() <= EARLIER_MAX) {
        words.add(parts[0] + UNTIL + until);
      }
    }
    return String.join(" ", words);
  }

  private static boolean isText(String host, String text) {
    try {
      of(host, text);
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  public String host() {
    return host;
  }

  /** A proof that these bytes come from the host and are meant for this Kafka partition. */
  byte[] proof(HostProof.RecordPlace place, byte[] value) {
    return proof(secrets.get(0), place, value);
  }

  private byte[] proof(Secret secret, HostProof.RecordPlace place, byte[] value) {
    ByteBuffer number = ByteBuffer.allocate(Integer.BYTES).putInt(place.partition()).flip();
    byte[] topic = text(place.topic());
    return hash(secret.proofs(), hostBytes, new byte[1], topic, new byte[1], number.array(), value);
  }

  /**
   * @param timeMs when the value was written, in milliseconds since 1970, by a clock that is not
   *     the host's
   */
  boolean proves(byte[] proof, HostProof.RecordPlace place, byte[] value, long timeMs) {
    for (int i = 0; i < secrets.size(); i++) {
      Secret secret = secrets.get(i);
      if (timeMs <= secret.untilMs() && MessageDigest.isEqual(proof, proof(secret, place, value))) {
        proven = Math.min(proven, i);
        return true;
      }
    }
    return false;
  }

  /**
   * An order that only this host can read.
   *
   * @param timeMs when it is written, in milliseconds since 1970, as its record will say
   */
  public byte[] seal(byte[] order, long timeMs) {
    byte[] nonce = new byte[NONCE_BYTES];
    random.nextBytes(nonce);
    ByteBuffer sealed = ByteBuffer.allocate(1 + NONCE_BYTES + order.length + TAG_BYTES);
    sealed.put(SEALED).put(nonce);
    try {
      cipher(Cipher.ENCRYPT_MODE, sealing(timeMs), nonce).doFinal(ByteBuffer.wrap(order), sealed);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java cannot seal orders", e);
    }
    return sealed.array();
  }

  /** The oldest that the host still has to know. */
  private Secret sealing(long timeMs) {
    int i = proven;
    while (timeMs > secrets.get(i).untilMs()) {
      i--;
    }
    return secrets.get(i);
  }

  /** Whether a value has the form of a sealed order; whether it is one only its host can tell. */
  public static boolean isSealed(byte[] value) {
    return value != null && value.length >= 1 + NONCE_BYTES + TAG_BYTES && value[0] == SEALED;
  }

  /**
   * What was sealed for this host.
   *
   * @param timeMs when it was written, in milliseconds since 1970, as its record says
   * @throws UndecodableRecord when it was not, or was sealed with another key, or was changed
   */
  public byte[] open(byte[] sealed, long timeMs) throws UndecodableRecord {
    if (!isSealed(sealed)) {
      throw new UndecodableRecord("is not sealed");
    }
    for (Secret secret : secrets) {
      if (timeMs <= secret.untilMs()) {
        byte[] opened = open(secret, sealed);
        if (opened != null) {
          return opened;
        }
      }
    }
    throw new UndecodableRecord("is not sealed with the present key of host " + host);
  }

  /** Null when it was sealed with another key. */
  private byte[] open(Secret secret, byte[] sealed) {
    byte[] nonce = new byte[NONCE_BYTES];
    ByteBuffer rest = ByteBuffer.wrap(sealed, 1, sealed.length - 1).get(nonce);
    try {
      ByteBuffer order = ByteBuffer.allocate(rest.remaining());
      int length = cipher(Cipher.DECRYPT_MODE, secret, nonce).doFinal(rest, order);
      byte[] opened = new byte[length];
      order.flip().get(opened);
      return opened;
    } catch (GeneralSecurityException e) {
      return null;
    }
  }

  private Cipher cipher(int mode, Secret secret, byte[] nonce) throws GeneralSecurityException {
    Cipher cipher = Cipher.getInstance(SEAL);
    cipher.init(mode, secret.orders(), new GCMParameterSpec(8 * TAG_BYTES, nonce));
    cipher.updateAAD(hostBytes);
    return cipher;
  }

  private static byte[] hash(SecretKeySpec key, byte[]... parts) {
    try {
      Mac mac = Mac.getInstance(PROOF);
      mac.init(key);
      for (byte[] part : parts) {
        mac.update(part);
      }
      return mac.doFinal();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java platform has " + PROOF, e);
    }
  }

  private static byte[] text(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
