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
import java.time.ZoneId;
import java.util.Map;
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
  record ReservableFileText(String text, String wrong) {}

  /** What tells one state of the file from another. */
  private record Stamp(Object file, Object rights, long sizeBytes, long modifiedMs) {}

  /** Owner and mode of a file or its folder. */
  private record OwnerAndMode(int uid, int mode) {

    static OwnerAndMode of(Path path, LinkOption... links) throws IOException {
      Map<String, Object> is = Files.readAttributes(path, "unix:uid,mode", links);
      return new OwnerAndMode((Integer) is.get("uid"), (Integer) is.get("mode"));
    }

    /** Whoever may write says who may reserve nodes; empty when only root and the gateway may. */
    String refusal(String what, int own) {
      if (uid != ROOT && uid != own) {
        return what
            + " belongs to the user "
            + Integer.toUnsignedString(uid)
            + ", neither root nor the gateway's own";
      }
      return (mode & WRITABLE_BY_OTHERS) == 0 ? "" : "others than its owner may write " + what;
    }
  }

  /** How the file is opened. */
  interface FileOpener {
    InputStream open(Path file) throws IOException;
  }

  private static final int ROOT = 0;
  private static final int WRITABLE_BY_OTHERS = 022;
  private static final Path SELF = Path.of("/proc/self");
  private static final Stamp MISSING = new Stamp(null, null, -1, -1);

  /** Of a file that could not be looked at: the next look tries it again. */
  private static final Stamp UNSEEN = new Stamp(null, null, -2, -1);

  private final Path file;
  private final ZoneId zone;
  private final FileOpener opening;
  private Stamp last = MISSING;

  /** The trouble that was told last; empty for none. */
  private String told = "";

  private boolean missed;

  ReservableFile(Path file, ZoneId zone) {
    this(file, zone, it -> Files.newInputStream(it, LinkOption.NOFOLLOW_LINKS));
  }

  ReservableFile(Path file, ZoneId zone, FileOpener opening) {
    this.file = file;
    this.zone = zone;
    this.opening = opening;
  }

  /**
   * Looks at the file. Editors remove a file before they write it anew: one that was there counts
   * as gone when two looks in a row do not find it.
   *
   * @return empty when nothing is new
   */
  Optional<ReservableFileText> look() {
    try {
      PosixFileAttributes now =
          Files.readAttributes(file, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      OwnerAndMode own = OwnerAndMode.of(file, LinkOption.NOFOLLOW_LINKS);
      OwnerAndMode folder = OwnerAndMode.of(file.toAbsolutePath().getParent());
      Stamp stamp =
          new Stamp(
              now.fileKey(), own + " " + folder, now.size(), now.lastModifiedTime().toMillis());
      missed = false;
      if (stamp.equals(last)) {
        return Optional.empty();
      }
      String wrong = refusal(now, own, folder);
      ReservableFileText found =
          wrong.isEmpty() ? read() : new ReservableFileText("", ": " + wrong);
      last = stamp;
      told = "";
      return Optional.of(found);
    } catch (NoSuchFileException e) {
      return gone();
    } catch (IOException e) {
      return wrong(e.toString());
    }
  }

  private Optional<ReservableFileText> gone() {
    if (last.equals(MISSING)) {
      return Optional.empty();
    }
    if (!missed) {
      missed = true;
      return Optional.empty();
    }
    last = MISSING;
    told = "";
    return Optional.of(new ReservableFileText("", ""));
  }

  /** A trouble that lasts is told once. */
  private Optional<ReservableFileText> wrong(String why) {
    last = UNSEEN;
    if (why.equals(told)) {
      return Optional.empty();
    }
    told = why;
    return Optional.of(new ReservableFileText("", ": " + why));
  }

  private static String refusal(PosixFileAttributes now, OwnerAndMode own, OwnerAndMode folder)
      throws IOException {
    if (!now.isRegularFile()) {
      return "it is no regular file";
    }
    int uid = OwnerAndMode.of(SELF).uid();
    String wrong = own.refusal("it", uid);
    if (wrong.isEmpty()) {
      wrong = folder.refusal("its folder", uid);
    }
    if (!wrong.isEmpty()) {
      return wrong;
    }
    return now.size() > LoadedRule.TEXT_MAX
        ? "it has " + now.size() + " bytes, over " + LoadedRule.TEXT_MAX
        : "";
  }

  private ReservableFileText read() throws IOException {
    byte[] bytes;
    try (InputStream in = opening.open(file)) {
      bytes = in.readNBytes(LoadedRule.TEXT_MAX + 1);
    }
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      LoadedRule.read(text, zone.getId());
      return bytes.length > LoadedRule.TEXT_MAX
          ? new ReservableFileText("", ": it has over " + LoadedRule.TEXT_MAX + " bytes")
          : new ReservableFileText(text, "");
    } catch (CharacterCodingException e) {
      return new ReservableFileText("", ": this is no text in UTF-8");
    } catch (ClassAdRefused e) {
      return new ReservableFileText(
          "", ":" + e.line() + ": column " + e.column() + ": " + e.reason());
    }
  }
}
