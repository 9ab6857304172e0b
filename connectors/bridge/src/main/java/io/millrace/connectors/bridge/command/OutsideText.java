package io.millrace.connectors.bridge.command;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.SequenceInputStream;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import java.util.zip.Inflater;
import java.util.zip.InflaterInputStream;

/**
 * What a command printed, in the pieces in which it came. A queue of many jobs is a hundred
 * megabytes, which stand in memory nowhere when they are read from here.
 */
public final class OutsideText {

  private final List<byte[]> pieces;
  private final List<byte[]> packed;

  OutsideText(List<byte[]> pieces) {
    this(pieces, List.of());
  }

  /**
   * @param packed what follows, as {@link KeptOutput} packs it
   */
  OutsideText(List<byte[]> pieces, List<byte[]> packed) {
    this.pieces = List.copyOf(pieces);
    this.packed = List.copyOf(packed);
  }

  static OutsideText of(String text) {
    return new OutsideText(List.of(text.getBytes(StandardCharsets.UTF_8)));
  }

  /** Its characters; what is no UTF-8 is replaced. Who reads it closes it. */
  public Reader reader() {
    InputStream plain = bytes(pieces);
    InputStream all =
        packed.isEmpty() ? plain : new SequenceInputStream(plain, new Unpacked(bytes(packed)));
    return new InputStreamReader(all, StandardCharsets.UTF_8);
  }

  private static InputStream bytes(List<byte[]> pieces) {
    List<InputStream> all =
        pieces.stream().map(ByteArrayInputStream::new).collect(Collectors.toList());
    return new SequenceInputStream(Collections.enumeration(all));
  }

  /** Its first characters, as many at the most. */
  String head(int most) {
    try (Reader from = reader()) {
      char[] head = new char[most];
      int length = 0;
      for (int got = 0; got >= 0 && length < most; ) {
        got = from.read(head, length, most - length);
        length += Math.max(0, got);
      }
      return new String(head, 0, length);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Whether there is nothing in it but blanks. */
  public boolean isBlank() {
    try (Reader from = reader()) {
      for (int c = from.read(); c >= 0; c = from.read()) {
        if (!Character.isWhitespace(c)) {
          return false;
        }
      }
      return true;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public String toString() {
    try (Reader from = reader()) {
      StringWriter all = new StringWriter();
      from.transferTo(all);
      return all.toString();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof OutsideText text && text.toString().equals(toString());
  }

  @Override
  public int hashCode() {
    return toString().hashCode();
  }

  /** Gives back what unpacking takes outside the heap. */
  private static final class Unpacked extends InflaterInputStream {
    Unpacked(InputStream packed) {
      super(packed, new Inflater(true), 1 << 16);
    }

    @Override
    public void close() throws IOException {
      super.close();
      inf.end();
    }
  }
}
