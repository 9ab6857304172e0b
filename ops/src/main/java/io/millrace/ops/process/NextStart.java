package io.millrace.ops.process;

import io.millrace.ops.home.Home;
import io.millrace.ops.home.SmallFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;

/** What is told of a part that ended soon after its start, again and again. */
public final class NextStart {

  private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss");

  private NextStart() {}

  /**
   * Notes when a part is started again.
   *
   * @param shortLives how often it ended soon after its start
   */
  public static void write(Home home, String part, int shortLives, Instant at) throws IOException {
    String text =
        "ended soon after its start, %d %s; started again at %s\n"
            .formatted(
                shortLives,
                shortLives == 1 ? "time" : "times",
                TIME.format(at.atZone(ZoneId.systemDefault())));
    SmallFile.write(home.nextStart(part), text);
  }

  public static void forget(Home home, String part) throws IOException {
    Files.deleteIfExists(home.nextStart(part));
  }

  /** The words for a part that is down; empty when there are none. */
  public static String words(Home home, String part) throws IOException {
    Path file = home.nextStart(part);
    return Files.exists(file) ? Files.readString(file).strip() : "";
  }
}
