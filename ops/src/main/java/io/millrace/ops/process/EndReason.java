package io.millrace.ops.process;

import io.millrace.ops.home.Home;
import io.millrace.ops.log.LogFormatter;
import io.millrace.server.gateway.command.DiskRoom;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * Why a part ended, in one line, from what it wrote in its last life: the last severe entry of its
 * log, with the innermost exception of the last stack trace there. Where no entry is severe, the
 * innermost exception that it printed, or else the last line that it printed.
 */
public final class EndReason {

  private static final int TAIL_BYTES = 256 << 10;
  private static final int LENGTH_MAX = 300;
  private static final Pattern ENTRY =
      Pattern.compile("[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9:.]{12} [A-Z]+ .*");
  private static final Pattern SEVERE = Pattern.compile(".{23} SEVERE .*?: (.*)");
  private static final String CAUSE = "Caused by: ";

  /** An executor prints for which host, once its first beat was heard; that ends nothing. */
  private static final String SERVES = "millrace-executor: serves ";

  private static final Pattern THROWN = Pattern.compile("[a-z]\\w*(\\.\\w+)*\\.[A-Z]\\w*(: .*)?");

  private EndReason() {}

  /** Why a part that should be running has ended; empty when the reason is unknown. */
  public static String ofDead(Home home, Part part) throws IOException {
    return withDisk(of(home, part).orElse(""), DiskRoom.words(home.root()));
  }

  /**
   * A full disk leads to many different messages, and often leaves no room for any.
   *
   * @param full what is said of the disk; empty while it has room
   */
  static String withDisk(String words, String full) {
    if (full.isEmpty() || words.contains("No space left")) {
      return words;
    }
    return words.isEmpty() ? full : words + "; " + full;
  }

  /** The last message of a part that runs but does not serve. */
  static String latest(Home home, String part) throws IOException {
    String said = last(sinceStart(home, part), ENTRY.asMatchPredicate()).orElse("");
    return withDisk(said, DiskRoom.words(home.root()));
  }

  /** Why a part ended; empty when it wrote no reason. */
  public static Optional<String> of(Home home, Part part) throws IOException {
    Optional<String> logged = ofLog(sinceStart(home, part.name()));
    Optional<String> words =
        logged.isPresent() ? logged : ofPrinted(tail(home.printed(part.name())), part.readyLine());
    return words.map(w -> w.length() > LENGTH_MAX ? w.substring(0, LENGTH_MAX) + "..." : w);
  }

  static Optional<String> ofLog(List<String> lines) {
    Optional<String> severe =
        last(lines, SEVERE.asMatchPredicate()).map(line -> SEVERE.matcher(line).replaceAll("$1"));
    Optional<String> thrown = thrown(lines);
    if (severe.isEmpty() || thrown.isEmpty() || severe.get().contains(thrown.get())) {
      return severe;
    }
    return Optional.of(severe.get() + " (" + thrown.get() + ")");
  }

  /**
   * @param ready line that the part prints when it serves; empty when it prints none
   */
  static Optional<String> ofPrinted(List<String> lines, String ready) {
    Optional<String> thrown = last(lines, line -> line.startsWith(CAUSE));
    return thrown.isPresent()
        ? thrown.map(line -> line.substring(CAUSE.length()))
        : last(
            lines,
            line ->
                !line.isBlank()
                    && !Character.isWhitespace(line.charAt(0))
                    && !line.contains(SERVES)
                    && (ready.isEmpty() || !line.contains(ready)));
  }

  /** Innermost exception of the last stack trace. */
  private static Optional<String> thrown(List<String> lines) {
    return last(lines, line -> line.startsWith(CAUSE) || THROWN.matcher(line).matches())
        .map(line -> line.startsWith(CAUSE) ? line.substring(CAUSE.length()) : line);
  }

  private static Optional<String> last(List<String> lines, Predicate<String> wanted) {
    return lines.stream().filter(wanted).reduce((earlier, later) -> later);
  }

  /**
   * Lines logged since the last start: a log spans many starts, and the pid file is as old as the
   * last one.
   */
  private static List<String> sinceStart(Home home, String part) throws IOException {
    Path mark = home.pid(part);
    List<String> lines = tail(home.log(part));
    if (!Files.exists(mark)) {
      return lines;
    }
    String start =
        LogFormatter.TIME.format(
            Files.getLastModifiedTime(mark).toInstant().atZone(ZoneId.systemDefault()));
    int first = 0;
    while (first < lines.size() && !isEntryFrom(lines.get(first), start)) {
      first++;
    }
    return lines.subList(first, lines.size());
  }

  private static boolean isEntryFrom(String line, String start) {
    return ENTRY.matcher(line).matches() && line.compareTo(start) >= 0;
  }

  private static List<String> tail(Path file) throws IOException {
    if (!Files.exists(file)) {
      return List.of();
    }
    try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "r")) {
      bytes.seek(Math.max(0, bytes.length() - TAIL_BYTES));
      byte[] tail = new byte[(int) Math.min(TAIL_BYTES, bytes.length() - bytes.getFilePointer())];
      int read = bytes.read(tail);
      return new String(tail, 0, Math.max(0, read), StandardCharsets.UTF_8).lines().toList();
    }
  }
}
