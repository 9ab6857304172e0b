package io.millrace.server.unprivileged;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * An account without privileges.
 *
 * @param uid its number, never 0
 * @param gid number of its primary group, never 0
 */
record ProgramUser(String name, int uid, int gid) {

  /** Name of the file below etc that names another one than the usual. */
  static final String FILE = "program_user";

  static final String USUAL = "nobody";

  private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_.-]{0,63}[$]?");
  private static final int WRITABLE_BY_OTHERS = 0022;
  private static final int NUMBERS_END = 4;
  private static final long BYTES_MAX = 4096;

  /**
   * Who is named by the file, else nobody.
   *
   * @param etc folder of the file
   * @throws RightsKept when the file is not root's alone, or names nobody without privileges
   */
  static ProgramUser of(Path etc, HostProgram host) throws IOException, InterruptedException {
    Path file = etc.resolve(FILE);
    if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
      return find(USUAL, "this host has no user " + USUAL + ": name another one in " + file, host)
          .orElseThrow(() -> privileged("the user " + USUAL + " of this host"));
    }
    String name = name(etc, file);
    if (name.equals("root")) {
      throw privileged(file + " names root");
    }
    String missing = file + " names " + name + ", who is no user of this host";
    return find(name, missing, host).orElseThrow(() -> privileged(file + " names " + name));
  }

  private static RightsKept privileged(String who) {
    return new RightsKept(who + ": that is no user without privileges");
  }

  private static String name(Path etc, Path file) throws IOException {
    if (!isRootsAlone(etc)
        || !isRootsAlone(file)
        || !Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
        || Files.size(file) > BYTES_MAX) {
      throw new RightsKept(
          file
              + " is not read: it must be a file of root in a folder of root, writable by no other");
    }
    List<String> names =
        Files.readAllLines(file).stream()
            .map(String::strip)
            .filter(line -> !line.isEmpty() && !line.startsWith("#"))
            .toList();
    if (names.size() != 1 || !NAME.matcher(names.get(0)).matches()) {
      throw new RightsKept(file + " is to have one line, the name of a user");
    }
    return names.get(0);
  }

  private static boolean isRootsAlone(Path path) throws IOException {
    Map<String, Object> file =
        Files.readAttributes(path, "unix:uid,mode", LinkOption.NOFOLLOW_LINKS);
    return file.get("uid").equals(0) && ((Integer) file.get("mode") & WRITABLE_BY_OTHERS) == 0;
  }

  /**
   * @return empty when the user or his group is root's
   */
  private static Optional<ProgramUser> find(String name, String missing, HostProgram host)
      throws IOException, InterruptedException {
    String getent = host.require("getent", "which knows its users");
    HostProgram.ProgramEnd end = HostProgram.run(List.of(getent, "passwd", "--", name));
    String[] fields = end.said().split(":");
    if (!end.success() || fields.length < NUMBERS_END || !fields[0].equals(name)) {
      throw new RightsKept(missing);
    }
    int uid = Integer.parseUnsignedInt(fields[2]);
    int gid = Integer.parseUnsignedInt(fields[NUMBERS_END - 1]);
    return uid == 0 || gid == 0 ? Optional.empty() : Optional.of(new ProgramUser(name, uid, gid));
  }
}
