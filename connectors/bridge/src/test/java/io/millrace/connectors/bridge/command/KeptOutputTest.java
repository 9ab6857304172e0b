package io.millrace.connectors.bridge.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;

class KeptOutputTest {

  private static final int MIB = 1 << 20;

  /** Pieces of any length, of words that pack well and of such that do not. */
  @Test
  void whatCameIsThereHoweverMuchOfItIsPacked() {
    long seed = System.getProperty("millrace.day", "0").hashCode();
    Random random = new Random(seed);
    for (int trial = 0; trial < 20; trial++) {
      KeptOutput kept = new KeptOutput(64 * MIB, 64 * MIB);
      ByteArrayOutputStream all = new ByteArrayOutputStream();
      int pieces = random.nextInt(60);
      for (int i = 0; i < pieces; i++) {
        byte[] piece = new byte[random.nextInt(100_000)];
        for (int at = 0; at < piece.length; at++) {
          piece[at] = (byte) (i % 2 == 0 ? 'a' + at % 7 : ' ' + random.nextInt(90));
        }
        all.writeBytes(piece);
        assertTrue(kept.add(piece, 0, piece.length), "seed " + seed);
      }
      String text = all.toString(StandardCharsets.US_ASCII);
      assertEquals(text, kept.text().toString(), "seed " + seed);
      assertEquals(text, kept.text().toString(), "it can be asked for again");
      assertEquals(text.substring(0, Math.min(5, text.length())), kept.text().head(5));
    }
  }

  @Test
  void moreThanMayComeIsTooLong() {
    KeptOutput kept = new KeptOutput(3 * MIB, 9 * MIB);
    assertTrue(kept.add(new byte[3 * MIB], 0, 3 * MIB));
    assertFalse(kept.isTooLong());
    assertFalse(kept.add(new byte[1], 0, 1));
    assertTrue(kept.isTooLong());
    assertEquals(3 * MIB, kept.text().toString().length());
  }

  /** Words that do not pack, which anybody can give his jobs. */
  @Test
  void moreThanMemoryHasRoomForIsTooLong() {
    KeptOutput kept = new KeptOutput(1000 * MIB, 4 * MIB);
    byte[] noise = new byte[MIB];
    int pieces = 0;
    for (boolean more = true; more; pieces++) {
      new Random(pieces).nextBytes(noise);
      more = kept.add(noise, 0, noise.length);
    }
    assertTrue(pieces >= 4 && pieces <= 6, "MiB: " + pieces);
    assertTrue(kept.isTooLong());
    KeptOutput same = new KeptOutput(1000 * MIB, 4 * MIB);
    for (int i = 0; i < 100; i++) {
      assertTrue(same.add(new byte[MIB], 0, MIB), "a hundred MiB of the same");
    }
  }
}
