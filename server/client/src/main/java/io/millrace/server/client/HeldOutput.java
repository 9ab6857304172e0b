package io.millrace.server.client;

import java.io.IOException;
import java.io.OutputStream;

/**
 * Output that waits for the exit status or a commit; bounded: what is more than {@link #MAX} is
 * shown early, as if a commit had come.
 */
final class HeldOutput {
  private static final int MAX = 8 * 1024 * 1024;
  private final OutputStream out;
  private final OutputStream err;
  private final Bytes held = new Bytes();
  private boolean committed;
  private IOException failure;

  HeldOutput(Streams streams) {
    this.out = streams.out();
    this.err = streams.err();
  }

  /** Keeps a frame, or shows it when output is committed. */
  void add(int type, byte[] payload) {
    held.frame(type, payload, payload.length);
    if (committed || held.length() > MAX) {
      commit();
    }
  }

  /** Shows what is held, in the order in which it came, and everything from here on at once. */
  void commit() {
    committed = true;
    byte[] bytes = held.array();
    int at = 0;
    while (at < held.length()) {
      int length = Bytes.number(bytes, at + 1);
      write(bytes[at] == Frames.OUT, bytes, at + Frames.HEADER, length);
      at += Frames.HEADER + length;
    }
    held.clear();
  }

  private void write(boolean toOut, byte[] bytes, int at, int length) {
    try {
      (toOut ? out : err).write(bytes, at, length);
    } catch (IOException e) {
      // The command did its work; a closed standard error leaves nobody to tell.
      failure = failure == null && toOut ? e : failure;
    }
  }

  /** Shows a line of standard error that belongs to no output. */
  void note(byte[] line) {
    write(false, line, 0, line.length);
  }

  /** Forgets what is held: the invocation begins again. */
  void drop() {
    held.clear();
  }

  boolean committed() {
    return committed;
  }

  /** The first failure of standard output, or null. */
  IOException failure() {
    return failure;
  }
}
