package io.millrace.server.gateway.command;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Which disks of a home are full. */
public final class DiskRoom {

  /** With less than this a disk is called full; the broker and the stores need some to begin. */
  public static final long LEAST_BYTES = 16L << 20;

  private DiskRoom() {}

  /** Whether less than the least is left on the disk of a folder; false when nobody can tell. */
  public static boolean isFull(Path folder) {
    // Of a folder that may not be looked at, as of one that is not there, zero would be said.
    return Files.exists(folder) && folder.toFile().getUsableSpace() < LEAST_BYTES;
  }

  /** A folder of the home for each disk that is full: that of the log first, then the others. */
  public static List<Path> full(Path home) throws IOException {
    List<Path> full = new ArrayList<>();
    Set<Object> disks = new HashSet<>();
    for (Path folder : folders(home)) {
      if (Files.exists(folder) && disks.add(Files.getAttribute(folder, "unix:dev"))) {
        if (isFull(folder)) {
          full.add(folder);
        }
      }
    }
    return full;
  }

  private static List<Path> folders(Path home) throws IOException {
    List<Path> folders = new ArrayList<>();
    for (String name : List.of("data/kafka", "data", "", "log", "run", "spool")) {
      folders.add(name.isEmpty() ? home : home.resolve(name));
    }
    Path spools = home.resolve("spool");
    if (Files.isDirectory(spools)) {
      try (DirectoryStream<Path> hosts = Files.newDirectoryStream(spools)) {
        hosts.forEach(folders::add);
      }
    }
    return folders;
  }

  /** {@code disk full: PATH, ..}, or nothing when there is room everywhere or nobody can tell. */
  public static String words(Path home) {
    try {
      List<Path> full = full(home);
      return full.isEmpty()
          ? ""
          : "disk full: " + full.stream().map(Path::toString).collect(Collectors.joining(", "));
    } catch (IOException e) {
      return "";
    }
  }
}
