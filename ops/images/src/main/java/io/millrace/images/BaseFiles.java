package io.millrace.images;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.apache.commons.compress.archivers.tar.TarConstants;

/**
 * The root file system below an image, as one tar.
 *
 * @param tar not compressed
 * @param packages Debian's list of installed packages; empty where there is none
 */
record BaseFiles(Path tar, String packages) {

  private static final String ACCOUNTS = "etc/passwd";
  private static final String PACKAGES = "var/lib/dpkg/status";

  /** The script of the health check needs a shell that can open a connection. */
  private static final List<String> PROGRAMS = List.of("usr/bin/java", "usr/bin/tini", "bin/bash");

  /**
   * Reads a base, and packs it where it is a folder.
   *
   * @param room folder for the tar of a folder
   * @throws IOException in one line, when it is none that parts can run on
   */
  static BaseFiles of(Path base, Path room) throws IOException {
    if (Files.isDirectory(base)) {
      Path tar = room.resolve("base.tar");
      pack(base, tar);
      return read(base, tar);
    }
    if (!Files.isReadable(base)) {
      throw new IOException("there is no base " + base + " that can be read");
    }
    return read(base, base);
  }

  private static BaseFiles read(Path named, Path tar) throws IOException {
    Set<String> names = new TreeSet<>();
    String accounts = "";
    String packages = "";
    try (InputStream in = Files.newInputStream(tar);
        TarArchiveInputStream entries = new TarArchiveInputStream(in)) {
      for (TarArchiveEntry entry = entries.getNextEntry();
          entry != null;
          entry = entries.getNextEntry()) {
        String name = plain(entry.getName());
        names.add(name);
        if (name.equals(ACCOUNTS)) {
          accounts = new String(entries.readAllBytes(), StandardCharsets.UTF_8);
        } else if (name.equals(PACKAGES)) {
          packages = new String(entries.readAllBytes(), StandardCharsets.UTF_8);
        }
      }
    } catch (IllegalArgumentException e) {
      throw new IOException(named + " is no tar: " + e.getMessage(), e);
    }
    for (String program : PROGRAMS) {
      if (!names.contains(program) && !names.contains("usr/" + program)) {
        throw new IOException(
            named
                + " has no /"
                + program
                + ": give a root file system (ops/images/base makes one)");
      }
    }
    String user = "millrace:x:" + ImageKind.USER + ":" + ImageKind.USER + ":";
    if (accounts.lines().noneMatch(line -> line.startsWith(user))) {
      throw new IOException(named + " has no user " + user + " in /" + ACCOUNTS);
    }
    return new BaseFiles(tar, packages);
  }

  private static String plain(String name) {
    return name.replaceFirst("^(\\./|/)+", "");
  }

  /** In the order of the names, without times, so that equal folders are equal tars. */
  private static void pack(Path folder, Path tar) throws IOException {
    List<Path> files;
    try (Stream<Path> walk = Files.walk(folder)) {
      files = walk.filter(path -> !path.equals(folder)).sorted().toList();
    }
    try (OutputStream out = Files.newOutputStream(tar);
        TarArchiveOutputStream entries =
            new TarArchiveOutputStream(out, StandardCharsets.UTF_8.name())) {
      entries.setLongFileMode(TarArchiveOutputStream.LONGFILE_POSIX);
      for (Path file : files) {
        put(entries, file, folder.relativize(file).toString());
      }
    }
  }

  private static void put(TarArchiveOutputStream entries, Path file, String name)
      throws IOException {
    Map<String, Object> unix =
        Files.readAttributes(file, "unix:uid,gid,mode", LinkOption.NOFOLLOW_LINKS);
    TarArchiveEntry entry;
    if (Files.isSymbolicLink(file)) {
      entry = new TarArchiveEntry(name, TarConstants.LF_SYMLINK);
      entry.setLinkName(Files.readSymbolicLink(file).toString());
    } else if (Files.isDirectory(file)) {
      entry = new TarArchiveEntry(name + "/");
    } else if (Files.isRegularFile(file)) {
      entry = new TarArchiveEntry(name);
      entry.setSize(Files.size(file));
    } else {
      return; // a device: the runtime of containers makes those
    }
    entry.setUserId((Integer) unix.get("uid"));
    entry.setGroupId((Integer) unix.get("gid"));
    entry.setMode((Integer) unix.get("mode") & 07777);
    entry.setModTime(0);
    entries.putArchiveEntry(entry);
    if (entry.getSize() > 0) {
      Files.copy(file, entries);
    }
    entries.closeArchiveEntry();
  }
}
