package io.millrace.connectors.local.spool;

import io.millrace.schemas.pbs.Sizes;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Output that could not be brought to where its owner wanted it, within a bound: the oldest goes
 * first, the newest stays whatever its size.
 */
final class Undelivered {

  /** Words of a supervisor that has put output there. */
  static final String TOLD = "output kept in ";

  static final long USUAL_BYTES = 1L << 30;

  private static final Logger LOG = LoggerFactory.getLogger(Undelivered.class);
  private static final String WORD = "undelivered=";

  private final Path folder;
  private final Path site;

  Undelivered(Path spool) {
    this.folder = spool.resolve("undelivered");
    this.site = spool.resolve("site/limits");
  }

  private record UndeliveredFile(Path file, long bytes, FileTime since) {}

  /** Removes what is beyond the bound. */
  void trim() throws IOException {
    List<UndeliveredFile> all = new ArrayList<>();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.toList()) {
        add(all, file);
      }
    }
    all.sort(Comparator.comparing(UndeliveredFile::since).thenComparing(UndeliveredFile::file));
    long bound = bound();
    long sum = all.stream().mapToLong(UndeliveredFile::bytes).sum();
    for (int i = 0; i < all.size() - 1 && sum > bound; i++) {
      UndeliveredFile oldest = all.get(i);
      Files.deleteIfExists(oldest.file());
      sum -= oldest.bytes();
      LOG.warn(
          "{} ({} bytes) was removed: undelivered output has more than {}",
          oldest.file(),
          oldest.bytes(),
          Sizes.format(bound));
    }
  }

  private static void add(List<UndeliveredFile> all, Path file) throws IOException {
    try {
      BasicFileAttributes is = Files.readAttributes(file, BasicFileAttributes.class);
      if (is.isRegularFile()) {
        all.add(new UndeliveredFile(file, is.size(), is.lastModifiedTime()));
      }
    } catch (NoSuchFileException e) {
      // An administrator has taken it away meanwhile.
    }
  }

  /** What the site says, else the usual. What it says is checked by the supervisors. */
  private long bound() throws IOException {
    long bound = USUAL_BYTES;
    if (Files.isReadable(site)) {
      for (String line : Files.readAllLines(site, StandardCharsets.ISO_8859_1)) {
        if (line.startsWith(WORD)) {
          bound = Sizes.parse(line.substring(WORD.length()).strip()).orElse(USUAL_BYTES);
        }
      }
    }
    return bound;
  }
}
