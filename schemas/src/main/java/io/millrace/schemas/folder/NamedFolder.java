package io.millrace.schemas.folder;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Checks a folder of a scheduler object. Whoever may set attributes need not have an account on the
 * server's host, and who has one there may not have the rights of the process: a folder of another
 * account, or one that it may write, could have links to files of ours.
 */
public final class NamedFolder {

  static final int ROOT = 0;
  static final int WRITTEN_BY_OTHERS = 022;
  private static final int READ_BY_ALL = 007;
  private static final int STICKY = 01000;

  /** Most entries of a folder for logs that are looked at. */
  private static final int ENTRIES_MAX = 100_000;

  private NamedFolder() {}

  /** Why the folder cannot hold the files that tell a scheduler what to do; empty when it can. */
  public static Optional<String> refusePriv(String path) {
    return refuse(path, WRITTEN_BY_OTHERS | READ_BY_ALL);
  }

  /**
   * Why day logs cannot be written to the folder; empty when they can. A folder with other things
   * in it is none for logs: in some a file has consequences, whatever its text.
   */
  public static Optional<String> refuseLog(String path) {
    Optional<String> refused = refuse(path, WRITTEN_BY_OTHERS);
    return refused.isPresent() ? refused : strangeEntry(Path.of(path));
  }

  private static Optional<String> refuse(String path, int forbidden) {
    try {
      Path folder = Path.of(path);
      if (!folder.isAbsolute() || !folder.equals(folder.normalize())) {
        return Optional.of("is no absolute path");
      }
      for (Path part = folder; part != null; part = part.getParent()) {
        Optional<String> refused = part.equals(folder) ? own(part, forbidden) : above(part);
        if (refused.isPresent()) {
          return refused;
        }
      }
      return Files.isWritable(folder) ? Optional.empty() : Optional.of("cannot be written");
    } catch (InvalidPathException e) {
      return Optional.of("is no path");
    } catch (IOException e) {
      return Optional.of("is not there, or cannot be reached");
    }
  }

  private static Optional<String> own(Path folder, int forbidden) throws IOException {
    if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
      return Optional.of("is not there, or no folder; a symbolic link is none");
    }
    if (owner(folder) != self()) {
      return Optional.of("belongs to another account");
    }
    int mode = mode(folder) & forbidden;
    return mode == 0
        ? Optional.empty()
        : Optional.of("is open to others: its mode has " + Integer.toOctalString(mode));
  }

  /** A folder on the way: whoever could rename what is in it could put another one in its place. */
  static Optional<String> above(Path folder) throws IOException {
    if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
      return Optional.of("is reached by " + folder + ", which is no folder");
    }
    boolean ours = owner(folder) == ROOT || owner(folder) == self();
    boolean closed = (mode(folder) & WRITTEN_BY_OTHERS) == 0 || (mode(folder) & STICKY) != 0;
    return ours && closed
        ? Optional.empty()
        : Optional.of("is below " + folder + ", which another account may change");
  }

  /**
   * Why lines cannot be added to a file, which need not be there yet; empty when they can. A link
   * is no such file, nor is a file in a folder in which others could make one.
   */
  public static Optional<String> refuseFile(String path) {
    try {
      Path file = Path.of(path);
      if (!file.isAbsolute() || !file.equals(file.normalize()) || file.getParent() == null) {
        return Optional.of("is no absolute path");
      }
      Optional<String> refused = refuse(file.getParent().toString(), WRITTEN_BY_OTHERS);
      if (refused.isPresent()) {
        return refused.map(why -> "is in " + file.getParent() + ", which " + why);
      }
      boolean there = Files.exists(file, LinkOption.NOFOLLOW_LINKS);
      return there && !Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
          ? Optional.of("is no file; a symbolic link is none")
          : Optional.empty();
    } catch (InvalidPathException e) {
      return Optional.of("is no path");
    }
  }

  private static Optional<String> strangeEntry(Path folder) {
    int seen = 0;
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
      for (Path entry : entries) {
        boolean ofADay = entry.getFileName().toString().matches("\\d{8}([.-]\\S{1,20})?");
        if (!ofADay || !Files.isRegularFile(entry, LinkOption.NOFOLLOW_LINKS)) {
          return Optional.of("has " + entry.getFileName() + " in it, which is no day log");
        }
        if (++seen > ENTRIES_MAX) {
          return Optional.of("has more than " + ENTRIES_MAX + " files");
        }
      }
      return Optional.empty();
    } catch (IOException e) {
      return Optional.of("cannot be read");
    }
  }

  static int owner(Path path) throws IOException {
    return (int) Files.getAttribute(path, "unix:uid", LinkOption.NOFOLLOW_LINKS);
  }

  static int mode(Path path) throws IOException {
    return (int) Files.getAttribute(path, "unix:mode", LinkOption.NOFOLLOW_LINKS);
  }

  static int self() throws IOException {
    return owner(FileSystems.getDefault().getPath("/proc/self"));
  }
}
