package io.millrace.connectors.bridge.tail;

import io.millrace.connectors.bridge.files.FileFacts;
import io.millrace.connectors.bridge.files.OutsideFile;
import io.millrace.connectors.bridge.files.OutsideFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32;

/**
 * Reads on in a file that grows, is renamed, is cut short or is copied and cut short. It keeps
 * nothing open between calls, and all that it needs is in the position.
 */
public final class FileTail {

  /** A longer line is no line of any accounting file. */
  static final int LINE_MOST = 64 * 1024;

  private static final int MARK_BYTES = 256;

  private static final TailPosition NOT_THERE = new TailPosition("0", 0, "0");

  private final OutsideFiles files;
  private final Path path;
  private final int readMost;
  private Optional<QuietFile> quiet = Optional.empty();

  /** A file that was read to its end: as long as nothing is written there is nothing to read. */
  private record QuietFile(TailPosition position, long size, Instant modified) {}

  /**
   * @param readMost bytes that one call reads at most
   */
  public FileTail(OutsideFiles files, Path path, int readMost) {
    this.files = files;
    this.path = path;
    this.readMost = Math.max(readMost, 2 * LINE_MOST);
  }

  /** The end of the file as it is; the begin of one that is not there yet. */
  public TailPosition end() throws IOException {
    try (OutsideFile file = files.open(path)) {
      long offset = behindLastLine(file, file.size());
      return new TailPosition(file.identity(), offset, mark(file, offset));
    } catch (NoSuchFileException e) {
      return NOT_THERE;
    }
  }

  /**
   * Reads whole lines from a position on. A renamed file is read as long as its successor is empty:
   * whoever writes may have it open still.
   */
  public TailRead read(TailPosition from) throws IOException {
    Optional<FileFacts> facts = files.facts(path);
    if (facts.isPresent() && isQuiet(from, facts.get())) {
      return new TailRead(List.of(), from, true, false, 0);
    }
    TailRead read = read(from, facts);
    quiet =
        facts
            .filter(it -> files.isFar() && read.atEnd() && read.lines().isEmpty() && !read.gap())
            .map(it -> new QuietFile(read.position(), it.size(), it.modified()));
    return read;
  }

  private boolean isQuiet(TailPosition from, FileFacts now) {
    return quiet
        .filter(it -> it.equals(new QuietFile(from, now.size(), now.modified())))
        .isPresent();
  }

  private TailRead read(TailPosition from, Optional<FileFacts> facts) throws IOException {
    boolean exists = facts.isPresent();
    if (from.file().equals(NOT_THERE.file())) {
      return exists ? readIn(path, NOT_THERE, true) : new TailRead(List.of(), from, true, false, 0);
    }
    if (exists && files.is(path, from.file())) {
      TailRead read = readIn(path, from, true);
      boolean gap = read.gap() || isOfAnother(from.file());
      return new TailRead(read.lines(), read.position(), read.atEnd(), gap, read.overlong());
    }
    Optional<Path> old = renamed(from.file());
    if (old.isEmpty()) {
      TailRead fresh = read(NOT_THERE, facts);
      return new TailRead(fresh.lines(), fresh.position(), fresh.atEnd(), true, fresh.overlong());
    }
    boolean grows = !exists || facts.get().size() == 0;
    TailRead rest = readIn(old.get(), from, grows);
    if (grows || !rest.atEnd()) {
      return rest;
    }
    TailPosition next;
    try (OutsideFile file = files.open(path)) {
      next = new TailPosition(file.identity(), 0, "0");
    }
    boolean gap = rest.gap() || skipped(old.get());
    return new TailRead(rest.lines(), next, false, gap, rest.overlong());
  }

  /** Whether another file may be the one of an identity as well, and have lines behind it. */
  private boolean isOfAnother(String identity) throws IOException {
    if (files.isSure(identity)) {
      return false;
    }
    for (Path other : beside()) {
      if (!other.equals(path) && files.mayBe(other, identity)) {
        return true;
      }
    }
    return false;
  }

  /** Whether the file was renamed more than once since: what stood between is not read. */
  private boolean skipped(Path old) throws IOException {
    Instant last = modified(old);
    for (Path other : beside()) {
      if (!other.equals(old) && !other.equals(path) && !modified(other).isBefore(last)) {
        return true;
      }
    }
    return false;
  }

  private Instant modified(Path file) throws IOException {
    return files.facts(file).map(FileFacts::modified).orElse(Instant.MIN);
  }

  /** The file and what was renamed from it. */
  private List<Path> beside() throws IOException {
    List<Path> beside = new ArrayList<>();
    String name = String.valueOf(path.getFileName());
    for (Path other : files.list(path.toAbsolutePath().getParent())) {
      boolean named = String.valueOf(other.getFileName()).startsWith(name);
      if (named && files.facts(other).filter(FileFacts::isRegular).isPresent()) {
        beside.add(other);
      }
    }
    return beside;
  }

  private TailRead readIn(Path name, TailPosition from, boolean grows) throws IOException {
    try (OutsideFile file = files.open(name)) {
      long offset = from.offset();
      boolean gap = false;
      if (file.size() < offset || !mark(file, offset).equals(from.mark())) {
        offset = 0;
        gap = true;
      }
      long size = file.size();
      byte[] bytes = file.read(offset, readMost);
      boolean last = offset + bytes.length >= size;
      WholeLines lines = new WholeLines(inLine(file, offset), last && !grows);
      lines.take(bytes, bytes.length, last);
      long next = offset + lines.used;
      TailPosition position = new TailPosition(file.identity(), next, mark(file, next));
      return new TailRead(lines.whole, position, lines.atEnd, gap, lines.overlong);
    }
  }

  /** The file of this identity beside the present one, under whatever name it has now. */
  private Optional<Path> renamed(String identity) throws IOException {
    for (Path other : beside()) {
      if (files.is(other, identity)) {
        return Optional.of(other);
      }
    }
    return Optional.empty();
  }

  private static long behindLastLine(OutsideFile file, long size) throws IOException {
    long begin = Math.max(0, size - LINE_MOST);
    byte[] bytes = file.read(begin, (int) (size - begin));
    for (int i = bytes.length - 1; i >= 0; i--) {
      if (bytes[i] == '\n') {
        return begin + i + 1;
      }
    }
    return begin;
  }

  private static String mark(OutsideFile file, long offset) throws IOException {
    if (offset == 0) {
      return "0";
    }
    int length = (int) Math.min(MARK_BYTES, offset);
    CRC32 sum = new CRC32();
    sum.update(file.read(offset - length, length));
    return Long.toHexString(sum.getValue());
  }

  /** Whether an offset stands in the middle of a line, of which the rest is then passed over. */
  private static boolean inLine(OutsideFile file, long offset) throws IOException {
    byte[] before = offset > 0 ? file.read(offset - 1, 1) : new byte[0];
    return before.length == 1 && before[0] != '\n';
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
