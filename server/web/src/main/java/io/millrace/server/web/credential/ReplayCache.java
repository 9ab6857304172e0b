package io.millrace.server.web.credential;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/** Credentials that were used, until they could not be used any more anyway. */
final class ReplayCache {

  /** Outcome of {@link #use}. */
  enum Use {
    FIRST,
    AGAIN,
    /** So many are remembered that this one could not be: it must not be taken. */
    FULL
  }

  private final int most;
  private final long keptMs;

  /** In the order of their use, which is the order in which they are forgotten. */
  private final Map<ByteBuffer, Long> used = new LinkedHashMap<>();

  /**
   * @param keptMs how long a credential could be used at most
   */
  ReplayCache(int most, long keptMs) {
    this.most = most;
    this.keptMs = keptMs;
  }

  synchronized Use use(String credential, long nowMs) {
    Iterator<Long> oldest = used.values().iterator();
    while (oldest.hasNext() && oldest.next() + keptMs <= nowMs) {
      oldest.remove();
    }
    ByteBuffer mark = ByteBuffer.wrap(digest(credential));
    if (used.containsKey(mark)) {
      return Use.AGAIN;
    }
    if (used.size() >= most) {
      return Use.FULL;
    }
    used.put(mark, nowMs);
    return Use.FIRST;
  }

  private static byte[] digest(String credential) {
    try {
      return MessageDigest.getInstance("SHA-256")
          .digest(credential.getBytes(StandardCharsets.US_ASCII));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
