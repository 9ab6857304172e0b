package io.millrace.connectors.bridge.files;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.UserPrincipalNotFoundException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** Files of this host, which are known by the numbers of their inodes. */
final class FilesHere implements OutsideFiles {

  static final FilesHere HERE = new FilesHere();

  private static final int HIGHEST_RIGHT = 0400;

  private FilesHere() {}

  @Override
  public Optional<FileFacts> facts(Path file) throws IOException {
    return read(file);
  }

  @Override
  public Optional<FileFacts> factsOfLink(Path file) throws IOException {
    return read(file, LinkOption.NOFOLLOW_LINKS);
  }

  private static Optional<FileFacts> read(Path file, LinkOption... options) throws IOException {
    try {
      PosixFileAttributes facts = Files.readAttributes(file, PosixFileAttributes.class, options);
      FileFacts.FileShape other =
          facts.isDirectory() ? FileFacts.FileShape.FOLDER : FileFacts.FileShape.OTHER;
      return Optional.of(
          new FileFacts(
              facts.isRegularFile() ? FileFacts.FileShape.REGULAR : other,
              facts.owner().getName(),
              rights(facts.permissions()),
              facts.size(),
              facts.lastModifiedTime().toInstant()));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  private static int rights(Set<PosixFilePermission> permissions) {
    int rights = 0;
    for (PosixFilePermission each : permissions) {
      rights |= HIGHEST_RIGHT >> each.ordinal();
    }
    return rights;
  }

  @Override
  public OutsideFile open(Path file) throws IOException {
    return new FileHere(file, FileChannel.open(file, StandardOpenOption.READ));
  }

  @Override
  public OutsideFile openNoLink(Path file) throws IOException {
    return new FileHere(
        file, FileChannel.open(file, Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)));
  }

  @Override
  public List<Path> list(Path folder) throws IOException {
    List<Path> files = new ArrayList<>();
    try (DirectoryStream<Path> all = Files.newDirectoryStream(folder)) {
      all.forEach(files::add);
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    return files;
  }

  @Override
  public boolean is(Path file, String identity) throws IOException {
    return identity(file).equals(identity);
  }

  private static String identity(Path file) throws IOException {
    return String.valueOf(Files.getAttribute(file, "unix:ino"));
  }

  @Override
  public boolean lacksAccount(String account) {
    try {
      FileSystems.getDefault().getUserPrincipalLookupService().lookupPrincipalByName(account);
      return false;
    } catch (UserPrincipalNotFoundException e) {
      return isSureOfAccounts();
    } catch (IOException e) {
      return false;
    }
  }

  private boolean isSureOfAccounts() {
    try {
      return hasAllAccounts();
    } catch (IOException e) {
      return false;
    }
  }

  @Override
  public boolean isReadable(Path file) {
    return Files.isReadable(file);
  }

  @Override
  public boolean isExecutable(Path file) {
    return Files.isExecutable(file);
  }

  @Override
  public OptionalLong room(Path folder) throws IOException {
    return OptionalLong.of(Files.getFileStore(folder).getUsableSpace());
  }

  /** An open file of this host. */
  private static final class FileHere implements OutsideFile {
    private final Path path;
    private final FileChannel channel;

    FileHere(Path path, FileChannel channel) {
      this.path = path;
      this.channel = channel;
    }

    @Override
    public long size() throws IOException {
      return channel.size();
    }

    @Override
    public byte[] read(long offset, int most) throws IOException {
      long there = Math.max(0, channel.size() - offset);
      ByteBuffer bytes = ByteBuffer.allocate((int) Math.min(most, there));
      while (bytes.hasRemaining() && channel.read(bytes, offset + bytes.position()) >= 0) {
        // Until the buffer is full or the file has ended.
      }
      return Arrays.copyOf(bytes.array(), bytes.position());
    }

    @Override
    public String owner() throws IOException {
      return Files.getOwner(path, LinkOption.NOFOLLOW_LINKS).getName();
    }

    @Override
    public String identity() throws IOException {
      return FilesHere.identity(path);
    }

    @Override
    public void close() throws IOException {
      channel.close();
    }
  }
}
