package io.millrace.connectors.openpbs.family;

import io.millrace.connectors.bridge.tail.FileTail;
import io.millrace.connectors.bridge.tail.TailPosition;
import io.millrace.connectors.bridge.tail.TailRead;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * A folder with an accounting file for each day, read on from a place in one of them. A day is left
 * for the next one when a file of that was there before the day was read to its end: from then on
 * nobody writes to the older one.
 */
public final class AccountingDays {

  private static final int READ_MOST = 1 << 20;
  private static final Pattern DAY = Pattern.compile("[0-9]{8}");
  private static final TailPosition BEGIN = new TailPosition("0", 0, "0");

  private final Path folder;

  public AccountingDays(Path folder) {
    this.folder = folder;
  }

  /**
   * What a call has read.
   *
   * @param read the lines; its position is of the file of that day
   * @param cursor where to go on
   */
  public record AccountingDaysRead(TailRead read, String cursor) {}

  /** The present end for an empty cursor, or one that is none. */
  public AccountingDaysRead read(String cursor) throws IOException {
    TreeSet<String> days = days();
    String[] parts = cursor.split(" ", 2);
    Optional<TailPosition> from =
        parts.length == 2 && DAY.matcher(parts[0]).matches()
            ? TailPosition.read(parts[1])
            : Optional.empty();
    if (from.isEmpty()) {
      String day = days.isEmpty() ? "00000000" : days.last();
      TailPosition end = tail(day).end();
      return new AccountingDaysRead(new TailRead(List.of(), end, true, false, 0), day + " " + end);
    }
    String later = days.higher(parts[0]);
    TailRead read = tail(parts[0]).read(from.get());
    if (later == null || !read.atEnd()) {
      return new AccountingDaysRead(read, parts[0] + " " + read.position());
    }
    TailRead more = new TailRead(read.lines(), read.position(), false, read.gap(), read.overlong());
    return new AccountingDaysRead(more, later + " " + BEGIN);
  }

  private FileTail tail(String day) {
    return new FileTail(folder.resolve(day), READ_MOST);
  }

  private TreeSet<String> days() throws IOException {
    TreeSet<String> days = new TreeSet<>();
    try (DirectoryStream<Path> all = Files.newDirectoryStream(folder)) {
      for (Path file : all) {
        String name = String.valueOf(file.getFileName());
        if (DAY.matcher(name).matches() && Files.isRegularFile(file)) {
          days.add(name);
        }
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    return days;
  }
}
