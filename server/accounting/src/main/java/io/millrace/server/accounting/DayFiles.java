package io.millrace.server.accounting;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One file a day, named {@code 20261120}; a line goes into the file of its own day. */
final class DayFiles {

  private static final Logger LOG = LoggerFactory.getLogger(DayFiles.class);
  private static final DateTimeFormatter DAY = DateTimeFormatter.ofPattern("yyyyMMdd");
  private static final String NAME = "\\d{8}";

  private final Path folder;
  private final ZoneId zone;
  private final Map<String, StringBuilder> unwritten = new TreeMap<>();

  DayFiles(Path folder, ZoneId zone) {
    this.folder = folder;
    this.zone = zone;
  }

  /**
   * Cuts off what was written and not kept. Files that an administrator moved away or compressed
   * are left to him.
   *
   * @param kept bytes of each file
   */
  void cutTo(Map<String, Long> kept) throws IOException {
    Files.createDirectories(folder);
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.filter(it -> it.getFileName().toString().matches(NAME)).toList()) {
        cut(file, kept.getOrDefault(file.getFileName().toString(), 0L));
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
  void add(long atMs, String line) {
    String day = DAY.format(Instant.ofEpochMilli(atMs).atZone(zone));
    unwritten.computeIfAbsent(day, it -> new StringBuilder()).append(line).append('\n');
  }

  /**
   * Writes what was added, down to the disk.
   *
   * @return bytes of each file that has grown
   */
  Map<String, Long> write() throws IOException {
    Map<String, Long> lengths = new TreeMap<>();
    for (Map.Entry<String, StringBuilder> day : unwritten.entrySet()) {
      Path file = folder.resolve(day.getKey());
      try (FileChannel channel =
          FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
        ByteBuffer bytes = StandardCharsets.UTF_8.encode(day.getValue().toString());
        channel.position(channel.size());
        while (bytes.hasRemaining()) {
          channel.write(bytes);
        }
        channel.force(true);
        lengths.put(day.getKey(), channel.position());
      }
    }
    unwritten.clear();
    return lengths;
  }
}
