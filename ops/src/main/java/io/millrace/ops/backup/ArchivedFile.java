package io.millrace.ops.backup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;

/**
 * One file, folder or symbolic link of a home.
 *
 * @param name relative to the home, with slashes
 * @param source where its content is
 * @param bytes how much of it
 */
record ArchivedFile(
    String name, Path source, ArchivedFileKind kind, long bytes, FileRights rights) {

  enum ArchivedFileKind {
    FOLDER,
    FILE,
    LINK
  }

  /** Permission bits and numbers of owner and group. */
  record FileRights(int mode, int user, int group) {

    private static final int PERMISSIONS = 07777;

    static FileRights of(Path path) throws IOException {
      Map<String, Object> found =
          Files.readAttributes(path, "unix:mode,uid,gid", LinkOption.NOFOLLOW_LINKS);
      return new FileRights(
          (Integer) found.get("mode") & PERMISSIONS,
          (Integer) found.get("uid"),
          (Integer) found.get("gid"));
    }

    /**
     * The rights as lines of the backup's description, used for the home's folder, which is no
     * entry of the archive.
     */
    String lines() {
      return String.format("mode=%o\nuser=%d\ngroup=%d\n", mode, user, group);
    }

    /**
     * Reads rights from the backup's description.
     *
     * @throws IOException when the lines that {@link #lines} writes are missing
     */
    static FileRights of(Properties about) throws IOException {
      try {
        return new FileRights(
            Integer.parseInt(about.getProperty("mode", ""), 8) & PERMISSIONS,
            Integer.parseInt(about.getProperty("user")),
            Integer.parseInt(about.getProperty("group")));
      } catch (NumberFormatException e) {
        throw new IOException("the backup does not say whose the home is: " + e.getMessage(), e);
      }
    }

    /**
     * Sets owner and group. Only root can give files away; for anybody else they are his own
     * anyway.
     */
    void give(Path path, boolean link) throws IOException {
      if (isRoot()) {
        Files.setAttribute(path, "unix:uid", user, LinkOption.NOFOLLOW_LINKS);
        Files.setAttribute(path, "unix:gid", group, LinkOption.NOFOLLOW_LINKS);
      }
      if (!link) {
        Files.setAttribute(path, "unix:mode", mode);
      }
    }

    private static boolean isRoot() {
      return System.getProperty("user.name").equals("root");
    }
  }

  /** The file's line in the list at the end of a backup. */
  String line(String digest) {
    return String.format(
        "%s %o %d %d %d %s %s",
        kind, rights.mode(), rights.user(), rights.group(), bytes, digest, name);
  }
}
