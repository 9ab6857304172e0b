package io.millrace.server.gateway.query;

import java.util.HashMap;
import java.util.Map;

/**
 * The memory that the pages of all job lists have together. The more of it is taken, the smaller
 * the pages are that are asked for; only single jobs of great size can fill it.
 */
final class PageRoom {
  /** Jobs of some 900 bytes: a page of a thousand. */
  static final int LARGEST = 1 << 20;

  static final int SMALLEST = 16 << 10;

  /** Part of the room that one page may have: a list has a page of each shard. */
  private static final int SHARE = 16;

  /** Part of the room that the lists of one user may have, so that others find some. */
  private static final int USERS = 2;

  private final long bytes;
  private final Map<String, Long> heldBy = new HashMap<>();
  private long held;

  PageRoom(long bytes) {
    this.bytes = bytes;
  }

  /** How many bytes a page may have that this user's list asks for now. */
  synchronized int wish(String user) {
    long all = (bytes - held) / SHARE;
    long own = (bytes / USERS - heldBy.getOrDefault(user, 0L)) / (SHARE / USERS);
    return (int) Math.max(SMALLEST, Math.min(LARGEST, Math.min(all, own)));
  }

  /**
   * @throws NoRoomException in one line when there is no room for a page that came
   */
  synchronized void hold(String user, int page) throws NoRoomException {
    long own = heldBy.getOrDefault(user, 0L);
    if (own > 0 && own + page > bytes / USERS) {
      throw new NoRoomException(
          "your lists of jobs have all the memory that one user's may have at this gateway; try"
              + " again when some have ended");
    }
    if (held > 0 && held + page > bytes) {
      throw new NoRoomException(
          "the lists of jobs that are told here have all the memory that there is for them; try"
              + " again when some have ended");
    }
    held += page;
    heldBy.put(user, own + page);
  }

  synchronized void release(String user, int page) {
    held -= page;
    heldBy.computeIfPresent(user, (name, own) -> own == page ? null : own - page);
  }
}
