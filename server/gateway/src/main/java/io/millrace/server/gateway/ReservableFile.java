package io.millrace.server.gateway;

import io.millrace.reservations.classad.asked.LoadedRule;
import io.millrace.reservations.classad.text.ClassAdRefused;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.time.ZoneId;
import java.util.Optional;

/**
 * The file {@code server_priv/reservable.ad} of a home, looked at again and again. What is wrong is
 * told once, and the text before stays.
 */
final class ReservableFile {

  /**
   * What a look has found.
   *
   * @param text that is to count from now on; empty for none
   * @param wrong why the file is passed over, to be read behind its name, such as ":3: column 5:
   *     ..."; empty when it is not
   */
  record Found(String text, String wrong) {}

  /** What tells one state of the file from another. */
  private record Stamp(Object file, Object rights, long sizeBytes, long modifiedMs) {}

  private static final Stamp MISSING = new Stamp(null, null, -1, -1);

  private final Path file;
  private final ZoneId zone;
  private Stamp last = MISSING;
  private boolean missed;

  ReservableFile(Path file, ZoneId zone) {
    this.file = file;
    this.zone = zone;
  }

  /**
   * Looks at the file. Editors remove a file before they write it anew: one that was there counts
   * as gone when two looks in a row do not find it.
   *
   * @return empty when nothing is new
   */
  Optional<Found> look() {
    try {
      PosixFileAttributes now =
          Files.readAttributes(file, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      Stamp stamp =
          new Stamp(
              now.fileKey(), now.permissions(), now.size(), now.lastModifiedTime().toMillis());
      missed = false;
      if (stamp.equals(last)) {
        return Optional.empty();
      }
      last = stamp;
      String wrong = refusal(now);
      return Optional.of(wrong.isEmpty() ? read() : new Found("", ": " + wrong));
    } catch (NoSuchFileException e) {
      return gone();
    } catch (IOException e) {
      return wrong(e.toString());
    }
  }

  private Optional<Found> gone() {
    if (last.equals(MISSING)) {
      return Optional.empty();
    }
    if (!missed) {
      missed = true;
      return Optional.empty();
    }
    last = MISSING;
    return Optional.of(new Found("", ""));
  }

  /** A trouble that lasts is told once. */
  private Optional<Found> wrong(String why) {
    Stamp stamp = new Stamp(why, null, -1, -1);
    boolean told = stamp.equals(last);
    last = stamp;
    return told ? Optional.empty() : Optional.of(new Found("", ": " + why));
  }

  /** Whoever may write the file says who may reserve nodes: only its owner may. */
  private static String refusal(PosixFileAttributes now) {
    if (!now.isRegularFile()) {
      return "it is no regular file";
    }
    if (now.permissions().contains(PosixFilePermission.OTHERS_WRITE)
        || now.permissions().contains(PosixFilePermission.GROUP_WRITE)) {
      return "others than its owner may write it";
    }
    return now.size() > LoadedRule.TEXT_MAX
        ? "it has " + now.size() + " bytes, over " + LoadedRule.TEXT_MAX
        : "";
  }

  private Found read() throws IOException {
    byte[] bytes;
    try (InputStream in = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
      bytes = in.readNBytes(LoadedRule.TEXT_MAX + 1);
    }
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      LoadedRule.read(text, zone.getId());
      return bytes.length > LoadedRule.TEXT_MAX
          ? new Found("", ": it has over " + LoadedRule.TEXT_MAX + " bytes")
          : new Found(text, "");
    } catch (CharacterCodingException e) {
      return new Found("", ": this is no text in UTF-8");
    } catch (ClassAdRefused e) {
      return new Found("", ":" + e.line() + ": column " + e.column() + ": " + e.reason());
    }
  }
}
