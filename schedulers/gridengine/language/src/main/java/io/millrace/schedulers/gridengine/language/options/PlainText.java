package io.millrace.schedulers.gridengine.language.options;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.StandardCharsets;

/**
 * The bytes of a configuration file as text: UTF-8, perhaps with a byte order mark, no controls.
 */
public final class PlainText {

  private static final String MARK = "\uFEFF";

  private PlainText() {}

  /**
   * @param file the name of the text, for messages
   * @throws ConfigurationRefused with the line where it is no such text
   */
  public static String of(String file, byte[] bytes) {
    CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
    ByteBuffer in = ByteBuffer.wrap(bytes);
    CharBuffer out = CharBuffer.allocate(bytes.length + 1);
    boolean wrong = decoder.decode(in, out, true).isError();
    String text = out.flip().toString();
    if (wrong) {
      throw new ConfigurationRefused(
          file,
          line(text, text.length()),
          String.format(
              "the byte 0x%02X is no UTF-8; a text in Latin-1 must be converted first",
              bytes[in.position()] & 0xFF));
    }
    text = text.startsWith(MARK) ? text.substring(1) : text;
    for (int at = 0; at < text.length(); at++) {
      char sign = text.charAt(at);
      if (Character.isISOControl(sign) && !Character.isWhitespace(sign)) {
        throw new ConfigurationRefused(
            file, line(text, at), String.format("the control character U+%04X", (int) sign));
      }
    }
    return text;
  }

  private static int line(String text, int end) {
    return 1 + (int) text.substring(0, end).chars().filter(sign -> sign == '\n').count();
  }
}
