package io.millrace.server.gateway;

/**
 * When one that looks at a file again and again sends once more what the server has refused: at the
 * next look, then at the second one behind that, then at the fourth, and so on up to a bound. A
 * refusal is told when it is another one than before.
 */
final class RefusalBackOff {

  /** Looks between two tries in the end; half a minute where there is one every two seconds. */
  static final int LOOKS_MAX = 16;

  private int looks = 1;
  private int left;
  private String told = "";

  /** Whether it is sent at this look, which counts. */
  boolean due() {
    if (left > 0) {
      left--;
    }
    return left == 0;
  }

  /**
   * It was refused.
   *
   * @param why one line
   * @return whether that is told, as it was not before
   */
  boolean refused(String why) {
    left = looks;
    looks = Math.min(LOOKS_MAX, 2 * looks);
    boolean news = !why.equals(told);
    told = why;
    return news;
  }
}
