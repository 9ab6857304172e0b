package io.millrace.server.accounting.file;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.server.accounting.book.AccountBook;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One file a day, named {@code 20261120}; a line goes into the file of its own day. */
public final class DayFiles {

  private static final Logger LOG = LoggerFactory.getLogger(DayFiles.class);
  private static final DateTimeFormatter DAY = DateTimeFormatter.ofPattern("yyyyMMdd", Locale.ROOT);
  private static final String NAME = "\\d{8}";

  /** Read by the owner of the home and his group: lines tell who does what. */
  private static final FileAttribute<Set<PosixFilePermission>> FILE = mode("rw-r-----");

  private static final Set<OpenOption> WRITING =
      Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);

  private static final FileAttribute<Set<PosixFilePermission>> FOLDER = mode("rwxr-x---");

  private final Path folder;
  private final String prefix;
  private final LocalTimes days;
  private final Map<String, Long> kept = new TreeMap<>();
  private final Map<String, List<DayLine>> unwritten = new TreeMap<>();
  private int unwrittenBytes;

  private record DayLine(long atMs, byte[] text) {}

  public DayFiles(Path folder, ZoneId zone) {
    this(folder, "", zone);
  }

  private static FileAttribute<Set<PosixFilePermission>> mode(String mode) {
    return PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(mode));
  }

  /**
   * @param prefix of the names of these files in the book; with one, what stands there already is
   *     left and added to
   */
  public DayFiles(Path folder, String prefix, ZoneId zone) {
    this.folder = folder;
    this.prefix = prefix;
    this.days = new LocalTimes(DAY, zone);
  }

  /**
   * Cuts off what was written and not kept. Files that an administrator moved away or compressed
   * are left to him, and so are those that were not written here.
   *
   * @throws IOException when the files are those of another book: they would all be written again
   */
  public void open(AccountBook book) throws IOException {
    if (!Files.isDirectory(folder)) {
      Files.createDirectories(folder, FOLDER);
    }
    if (prefix.isEmpty() && book.blank()) {
      refuseOthers();
      book.begin();
    }
    book.lengths()
        .forEach(
            (file, length) -> {
              if (file.matches(Pattern.quote(prefix) + NAME)) {
                kept.put(file.substring(prefix.length()), length);
              }
            });
    for (Map.Entry<String, Long> file : kept.entrySet()) {
      Path path = folder.resolve(file.getKey());
      if (Files.exists(path)) {
        cut(path, file.getValue());
      }
    }
  }

  private void refuseOthers() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.sorted().toList()) {
        if (file.getFileName().toString().matches(NAME) && Files.size(file) > 0) {
          throw new IOException(
              file
                  + " has lines, but what was kept about them in "
                  + folder.resolve(".state")
                  + " is gone: move the files of the days elsewhere (all that the ledger holds is"
                  + " written anew), or restore that folder, too; ./millrace accounting --into DIR"
                  + " shows what the ledger holds");
        }
      }
    }
  }

  private static void cut(Path file, long length) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      if (channel.size() > length) {
        channel.truncate(length);
      } else if (channel.size() < length) {
        LOG.warn("{} has {} of the {} bytes that were written", file, channel.size(), length);
      }
    }
  }

  /** Adds a line, which has no line end. */
  public void add(long atMs, String line) {
    byte[] text = (line + "\n").getBytes(UTF_8);
    unwritten.computeIfAbsent(days.at(atMs), it -> new ArrayList<>()).add(new DayLine(atMs, text));
    unwrittenBytes += text.length;
  }

  /** Gives what is not written to the files of another folder. */
  public void moveTo(DayFiles others) {
    unwritten.forEach(
        (day, lines) ->
            others.unwritten.computeIfAbsent(day, it -> new ArrayList<>()).addAll(lines));
    others.unwrittenBytes += unwrittenBytes;
    unwritten.clear();
    unwrittenBytes = 0;
  }

  /** How much is added and not written. */
  public int unwritten() {
    return unwrittenBytes;
  }

  /**
   * Writes what was added, down to the disk; the book has the new lengths then, not yet kept.
   * Shards are heard one after the other: what is written at once stands in the order of its time.
   */
  public void write(AccountBook book) throws IOException {
    for (Map.Entry<String, List<DayLine>> day : unwritten.entrySet()) {
      Path file = folder.resolve(day.getKey());
      try (FileChannel channel = FileChannel.open(file, WRITING, FILE)) {
        long begin = channel.size();
        if (kept.getOrDefault(day.getKey(), -1L) != begin) {
          // New, or somebody's: what stands there now is never cut off.
          book.lengthNow(prefix + day.getKey(), begin);
        }
        ByteBuffer bytes = ByteBuffer.wrap(inOrder(day.getValue()));
        channel.position(begin);
        while (bytes.hasRemaining()) {
          channel.write(bytes);
        }
        channel.force(true);
        kept.put(day.getKey(), channel.position());
        book.length(prefix + day.getKey(), channel.position());
      }
    }
    unwritten.clear();
    unwrittenBytes = 0;
  }

  private static byte[] inOrder(List<DayLine> lines) {
    lines.sort(Comparator.comparingLong(DayLine::atMs));
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    lines.forEach(line -> text.writeBytes(line.text()));
    return text.toByteArray();
  }
}
