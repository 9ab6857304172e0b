package io.millrace.connectors.connect;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;

/**
 * A folder with the commands of a real system, of which the one that submits and the one that asks
 * for the queue lose, cut, delay or refuse answers when they are told to.
 */
final class LyingCommands {

  /** Answers are lost, cut in their number, or come too late, in turn. */
  private static final String SUBMITTING =
      """
      #!/bin/bash
      own='%1$s' real='%2$s'
      if rmdir "$own/lose" 2>/dev/null; then
        mv "$own/dark" "$own/blind" 2>/dev/null
        "$real" "$@" >/dev/null; kill -KILL $$
      fi
      if rmdir "$own/twice" 2>/dev/null; then
        text=$(sed 's#/bin/mkdir "$folder"#/bin/mkdir -p "$folder"#'; echo x)
        printf %%s "${text%%x}" | "$real" "$@" >/dev/null
        printf %%s "${text%%x}" | exec "$real" "$@"
        exit
      fi
      if [ -d "$own/failing" ]; then
        echo >> "$own/submitted"
        case $(($(wc -l < "$own/submitted") %% 6)) in
        1) echo lost >> "$own/failed"; "$real" "$@" >/dev/null; kill -KILL $$ ;;
        3) echo cut >> "$own/failed"; said=$("$real" "$@"); printf %%s "${said:0:1}"; exit ;;
        5) echo late >> "$own/failed"; "$real" "$@"; exec sleep 30 ;;
        esac
      fi
      exec "$real" "$@"
      """;

  /** Half an answer, as of a command that was killed, ends well all the same. */
  private static final String ASKING =
      """
      #!/bin/bash
      own='%1$s' real='%2$s'
      if [ -d "$own/blind" ]; then echo asked >> "$own/questions"; echo 'no answer' >&2; exit 1; fi
      if [ -d "$own/slow" ]; then
        said=$("$real" "$@"; echo x)
        date +%%s%%3N >> "$own/questions"
        sleep %3$d
        printf %%s "${said%%x}"; exit
      fi
      if [ -d "$own/failing" ]; then
        echo >> "$own/asked"
        if [ $(($(wc -l < "$own/asked") %% 3)) = 0 ]; then
          said=$("$real" "$@"); echo asked >> "$own/failed"
          printf %%s "${said:0:$((${#said} / 2))}"; exit
        fi
      fi
      exec "$real" "$@"
      """;

  /** What a slow answer takes. */
  private static final int SLOW_S = 3;

  /** What comes after it at least, which is twenty times as long. */
  static final Duration PAUSE = Duration.ofSeconds(SLOW_S * 20);

  private final Path folder;
  private final Path own;

  /**
   * @param folder of the commands; may be there
   * @param own of what they are told and remember; may be there
   * @param account that submits
   */
  LyingCommands(Path folder, Path own, String account) throws IOException {
    this.folder = open(Files.createDirectories(folder));
    this.own = Files.createDirectories(own);
    Files.setOwner(
        own,
        FileSystems.getDefault().getUserPrincipalLookupService().lookupPrincipalByName(account));
  }

  /** Lets everybody enter or start it. */
  static Path open(Path path) throws IOException {
    return Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  /**
   * @param submitting name of the command that submits
   * @param asking name of the command that asks for the queue
   */
  void make(List<String> programs, String submitting, String asking) throws IOException {
    for (String name : programs) {
      Path real = Path.of("/usr/bin", name);
      Path here = folder.resolve(name);
      if (name.equals(submitting)) {
        open(Files.writeString(here, SUBMITTING.formatted(own, real)));
      } else if (name.equals(asking)) {
        open(Files.writeString(here, ASKING.formatted(own, real, SLOW_S)));
      } else if (!Files.exists(here)) {
        Files.createSymbolicLink(here, real);
      }
    }
  }

  Path folder() {
    return folder;
  }

  /**
   * From here on each second submission fails in one of three ways, and each third answer about the
   * queue breaks off.
   */
  void failing() throws IOException {
    shared("submitted");
    shared("asked");
    shared("failed");
    Files.createDirectory(own.resolve("failing"));
  }

  /** Kinds of failures since then, each as often as there were of it; from here on none fails. */
  List<String> failed() throws IOException {
    Files.deleteIfExists(own.resolve("failing"));
    return Files.readAllLines(own.resolve("failed"));
  }

  private void shared(String name) throws IOException {
    Files.setPosixFilePermissions(
        Files.writeString(own.resolve(name), ""), PosixFilePermissions.fromString("rw-rw-rw-"));
  }

  /** The next submission is carried out twice, each without a claim: a planted mistake. */
  void begunTwice() throws IOException {
    Files.createDirectory(own.resolve("twice"));
  }

  /** The next submission is carried out, and its answer lost. */
  void loseOne() throws IOException {
    Files.createDirectory(own.resolve("lose"));
  }

  /** The same, and from then on the queue is not told. */
  void loseOneInTheDark() throws IOException {
    shared("questions");
    Files.createDirectory(own.resolve("dark"));
    loseOne();
  }

  boolean isLost() {
    return !Files.exists(own.resolve("lose"));
  }

  /** From here on each answer about the queue takes seconds. */
  void slow() throws IOException {
    shared("questions");
    Files.createDirectory(own.resolve("slow"));
  }

  /**
   * A line for each question since then; of slow ones as of when the answer is, in ms since 1970.
   */
  List<String> questions() throws IOException {
    return Files.readAllLines(own.resolve("questions"));
  }

  /** Questions are answered again, and at once. */
  void answering() throws IOException {
    Files.deleteIfExists(own.resolve("blind"));
    Files.deleteIfExists(own.resolve("slow"));
  }
}
