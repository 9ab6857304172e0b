package io.millrace.connectors.bridge.tail;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32;

/**
 * Reads on in a file that grows, is renamed, is cut short or is copied and cut short. It keeps
 * nothing open and nothing in memory between calls: all that it needs is in the position.
 */
public final class FileTail {

  /** A longer line is no line of any accounting file. */
  static final int LINE_MOST = 64 * 1024;

  private static final int MARK_BYTES = 256;

  private final Path path;
  private final int readMost;

  /**
   * @param readMost bytes that one call reads at most
   */
  public FileTail(Path path, int readMost) {
    this.path = path;
    this.readMost = Math.max(readMost, 2 * LINE_MOST);
  }

  /** The end of the file as it is; the begin of one that is not there yet. */
  public TailPosition end() throws IOException {
    try (FileChannel file = FileChannel.open(path, StandardOpenOption.READ)) {
      long size = file.size();
      long offset = behindLastLine(file, size);
      return new TailPosition(identity(path), offset, mark(file, offset));
    } catch (NoSuchFileException e) {
      return new TailPosition("0", 0, "0");
    }
  }

  /**
   * Reads whole lines from a position on. A renamed file is read as long as its successor is empty:
   * whoever writes may have it open still.
   */
  public TailRead read(TailPosition from) throws IOException {
    boolean exists = Files.exists(path);
    if (from.file().equals("0")) {
      return exists
          ? readIn(path, new TailPosition(identity(path), 0, "0"), true)
          : new TailRead(List.of(), from, true, false, 0);
    }
    if (exists && from.file().equals(identity(path))) {
      return readIn(path, from, true);
    }
    Optional<Path> old = renamed(from.file());
    if (old.isEmpty()) {
      TailRead fresh = read(new TailPosition("0", 0, "0"));
      return new TailRead(fresh.lines(), fresh.position(), fresh.atEnd(), true, fresh.overlong());
    }
    boolean grows = !exists || Files.size(path) == 0;
    TailRead rest = readIn(old.get(), from, grows);
    if (grows || !rest.atEnd()) {
      return rest;
    }
    TailPosition next = new TailPosition(identity(path), 0, "0");
    boolean gap = rest.gap() || skipped(old.get());
    return new TailRead(rest.lines(), next, false, gap, rest.overlong());
  }

  /** Whether the file was renamed more than once since: what stood between is not read. */
  private boolean skipped(Path old) throws IOException {
    String present = identity(path);
    FileTime last = Files.getLastModifiedTime(old);
    for (Path other : beside()) {
      if (!other.equals(old)
          && !identity(other).equals(present)
          && Files.getLastModifiedTime(other).compareTo(last) >= 0) {
        return true;
      }
    }
    return false;
  }

  /** The file and what was renamed from it. */
  private List<Path> beside() throws IOException {
    List<Path> files = new ArrayList<>();
    String name = String.valueOf(path.getFileName());
    try (DirectoryStream<Path> all =
        Files.newDirectoryStream(path.toAbsolutePath().getParent(), name + "*")) {
      for (Path other : all) {
        if (Files.isRegularFile(other)) {
          files.add(other);
        }
      }
    }
    return files;
  }

  private TailRead readIn(Path file, TailPosition from, boolean grows) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      long offset = from.offset();
      boolean gap = false;
      if (channel.size() < offset || !mark(channel, offset).equals(from.mark())) {
        offset = 0;
        gap = true;
      }
      long size = channel.size();
      ByteBuffer bytes = ByteBuffer.allocate((int) Math.min(readMost, size - offset));
      while (bytes.hasRemaining() && channel.read(bytes, offset + bytes.position()) >= 0) {
        // Until the buffer is full or the file has ended.
      }
      bytes.flip();
      boolean last = offset + bytes.limit() >= size;
      WholeLines lines = new WholeLines(inLine(channel, offset), last && !grows);
      lines.take(bytes.array(), bytes.limit(), last);
      long next = offset + lines.used;
      TailPosition position = new TailPosition(from.file(), next, mark(channel, next));
      return new TailRead(lines.whole, position, lines.atEnd, gap, lines.overlong);
    }
  }

  /** The file of this identity beside the present one, under whatever name it has now. */
  private Optional<Path> renamed(String identity) throws IOException {
    for (Path other : beside()) {
      if (identity(other).equals(identity)) {
        return Optional.of(other);
      }
    }
    return Optional.empty();
  }

  private static String identity(Path file) throws IOException {
    return String.valueOf(Files.getAttribute(file, "unix:ino"));
  }

  private static long behindLastLine(FileChannel file, long size) throws IOException {
    long begin = Math.max(0, size - LINE_MOST);
    ByteBuffer bytes = ByteBuffer.allocate((int) (size - begin));
    while (bytes.hasRemaining() && file.read(bytes, begin + bytes.position()) >= 0) {
      // Until the buffer is full or the file has ended.
    }
    for (int i = bytes.position() - 1; i >= 0; i--) {
      if (bytes.get(i) == '\n') {
        return begin + i + 1;
      }
    }
    return begin;
  }

  private static String mark(FileChannel file, long offset) throws IOException {
    if (offset == 0) {
      return "0";
    }
    int length = (int) Math.min(MARK_BYTES, offset);
    ByteBuffer bytes = ByteBuffer.allocate(length);
    while (bytes.hasRemaining() && file.read(bytes, offset - length + bytes.position()) >= 0) {
      // Until the buffer is full or the file has ended.
    }
    CRC32 sum = new CRC32();
    sum.update(bytes.array(), 0, bytes.position());
    return Long.toHexString(sum.getValue());
  }

  /** Whether an offset stands in the middle of a line, of which the rest is then passed over. */
  private static boolean inLine(FileChannel file, long offset) throws IOException {
    ByteBuffer before = ByteBuffer.allocate(1);
    return offset > 0 && file.read(before, offset - 1) == 1 && before.get(0) != '\n';
  }

  /** The whole lines of a piece of a file. */
  private static final class WholeLines {
    private final List<String> whole = new ArrayList<>();
    private final boolean finished;
    private boolean passing;
    private int used;
    private int overlong;
    private boolean atEnd;

    /**
     * @param passing whether the piece begins with the rest of a line
     * @param finished whether nobody writes to the file any more
     */
    WholeLines(boolean passing, boolean finished) {
      this.passing = passing;
      this.finished = finished;
    }

    void take(byte[] bytes, int length, boolean last) {
      for (int i = 0; i < length; i++) {
        if (bytes[i] == '\n') {
          line(bytes, used, i - used);
          used = i + 1;
        }
      }
      int half = length - used;
      if (half > LINE_MOST || (finished && half > 0)) {
        overlong += passing ? 0 : 1;
        used = length;
      }
      atEnd = last;
    }

    private void line(byte[] bytes, int begin, int length) {
      if (passing) {
        passing = false;
      } else if (length > LINE_MOST) {
        overlong++;
      } else {
        whole.add(new String(bytes, begin, length, StandardCharsets.UTF_8));
      }
    }
  }
}
