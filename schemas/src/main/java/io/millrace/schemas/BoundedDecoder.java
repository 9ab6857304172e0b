package io.millrace.schemas;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.io.Decoder;
import org.apache.avro.util.Utf8;

/**
 * Avro binary from a byte array. Every length and count is checked against the bytes that are left
 * before anything is allocated: a few bytes of garbage must not be able to ask for gigabytes, which
 * Avro's own decoder would try to give.
 */
final class BoundedDecoder extends Decoder {

  private byte[] bytes = new byte[0];
  private int at;
  private int end;

  BoundedDecoder over(byte[] source, int from) {
    bytes = source;
    at = from;
    end = source.length;
    return this;
  }

  int remaining() {
    return end - at;
  }

  private int advance(long count) throws IOException {
    if (count < 0) {
      throw new AvroRuntimeException("negative length " + count);
    }
    if (count > end - at) {
      throw new EOFException("length " + count + " with " + (end - at) + " bytes left");
    }
    int from = at;
    at += (int) count;
    return from;
  }

  @Override
  public void readNull() {}

  @Override
  public boolean readBoolean() throws IOException {
    byte b = bytes[advance(1)];
    if (b != 0 && b != 1) {
      throw new AvroRuntimeException("boolean is " + b);
    }
    return b == 1;
  }

  @Override
  public int readInt() throws IOException {
    long value = readLong();
    if (value != (int) value) {
      throw new AvroRuntimeException("int is " + value);
    }
    return (int) value;
  }

  @Override
  public long readLong() throws IOException {
    long value = 0;
    for (int shift = 0; shift < 70; shift += 7) {
      byte b = bytes[advance(1)];
      value |= (long) (b & 0x7f) << shift;
      if (b >= 0) {
        return (value >>> 1) ^ -(value & 1);
      }
    }
    throw new AvroRuntimeException("number is longer than 10 bytes");
  }

  @Override
  public float readFloat() throws IOException {
    return Float.intBitsToFloat((int) littleEndian(4));
  }

  @Override
  public double readDouble() throws IOException {
    return Double.longBitsToDouble(littleEndian(8));
  }

  private long littleEndian(int count) throws IOException {
    int from = advance(count);
    long value = 0;
    for (int i = count - 1; i >= 0; i--) {
      value = value << 8 | bytes[from + i] & 0xff;
    }
    return value;
  }

  @Override
  public String readString() throws IOException {
    long length = readLong();
    int from = advance(length);
    return new String(bytes, from, (int) length, StandardCharsets.UTF_8);
  }

  @Override
  public Utf8 readString(Utf8 old) throws IOException {
    return new Utf8(readString());
  }

  @Override
  public void skipString() throws IOException {
    advance(readLong());
  }

  @Override
  public ByteBuffer readBytes(ByteBuffer old) throws IOException {
    long length = readLong();
    int from = advance(length);
    byte[] copy = new byte[(int) length];
    System.arraycopy(bytes, from, copy, 0, copy.length);
    return ByteBuffer.wrap(copy);
  }

  @Override
  public void skipBytes() throws IOException {
    advance(readLong());
  }

  @Override
  public void readFixed(byte[] target, int start, int length) throws IOException {
    System.arraycopy(bytes, advance(length), target, start, length);
  }

  @Override
  public void skipFixed(int length) throws IOException {
    advance(length);
  }

  @Override
  public int readEnum() throws IOException {
    return readInt();
  }

  /** No type of the language is empty, so that a block has at least a byte for each item. */
  private long blockCount() throws IOException {
    long count = readLong();
    if (count < 0) {
      readLong();
      count = -count;
    }
    if (count < 0 || count > end - at) {
      throw new EOFException(count + " items with " + (end - at) + " bytes left");
    }
    return count;
  }

  private long skipBlocks() throws IOException {
    long count = readLong();
    while (count < 0) {
      advance(readLong());
      count = readLong();
    }
    if (count > end - at) {
      throw new EOFException(count + " items with " + (end - at) + " bytes left");
    }
    return count;
  }

  @Override
  public long readArrayStart() throws IOException {
    return blockCount();
  }

  @Override
  public long arrayNext() throws IOException {
    return blockCount();
  }

  @Override
  public long skipArray() throws IOException {
    return skipBlocks();
  }

  @Override
  public long readMapStart() throws IOException {
    return blockCount();
  }

  @Override
  public long mapNext() throws IOException {
    return blockCount();
  }

  @Override
  public long skipMap() throws IOException {
    return skipBlocks();
  }

  @Override
  public int readIndex() throws IOException {
    return readInt();
  }
}
