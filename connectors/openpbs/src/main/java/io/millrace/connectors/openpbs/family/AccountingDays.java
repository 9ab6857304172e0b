package io.millrace.connectors.openpbs.family;

import io.millrace.connectors.bridge.files.FileFacts;
import io.millrace.connectors.bridge.files.OutsideFiles;
import io.millrace.connectors.bridge.tail.FileTail;
import io.millrace.connectors.bridge.tail.TailPosition;
import io.millrace.connectors.bridge.tail.TailRead;
import java.io.IOException;
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

  private final OutsideFiles files;
  private final Path folder;
  private FileTail tail;
  private String tailOf = "";

  public AccountingDays(OutsideFiles files, Path folder) {
    this.files = files;
    this.folder = folder;
  }

  /**
   * What a call has read.
   *
   * @param read the lines; its position is of the file of that day
   * @param cursor where to go on
   */
  public record AccountingDaysRead(TailRead read, String cursor) {}

  Path folder() {
    return folder;
  }

  /** The present end for an empty cursor, or one that is none. */
  public AccountingDaysRead read(String cursor) throws IOException {
    String[] parts = cursor.split(" ", 2);
    Optional<TailPosition> from =
        parts.length == 2 && DAY.matcher(parts[0]).matches()
            ? TailPosition.read(parts[1])
            : Optional.empty();
    TreeSet<String> days = days(from.isEmpty() ? "" : parts[0]);
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
    if (!day.equals(tailOf)) {
      tail = new FileTail(files, folder.resolve(day), READ_MOST);
      tailOf = day;
    }
    return tail;
  }

  /** Days that have a file; older ones than the one that is read are not looked at. */
  private TreeSet<String> days(String from) throws IOException {
    TreeSet<String> names = new TreeSet<>();
    for (Path file : files.list(folder)) {
      String name = String.valueOf(file.getFileName());
      if (DAY.matcher(name).matches()) {
        names.add(name);
      }
    }
    TreeSet<String> days = new TreeSet<>();
    for (String day : names.descendingSet()) {
      boolean older = from.isEmpty() ? !days.isEmpty() : day.compareTo(from) < 0;
      if (older) {
        break;
      }
      if (files.facts(folder.resolve(day)).filter(FileFacts::isRegular).isPresent()) {
        days.add(day);
      }
    }
    return days;
  }
}
