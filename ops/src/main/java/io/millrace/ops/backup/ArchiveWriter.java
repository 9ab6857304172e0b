package io.millrace.ops.backup;

import com.github.luben.zstd.ZstdOutputStream;
import java.io.BufferedOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.apache.commons.compress.archivers.tar.TarConstants;

/**
 * Writes a backup: its description, the files, and at the end a list of all files with their
 * digests.
 */
final class ArchiveWriter {

  private final StringBuilder list = new StringBuilder();
  private final List<String> filled = new ArrayList<>();
  private final TarArchiveOutputStream tar;

  private ArchiveWriter(OutputStream out) {
    this.tar = new TarArchiveOutputStream(out, "UTF-8");
    tar.setLongFileMode(TarArchiveOutputStream.LONGFILE_POSIX);
    tar.setBigNumberMode(TarArchiveOutputStream.BIGNUMBER_POSIX);
    tar.setAddPaxHeadersForNonAsciiNames(true);
  }

  /**
   * Writes a new file, readable by its owner only, and forces it to disk.
   *
   * @param about lines of properties
   * @return names of files that jobs truncated meanwhile; they are padded with zeros
   */
  static List<String> write(Path file, String about, List<ArchivedFile> kept) throws IOException {
    Files.createFile(
        file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    MessageDigest digest = Archive.digest();
    List<String> filled;
    try (OutputStream all = Files.newOutputStream(file, StandardOpenOption.APPEND);
        ZstdOutputStream out =
            new ZstdOutputStream(
                new BufferedOutputStream(new DigestOutputStream(all, digest), Archive.PIECE))) {
      ArchiveWriter writer = new ArchiveWriter(out);
      writer.text(Archive.ABOUT, about);
      for (ArchivedFile each : kept) {
        writer.add(each);
      }
      writer.text(Archive.LIST, writer.list.toString());
      writer.tar.finish();
      filled = writer.filled;
    }
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.APPEND)) {
      ByteBuffer seal = ByteBuffer.wrap(Archive.seal(digest.digest()));
      while (seal.hasRemaining()) {
        channel.write(seal);
      }
      channel.force(true);
    }
    return filled;
  }

  private void text(String name, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    TarArchiveEntry entry = new TarArchiveEntry(name);
    entry.setSize(bytes.length);
    tar.putArchiveEntry(entry);
    tar.write(bytes);
    tar.closeArchiveEntry();
  }

  private void add(ArchivedFile kept) throws IOException {
    TarArchiveEntry entry =
        switch (kept.kind()) {
          case FOLDER -> new TarArchiveEntry(kept.name() + "/");
          case FILE -> new TarArchiveEntry(kept.name());
          case LINK -> new TarArchiveEntry(kept.name(), TarConstants.LF_SYMLINK);
        };
    entry.setMode(kept.rights().mode());
    entry.setUserId(kept.rights().user());
    entry.setGroupId(kept.rights().group());
    String digest = "-";
    if (kept.kind() == ArchivedFile.ArchivedFileKind.LINK) {
      entry.setLinkName(Files.readSymbolicLink(kept.source()).toString());
    }
    entry.setSize(kept.bytes());
    tar.putArchiveEntry(entry);
    if (kept.kind() == ArchivedFile.ArchivedFileKind.FILE) {
      digest = copy(kept);
    }
    tar.closeArchiveEntry();
    list.append(kept.line(digest)).append('\n');
  }

  /**
   * Copies a file up to its length at the snapshot; what was appended since is not part of the
   * backup.
   */
  private String copy(ArchivedFile kept) throws IOException {
    var digest = Archive.digest();
    byte[] piece = new byte[Archive.PIECE];
    long left = kept.bytes();
    try (InputStream in = Files.newInputStream(kept.source())) {
      while (left > 0) {
        int read = in.read(piece, 0, (int) Math.min(piece.length, left));
        if (read < 0) {
          if (!HomeContents.mayShrink(kept.name())) {
            throw new EOFException(kept.name() + " became shorter while it was read");
          }
          fill(digest, left);
          filled.add(kept.name());
          break;
        }
        digest.update(ByteBuffer.wrap(piece, 0, read));
        tar.write(piece, 0, read);
        left -= read;
      }
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  /** Pads a truncated file with zeros, since its entry's header already gives the longer length. */
  private void fill(MessageDigest digest, long bytes) throws IOException {
    byte[] zeros = new byte[Archive.PIECE];
    for (long left = bytes; left > 0; ) {
      int piece = (int) Math.min(zeros.length, left);
      digest.update(zeros, 0, piece);
      tar.write(zeros, 0, piece);
      left -= piece;
    }
  }
}
