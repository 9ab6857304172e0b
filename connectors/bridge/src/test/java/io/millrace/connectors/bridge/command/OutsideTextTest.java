package io.millrace.connectors.bridge.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class OutsideTextTest {

  private static OutsideText text(byte[]... pieces) {
    return new OutsideText(List.of(pieces));
  }

  private static String read(OutsideText text) throws IOException {
    StringWriter all = new StringWriter();
    text.reader().transferTo(all);
    return all.toString();
  }

  @Test
  void itReadsAsItCameWhereverItWasCut() throws IOException {
    byte[] all = "a \u00e9 \u20ac\n".getBytes(StandardCharsets.UTF_8);
    for (int at = 0; at <= all.length; at++) {
      byte[] first = Arrays.copyOfRange(all, 0, at);
      byte[] second = Arrays.copyOfRange(all, at, all.length);
      OutsideText text = text(first, second);
      assertEquals("a \u00e9 \u20ac\n", text.toString());
      assertEquals("a \u00e9 \u20ac\n", read(text));
      assertEquals(OutsideText.of("a \u00e9 \u20ac\n"), text);
    }
    assertEquals("", read(text()));
    assertNotEquals(OutsideText.of("a"), OutsideText.of("b"));
  }

  /** Anybody can put such bytes into the name of a job. */
  @Test
  void whatIsNoTextBreaksNothing() throws IOException {
    OutsideText text = text(new byte[] {'a', (byte) 0xff, 'b'});
    assertEquals("a\ufffdb", text.toString());
    assertEquals("a\ufffdb", read(text));
  }
}
