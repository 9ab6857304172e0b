package io.millrace.server.gateway.query;

/**
 * The memory that the pages of all job lists have together. The more of it is taken, the smaller
 * the pages are that are asked for; only single jobs of great size can fill it.
 */
final class PageRoom {
  /** Jobs of some 900 bytes: a page of a thousand. */
  static final int LARGEST = 1 << 20;

  static final int SMALLEST = 16 << 10;

  /** A list has a page of each shard, and others want room too. */
  private static final int SHARE = 16;

  private final long bytes;
  private long held;

  PageRoom(long bytes) {
    this.bytes = bytes;
  }

  /** How many bytes a page may have that is asked for now. */
  synchronized int wish() {
    return (int) Math.max(SMALLEST, Math.min(LARGEST, (bytes - held) / SHARE));
  }

  /**
   * @throws QueryException in one line when there is no room for a page that came
   */
  synchronized void hold(int page) throws QueryException {
    if (held > 0 && held + page > bytes) {
      throw new QueryException(
          "the lists of jobs that are told here have all the memory that there is for them; try"
              + " again when some have ended");
    }
    held += page;
  }

  synchronized void release(int page) {
    held -= page;
  }
}
