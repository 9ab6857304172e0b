package io.millrace.server.gateway.session;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.server.client.Frames;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Deque;
import java.util.Random;
import org.junit.jupiter.api.Test;

class OpeningBytesTest {
  private static final int MOST = 4096;

  private static byte[] hello(int version) {
    byte[] payload = new byte[27];
    payload[1] = (byte) version;
    return PendingOpening.frame(Frames.HELLO, payload);
  }

  private static byte[] join(byte[]... frames) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] frame : frames) {
      all.writeBytes(frame);
    }
    return all.toByteArray();
  }

  /** All but the last byte has something missing, whatever the pieces in which it comes. */
  private static void assertReadyAtTheEnd(byte[] opening) {
    for (int seed = 0; seed < 200; seed++) {
      Random random = new Random(seed);
      OpeningBytes bytes = new OpeningBytes(MOST);
      int at = 0;
      while (at < opening.length) {
        assertFalse(bytes.ready(), "seed " + seed + " at " + at);
        int part = Math.min(opening.length - at, 1 + random.nextInt(seed < 10 ? 1 : 700));
        bytes.add(ByteBuffer.wrap(opening, at, part));
        at += part;
      }
      assertTrue(bytes.ready(), "seed " + seed);
      assertArrayEquals(opening, content(bytes.take()), "seed " + seed);
    }
  }

  private static byte[] content(Deque<ByteBuffer> pieces) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (ByteBuffer piece : pieces) {
      byte[] bytes = new byte[piece.remaining()];
      piece.get(bytes);
      all.writeBytes(bytes);
    }
    return all.toByteArray();
  }

  @Test
  void anOpeningIsWholeAtItsLastFrame() {
    byte[] go = PendingOpening.frame(Frames.GO, new byte[0]);
    assertReadyAtTheEnd(join(hello(1), go));
    assertReadyAtTheEnd(
        join(
            hello(1),
            PendingOpening.frame(Frames.ARG, new byte[0]),
            PendingOpening.frame(Frames.ENV, new byte[3000]),
            PendingOpening.frame(Frames.DIRECTORY, new byte[] {'/'}),
            go));
    assertReadyAtTheEnd(join(hello(1), PendingOpening.frame(Frames.GO, new byte[10])));
  }

  @Test
  void whatIsRefusedIsNotWaitedFor() {
    assertReadyAtTheEnd(hello(9));
    assertReadyAtTheEnd(PendingOpening.frame(Frames.HELLO, new byte[0]));
    assertReadyAtTheEnd(PendingOpening.frame(0x7f, new byte[20]));
    assertReadyAtTheEnd(join(hello(1), PendingOpening.frame(Frames.CHUNK, new byte[20])));
    assertReadyAtTheEnd(join(hello(1), PendingOpening.frame(Frames.ARG, new byte[MOST])));
    assertReadyAtTheEnd(new byte[] {Frames.HELLO, -1, -1, -1, -1});
    assertReadyAtTheEnd(join(hello(1), new byte[] {Frames.ARG, 0, 4, 0, 1}));
  }

  /** What comes behind it belongs to the answers, and is read in its turn. */
  @Test
  void whatComesBehindItIsKept() {
    byte[] all = join(hello(1), PendingOpening.frame(Frames.GO, new byte[0]), new byte[] {1, 2, 3});
    OpeningBytes bytes = new OpeningBytes(MOST);
    bytes.add(ByteBuffer.wrap(all));
    assertTrue(bytes.ready());
    assertEquals(all.length, content(bytes.take()).length);
  }
}
