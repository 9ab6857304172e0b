package io.millrace.schemas.hostkey;

import io.millrace.schemas.UndecodableRecord;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.regex.Pattern;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * The key of one host: 256 random bits that the host and the shards know. What it proves and what
 * it seals have keys of their own, which follow from it.
 */
public final class HostKey {
  /** Property of a host's client settings that holds the key's text. */
  public static final String PROPERTY = "millrace.host.key";

  private static final int BYTES = 32;
  private static final String PROOF = "HmacSHA256";
  private static final String SEAL = "AES/GCM/NoPadding";

  /** First byte of a sealed order; an order in the open begins with another one. */
  private static final byte SEALED = 1;

  private static final int NONCE_BYTES = 12;
  private static final int TAG_BYTES = 16;

  /** Such a name is also a file's, and part of a principal's. */
  private static final Pattern HOST = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,199}");

  private static final Pattern TEXT = Pattern.compile("[0-9a-f]{" + 2 * BYTES + "}");

  private final String host;
  private final byte[] hostBytes;
  private final SecretKeySpec proofs;
  private final SecretKeySpec orders;
  private final SecureRandom random = new SecureRandom();

  private HostKey(String host, byte[] secret) {
    this.host = host;
    this.hostBytes = host.getBytes(StandardCharsets.UTF_8);
    SecretKeySpec all = new SecretKeySpec(secret, PROOF);
    this.proofs = new SecretKeySpec(hash(all, text("proofs")), PROOF);
    this.orders = new SecretKeySpec(hash(all, text("orders")), "AES");
  }

  /**
   * The key that this text stands for.
   *
   * @throws IllegalArgumentException when the name cannot be a host's with a key, or the text is
   *     none; the text is not told
   */
  public static HostKey of(String host, String text) {
    if (!isName(host)) {
      throw new IllegalArgumentException(
          "'" + host + "' is no name of a host: letters, digits, dots, dashes and underscores");
    }
    if (!TEXT.matcher(text).matches()) {
      throw new IllegalArgumentException("the key of host " + host + " is not of 64 hex digits");
    }
    return new HostKey(host, HexFormat.of().parseHex(text));
  }

  /** Whether a host of this name can have a key. */
  public static boolean isName(String host) {
    return HOST.matcher(host).matches();
  }

  /** The text of a key that nobody has had before. */
  public static String newText(SecureRandom random) {
    byte[] secret = new byte[BYTES];
    random.nextBytes(secret);
    return HexFormat.of().formatHex(secret);
  }

  public String host() {
    return host;
  }

  /** A proof that these bytes come from the host and are meant for this Kafka partition. */
  byte[] proof(String topic, int partition, byte[] value) {
    ByteBuffer place = ByteBuffer.allocate(Integer.BYTES).putInt(partition).flip();
    return hash(proofs, hostBytes, new byte[1], text(topic), new byte[1], place.array(), value);
  }

  boolean proves(byte[] proof, String topic, int partition, byte[] value) {
    return MessageDigest.isEqual(proof, proof(topic, partition, value));
  }

  /** An order that only this host can read. */
  public byte[] seal(byte[] order) {
    byte[] nonce = new byte[NONCE_BYTES];
    random.nextBytes(nonce);
    ByteBuffer sealed = ByteBuffer.allocate(1 + NONCE_BYTES + order.length + TAG_BYTES);
    sealed.put(SEALED).put(nonce);
    try {
      cipher(Cipher.ENCRYPT_MODE, nonce).doFinal(ByteBuffer.wrap(order), sealed);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java cannot seal orders", e);
    }
    return sealed.array();
  }

  /** Whether a value has the form of a sealed order; whether it is one only its host can tell. */
  public static boolean isSealed(byte[] value) {
    return value != null && value.length >= 1 + NONCE_BYTES + TAG_BYTES && value[0] == SEALED;
  }

  /**
   * What was sealed for this host.
   *
   * @throws UndecodableRecord when it was not, or was sealed with another key, or was changed
   */
  public byte[] open(byte[] sealed) throws UndecodableRecord {
    if (!isSealed(sealed)) {
      throw new UndecodableRecord("is not sealed");
    }
    byte[] nonce = new byte[NONCE_BYTES];
    ByteBuffer rest = ByteBuffer.wrap(sealed, 1, sealed.length - 1).get(nonce);
    try {
      ByteBuffer order = ByteBuffer.allocate(rest.remaining());
      int length = cipher(Cipher.DECRYPT_MODE, nonce).doFinal(rest, order);
      byte[] opened = new byte[length];
      order.flip().get(opened);
      return opened;
    } catch (GeneralSecurityException e) {
      throw new UndecodableRecord("is not sealed with the present key of host " + host);
    }
  }

  private Cipher cipher(int mode, byte[] nonce) throws GeneralSecurityException {
    Cipher cipher = Cipher.getInstance(SEAL);
    cipher.init(mode, orders, new GCMParameterSpec(8 * TAG_BYTES, nonce));
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
