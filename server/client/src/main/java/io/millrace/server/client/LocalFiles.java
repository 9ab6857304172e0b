package io.millrace.server.client;

import java.io.File;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * The files and the standard input of this process, read with its own rights.
 *
 * <p>Standard input that comes from a file is read again from where it began; from a pipe or a
 * terminal, up to {@link #REPLAY_MAX} bytes are kept for a second run. What can be read only once
 * ends {@link #repeatable}.
 */
final class LocalFiles {
  private static final int REPLAY_MAX = 2 * 1024 * 1024;
  private final FileInputStream input = new FileInputStream(FileDescriptor.in);
  private final InputStream source;
  private final boolean inputIsFile = new File("/proc/self/fd/0").isFile();
  private final FileInputStream[] open = new FileInputStream[Frames.HANDLES];
  private final Bytes typed = new Bytes();
  private final byte[] buffer = new byte[Frames.PAYLOAD_MAX];
  private int replayed;
  private boolean inputEnded;
  private boolean inputTouched;
  private long inputStart;
  private boolean repeatable = true;

  /** Standard input that is no file comes from this source. */
  LocalFiles(InputStream source) {
    this.source = source;
  }

  /** Whether all that was read so far can be read a second time. */
  boolean repeatable() {
    return repeatable;
  }

  /** The bytes of the last read that returned a count. */
  byte[] buffer() {
    return buffer;
  }

  FileInputStream openToRead(String path) throws IOException {
    FileInputStream stream = new FileInputStream(path);
    if (!new File(path).isFile()) {
      repeatable = false;
    }
    return stream;
  }

  void openHandle(int handle, String path) throws IOException {
    if (handle >= open.length || open[handle] != null) {
      throw new IOException("Too many open files");
    }
    open[handle] = openToRead(path);
  }

  /** Bytes read into {@link #buffer}, or -1 at the end. */
  int readHandle(int handle, int most) throws IOException {
    if (handle >= open.length || open[handle] == null) {
      throw new IOException("Bad file descriptor");
    }
    return open[handle].read(buffer, 0, bounded(most));
  }

  void closeHandle(int handle) throws IOException {
    if (handle < open.length && open[handle] != null) {
      open[handle].close();
      open[handle] = null;
    }
  }

  /** Bytes of standard input read into {@link #buffer}, or -1 at its end. */
  int readInput(int most) throws IOException {
    if (inputIsFile) {
      if (!inputTouched) {
        inputTouched = true;
        inputStart = input.getChannel().position();
      }
      return input.read(buffer, 0, bounded(most));
    }
    if (replayed < typed.length()) {
      int part = Math.min(bounded(most), typed.length() - replayed);
      System.arraycopy(typed.array(), replayed, buffer, 0, part);
      replayed += part;
      return part;
    }
    return inputEnded ? -1 : readOnce(bounded(most));
  }

  private int readOnce(int most) throws IOException {
    int got = source.read(buffer, 0, most);
    if (got < 0) {
      inputEnded = true;
    } else if (typed.length() + got > REPLAY_MAX) {
      repeatable = false;
    } else if (repeatable) {
      typed.add(buffer, got);
      replayed = typed.length();
    }
    return got;
  }

  /** Everything as it was before the first request. */
  void rewind() throws IOException {
    for (int handle = 0; handle < open.length; handle++) {
      closeHandle(handle);
    }
    replayed = 0;
    if (inputTouched) {
      input.getChannel().position(inputStart);
    }
  }

  private static int bounded(int most) {
    return most < 0 || most > Frames.PAYLOAD_MAX ? Frames.PAYLOAD_MAX : most;
  }
}
