package io.millrace.server.web.credential;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Credentials that were used, until they could not be used any more anyway. None can be forgotten
 * to make room, since it could be used again then. So a user may have half of the room that the
 * others leave: whoever takes all that he can get leaves as much for those who come.
 */
final class ReplayCache {

  /** Outcome of {@link #use}. */
  enum CredentialUse {
    FIRST,
    AGAIN,
    /** So many are remembered of this user that this one could not be: it must not be taken. */
    FULL
  }

  private final int most;
  private final long keptMs;

  /** In the order of their use, which is the order in which they are forgotten. */
  private final Map<ByteBuffer, UsedCredential> used = new LinkedHashMap<>();

  /** How many are remembered of each user; nobody without any is here. */
  private final Map<String, Integer> byUser = new HashMap<>();

  private record UsedCredential(String user, long atMs) {}

  /**
   * @param most of all users together
   * @param keptMs how long a credential could be used at most
   */
  ReplayCache(int most, long keptMs) {
    this.most = most;
    this.keptMs = keptMs;
  }

  /**
   * @param user who made the credential
   */
  synchronized CredentialUse use(String user, String credential, long nowMs) {
    forget(nowMs);
    ByteBuffer mark = ByteBuffer.wrap(digest(credential));
    if (used.containsKey(mark)) {
      return CredentialUse.AGAIN;
    }
    int ofUser = byUser.getOrDefault(user, 0);
    int ofOthers = used.size() - ofUser;
    if (2L * ofUser >= most - ofOthers) {
      return CredentialUse.FULL;
    }
    byUser.put(user, ofUser + 1);
    used.put(mark, new UsedCredential(user, nowMs));
    return CredentialUse.FIRST;
  }

  private void forget(long nowMs) {
    Iterator<UsedCredential> oldest = used.values().iterator();
    while (oldest.hasNext()) {
      UsedCredential next = oldest.next();
      if (next.atMs() + keptMs > nowMs) {
        return;
      }
      oldest.remove();
      byUser.computeIfPresent(next.user(), (name, count) -> count == 1 ? null : count - 1);
    }
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
