package io.millrace.connectors.bridge.files;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Files of a host, for reading. Where an exception is neither {@link NoSuchFileException} nor
 * {@link java.nio.file.AccessDeniedException} nothing is known of the file.
 */
public interface OutsideFiles {

  /** Those of this host. */
  static OutsideFiles here() {
    return FilesHere.HERE;
  }

  /** Whether a look takes a way over the network, so that needless ones are left out. */
  default boolean isFar() {
    return false;
  }

  /** What a file is, or the one that a link leads to; empty when it is not there. */
  Optional<FileFacts> facts(Path file) throws IOException;

  /** The same, where a link is a link. */
  Optional<FileFacts> factsOfLink(Path file) throws IOException;

  /**
   * Opens a file for reading.
   *
   * @throws java.nio.file.NoSuchFileException when it is not there
   */
  OutsideFile open(Path file) throws IOException;

  /** The same of one that must be no link. */
  OutsideFile openNoLink(Path file) throws IOException;

  /** What stands in a folder. */
  List<Path> list(Path folder) throws IOException;

  /** Whether a file is the one of an identity, as far as that says it. */
  boolean is(Path file, String identity) throws IOException;

  /**
   * Whether an identity is that of one file only; it is not where a file is known by a begin that
   * is short.
   */
  default boolean isSure(String identity) {
    return true;
  }

  /** Whether a file may be the one of an identity that is not sure. */
  default boolean mayBe(Path file, String identity) throws IOException {
    return false;
  }

  /**
   * Whether there is no such account; false also where nobody can say, as where accounts come from
   * a directory, which may be down.
   */
  boolean lacksAccount(String account);

  /** Whether all accounts are on the host itself, so that who is not found is not there. */
  default boolean hasAllAccounts() throws IOException {
    try (OutsideFile in = open(AccountSources.FILE)) {
      byte[] text = in.read(0, AccountSources.BYTES_MOST);
      return AccountSources.areLocal(new String(text, StandardCharsets.UTF_8));
    } catch (NoSuchFileException e) {
      return true;
    }
  }

  /** Whether we may read a file or list a folder. */
  boolean isReadable(Path file) throws IOException;

  /** Whether we may start a program or enter a folder. */
  boolean isExecutable(Path file) throws IOException;

  /** What is free for us on the disk of a folder; empty where nobody can say. */
  OptionalLong room(Path folder) throws IOException;
}
