package io.millrace.connectors.bridge.command;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What a command printed, in the pieces in which it came. A queue of many jobs is a hundred
 * megabytes, which stand in memory once when they are read from here.
 */
public final class OutsideText {

  private final List<byte[]> pieces;

  OutsideText(List<byte[]> pieces) {
    this.pieces = List.copyOf(pieces);
  }

  /** What came in pieces, which nobody changes any more. */
  public static OutsideText ofPieces(List<byte[]> pieces) {
    return new OutsideText(pieces);
  }

  static OutsideText of(String text) {
    return new OutsideText(List.of(text.getBytes(StandardCharsets.UTF_8)));
  }

  /** Its characters; what is no UTF-8 is replaced. */
  public Reader reader() {
    return new InputStreamReader(bytes(), StandardCharsets.UTF_8);
  }

  private InputStream bytes() {
    List<InputStream> all =
        pieces.stream().map(ByteArrayInputStream::new).collect(Collectors.toList());
    return new SequenceInputStream(Collections.enumeration(all));
  }

  @Override
  public String toString() {
    int length = pieces.stream().mapToInt(it -> it.length).sum();
    byte[] all = new byte[length];
    int at = 0;
    for (byte[] piece : pieces) {
      System.arraycopy(piece, 0, all, at, piece.length);
      at += piece.length;
    }
    return new String(all, StandardCharsets.UTF_8);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof OutsideText text && text.toString().equals(toString());
  }

  @Override
  public int hashCode() {
    return toString().hashCode();
  }
}
