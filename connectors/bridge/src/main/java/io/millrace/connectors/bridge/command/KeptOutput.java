package io.millrace.connectors.bridge.command;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.Deflater;

/**
 * What comes of one output of a command, up to its bounds. Where it is more than a little it is
 * kept packed: a queue says the same words of each of its jobs, and its hundred megabytes are a few
 * then.
 */
public final class KeptOutput {

  /** Of the heap that one output may take; several commands are under way at a time. */
  static final int HEAP_SHARE = 8;

  /** So many bytes are kept as they come. */
  private static final int PLAIN_BYTES = 1 << 20;

  private static final int BUFFER_BYTES = 1 << 16;

  private final long most;
  private final long keptMost;
  private final List<byte[]> plain = new ArrayList<>();
  private final List<byte[]> packed = new ArrayList<>();
  private final byte[] buffer = new byte[BUFFER_BYTES];
  private Deflater packer;
  private long size;
  private long kept;
  private boolean over;
  private boolean closed;

  /**
   * @param most bytes of it
   */
  public KeptOutput(long most) {
    this(most, heapMost());
  }

  /**
   * @param keptMost bytes that it may take here
   */
  KeptOutput(long most, long keptMost) {
    this.most = most;
    this.keptMost = keptMost;
  }

  /** What an output may take of this process's heap, in bytes. */
  public static long heapMost() {
    return Runtime.getRuntime().maxMemory() / HEAP_SHARE;
  }

  /**
   * Takes bytes, which stay the caller's.
   *
   * @return false when more came than is kept, now or before
   */
  public synchronized boolean add(byte[] bytes, int begin, int length) {
    int fits = (int) Math.min(length, most - size);
    if (closed || over) {
      return !over;
    }
    over = fits < length;
    size += fits;
    if (packer == null && size <= PLAIN_BYTES) {
      plain.add(Arrays.copyOfRange(bytes, begin, begin + fits));
      kept += fits;
    } else {
      pack(bytes, begin, fits);
    }
    over |= kept > keptMost;
    return !over;
  }

  private void pack(byte[] bytes, int begin, int length) {
    if (packer == null) {
      packer = new Deflater(Deflater.BEST_SPEED, true);
    }
    packer.setInput(bytes, begin, length);
    while (!packer.needsInput()) {
      take();
    }
  }

  private void take() {
    int got = packer.deflate(buffer);
    if (got > 0) {
      packed.add(Arrays.copyOf(buffer, got));
      kept += got;
    }
  }

  /** Whether more came than is kept. */
  public synchronized boolean isTooLong() {
    return over;
  }

  /** What has come; nothing is taken any more. */
  public synchronized OutsideText text() {
    if (packer != null && !closed) {
      packer.finish();
      while (!packer.finished()) {
        take();
      }
      packer.end();
    }
    closed = true;
    return new OutsideText(plain, packed);
  }
}
