package io.millrace.ops.backup;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import com.github.luben.zstd.ZstdInputStream;
import io.millrace.ops.backup.ArchivedFile.ArchivedFileKind;
import io.millrace.ops.backup.ArchivedFile.FileRights;
import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;

/** Unpacks a backup into a folder and verifies that it is complete. */
final class ArchiveReader {

  private static final int ABOUT_MAX = 1 << 16;

  private final Path file;
  private final Path into;
  private final StringBuilder found = new StringBuilder();
  private final List<ArchivedFile> folders = new ArrayList<>();
  private final Map<ArchivedFile, String> links = new LinkedHashMap<>();
  private Properties about;
  private long files;

  ArchiveReader(Path file, Path into) {
    this.file = file;
    this.into = into;
  }

  /** The backup's description of itself; available after {@link #unpack}. */
  Properties about() {
    return about;
  }

  long files() {
    return files;
  }

  /**
   * @throws IOException in one line when the file is no backup, or not as it was written
   */
  void unpack() throws IOException {
    verify();
    String list = "";
    try (InputStream in = new BufferedInputStream(Files.newInputStream(file), Archive.PIECE)) {
      ZstdInputStream plain = new ZstdInputStream(in);
      TarArchiveInputStream tar = new TarArchiveInputStream(plain, "UTF-8");
      about(tar);
      TarArchiveEntry entry;
      while ((entry = entry(tar)) != null) {
        if (entry.getName().equals(Archive.LIST)) {
          list = new String(bytes(tar, entry), StandardCharsets.UTF_8);
        } else {
          take(tar, entry);
        }
      }
    }
    if (!list.contentEquals(found)) {
      throw damaged("its list of files does not agree with them");
    }
    // Links last, so that nothing was written through them, or into a folder that nobody may write
    // to.
    for (Map.Entry<ArchivedFile, String> link : links.entrySet()) {
      Path path = link.getKey().source();
      Files.createSymbolicLink(path, Path.of(link.getValue()));
      link.getKey().rights().give(path, true);
    }
    for (ArchivedFile folder : folders) {
      folder.rights().give(folder.source(), false);
    }
  }

  /** Reads the whole file once before anything is unpacked. */
  private void verify() throws IOException {
    long bytes = Files.size(file) - Archive.SEAL_BYTES;
    MessageDigest digest = Archive.digest();
    try (InputStream in = new BufferedInputStream(Files.newInputStream(file), Archive.PIECE)) {
      int begin = ByteBuffer.wrap(Arrays.copyOf(in.readNBytes(4), 4)).order(LITTLE_ENDIAN).getInt();
      if (begin != Archive.MAGIC) {
        throw new IOException(file + " is no backup of Millrace");
      }
    }
    try (InputStream in = new BufferedInputStream(Files.newInputStream(file), Archive.PIECE)) {
      byte[] piece = new byte[Archive.PIECE];
      long left = bytes;
      while (left > 0) {
        int read = in.read(piece, 0, (int) Math.min(piece.length, left));
        if (read < 0) {
          break;
        }
        digest.update(piece, 0, read);
        left -= read;
      }
      if (!Arrays.equals(in.readAllBytes(), Archive.seal(digest.digest()))) {
        throw damaged("its checksum is another one");
      }
    }
  }

  private void about(TarArchiveInputStream tar) throws IOException {
    TarArchiveEntry first;
    try {
      first = tar.getNextEntry();
    } catch (IOException | IllegalArgumentException e) {
      throw new IOException(file + " is no backup of Millrace", e);
    }
    if (first == null || !first.getName().equals(Archive.ABOUT) || first.getSize() > ABOUT_MAX) {
      throw new IOException(file + " is no backup of Millrace");
    }
    about = new Properties();
    about.load(new ByteArrayInputStream(bytes(tar, first)));
    if (!Archive.FORM.equals(about.getProperty("form"))) {
      throw new IOException(
          file + " was written by another Millrace (form " + about.getProperty("form") + ")");
    }
  }

  private TarArchiveEntry entry(TarArchiveInputStream tar) throws IOException {
    try {
      return tar.getNextEntry();
    } catch (IOException | IllegalArgumentException e) {
      throw damaged(e.getMessage());
    }
  }

  private IOException damaged(String why) {
    return new IOException(
        file + " is damaged, or no backup of Millrace; nothing was restored: " + why);
  }

  private byte[] bytes(TarArchiveInputStream tar, TarArchiveEntry entry) throws IOException {
    try {
      return tar.readNBytes((int) Math.min(entry.getSize(), Integer.MAX_VALUE));
    } catch (IOException e) {
      throw damaged(e.getMessage());
    }
  }

  private void take(TarArchiveInputStream tar, TarArchiveEntry entry) throws IOException {
    String name = entry.getName().replaceAll("/$", "");
    Path path = into.resolve(name).normalize();
    if (!path.startsWith(into) || path.equals(into)) {
      throw damaged("it has a file " + name);
    }
    ArchivedFileKind kind =
        entry.isDirectory()
            ? ArchivedFileKind.FOLDER
            : entry.isSymbolicLink() ? ArchivedFileKind.LINK : ArchivedFileKind.FILE;
    long bytes = kind == ArchivedFileKind.FILE ? entry.getSize() : 0;
    FileRights rights =
        new FileRights(
            entry.getMode() & 07777, (int) entry.getLongUserId(), (int) entry.getLongGroupId());
    ArchivedFile kept = new ArchivedFile(name, path, kind, bytes, rights);
    String digest = "-";
    switch (kind) {
      case FOLDER -> {
        Files.createDirectory(path, rights("rwx------"));
        folders.add(kept);
      }
      case LINK -> links.put(kept, entry.getLinkName());
      case FILE -> {
        digest = write(tar, kept);
        rights.give(path, false);
        files++;
      }
    }
    found.append(kept.line(digest)).append('\n');
  }

  static FileAttribute<?> rights(String text) {
    return PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(text));
  }

  private String write(TarArchiveInputStream tar, ArchivedFile kept) throws IOException {
    var digest = Archive.digest();
    byte[] piece = new byte[Archive.PIECE];
    Set<OpenOption> fresh = Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    // Created unreadable for others, whatever the caller's umask, until its own permissions are
    // set.
    try (OutputStream out =
        Channels.newOutputStream(Files.newByteChannel(kept.source(), fresh, rights("rw-------")))) {
      int read;
      while ((read = read(tar, piece)) >= 0) {
        digest.update(piece, 0, read);
        out.write(piece, 0, read);
      }
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  private int read(TarArchiveInputStream tar, byte[] piece) throws IOException {
    try {
      return tar.read(piece);
    } catch (IOException e) {
      throw damaged(e.getMessage());
    }
  }
}
