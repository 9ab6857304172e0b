package io.millrace.connectors.bridge.recorded;

import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.millrace.schemas.Seeds;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Whatever comes in: the parsers of an outside system answer, soon. */
public abstract class MutationTrial {

  protected final Random random = new Random(Seeds.TODAY);
  private final String marks;
  private final int tries;

  /**
   * @param marks characters that mean something to the parsers
   * @param tries how many mutated texts each parser reads
   */
  protected MutationTrial(String marks, int tries) {
    this.marks = marks;
    this.tries = tries;
  }

  /** Has each parser read a mutated text. */
  protected abstract void readMutated(int round);

  /** Has the parsers read texts that are made to be slow: their length bounds the time. */
  protected abstract void readLong();

  /** A text with some bytes and passages changed, and perhaps without its end. */
  protected final String mutated(String text) {
    byte[] whole = text.getBytes(StandardCharsets.UTF_8);
    byte[] bytes = whole.clone();
    for (int k = random.nextInt(8); k >= 0; k--) {
      int at = random.nextInt(bytes.length);
      switch (random.nextInt(3)) {
        case 0 -> bytes[at] = (byte) random.nextInt(256);
        case 1 -> bytes[at] = (byte) marks.charAt(random.nextInt(marks.length()));
        default -> {
          int from = random.nextInt(bytes.length);
          int length = Math.min(random.nextInt(200), bytes.length - Math.max(at, from));
          System.arraycopy(whole, from, bytes, at, length);
        }
      }
    }
    int length = random.nextInt(4) == 0 ? random.nextInt(bytes.length) : bytes.length;
    return new String(bytes, 0, length, StandardCharsets.UTF_8);
  }

  @Test
  protected final void nothingStopsThem() {
    assertTimeoutPreemptively(
        Duration.ofSeconds(30L + tries / 500),
        () -> {
          for (int i = 0; i < tries; i++) {
            readMutated(i);
          }
        });
  }

  @Test
  protected final void longTextsAreNotSlow() {
    assertTimeoutPreemptively(Duration.ofSeconds(20), this::readLong);
  }
}
