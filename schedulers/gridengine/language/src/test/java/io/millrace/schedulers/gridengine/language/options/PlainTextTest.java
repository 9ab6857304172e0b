package io.millrace.schedulers.gridengine.language.options;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Bytes of files as text. */
class PlainTextTest {

  private static String refusal(byte[] bytes) {
    return assertThrows(ConfigurationRefused.class, () -> PlainText.of("file", bytes)).getMessage();
  }

  @Test
  void utf8WithOrWithoutAMark() {
    String text = "# Gr\u00f6\u00dfe\nqname a\tb\r\n";
    assertEquals(text, PlainText.of("file", text.getBytes(StandardCharsets.UTF_8)));
    assertEquals(text, PlainText.of("file", ("\uFEFF" + text).getBytes(StandardCharsets.UTF_8)));
    assertEquals("", PlainText.of("file", new byte[0]));
  }

  @Test
  void otherBytesWithTheirLine() {
    assertEquals(
        "file:2: the byte 0xF6 is no UTF-8; a text in Latin-1 must be converted first",
        refusal("qname a\n# Gr\u00f6\u00dfe\n".getBytes(StandardCharsets.ISO_8859_1)));
    assertEquals(
        "file:1: the byte 0xC3 is no UTF-8; a text in Latin-1 must be converted first",
        refusal(new byte[] {'a', (byte) 0xC3}));
    assertEquals("file:2: the control character U+0000", refusal(new byte[] {'a', '\n', 0}));
  }
}
