package io.millrace.connectors.bridge.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Looks whether the accounts' runs can take their claims in the spool, and we can read them. */
final class SpoolCheck {

  /** Each run leaves a claim, an exit file and maybe its output. */
  private static final long ROOM_LEAST = 100L << 20;

  private final Path spool;

  SpoolCheck(Path spool) {
    this.spool = spool;
  }

  /** What is wrong with the folder of all; empty for nothing. */
  Optional<CheckLine> wrong() {
    if (!Files.isDirectory(spool)) {
      return Optional.of(
          CheckLine.wrong(
              "there is no folder " + spool,
              "make it in a file system that all hosts of the cluster have there too"));
    }
    try {
      return room(Files.getFileStore(spool).getUsableSpace());
    } catch (IOException e) {
      return Optional.of(CheckLine.wrong(spool + ": " + e.getMessage(), "try 'df " + spool + "'"));
    }
  }

  Optional<CheckLine> room(long bytes) {
    return bytes >= ROOM_LEAST
        ? Optional.empty()
        : Optional.of(
            CheckLine.wrong(
                "the disk of " + spool + " has " + (bytes >> 20) + " MiB left",
                "make room there: without it runs cannot take their claims"));
  }

  /**
   * What is wrong with the folder of an account.
   *
   * @param self account of this process
   */
  List<CheckLine> wrong(String account, String self) {
    List<CheckLine> wrong = new ArrayList<>();
    Path folder = spool.resolve(account);
    try {
      for (Path each = spool.toAbsolutePath(); each != null; each = each.getParent()) {
        if (!canEnter(account, each)) {
          wrong.add(
              CheckLine.wrong(
                  account + " cannot enter " + each,
                  "as root: chmod a+x " + each + ", or set 'spool' to another place"));
        }
      }
      folder(folder, account, self).ifPresent(wrong::add);
    } catch (IOException e) {
      wrong.add(CheckLine.wrong(folder + ": " + e.getMessage(), cure(account, folder)));
    }
    return wrong;
  }

  /** Whether it may; who is in the group of a folder is not looked at. */
  private static boolean canEnter(String account, Path folder) throws IOException {
    Set<PosixFilePermission> rights = Files.getPosixFilePermissions(folder);
    boolean own = Files.getOwner(folder).getName().equals(account);
    return own
        ? rights.contains(PosixFilePermission.OWNER_EXECUTE)
        : rights.contains(PosixFilePermission.OTHERS_EXECUTE)
            || rights.contains(PosixFilePermission.GROUP_EXECUTE);
  }

  private static Optional<CheckLine> folder(Path folder, String account, String self)
      throws IOException {
    String why = "";
    if (!Files.isDirectory(folder)) {
      why = "there is no folder " + folder;
    } else if (!Files.getOwner(folder).getName().equals(account)) {
      why = folder + " belongs to " + Files.getOwner(folder).getName();
    } else if (!Files.getPosixFilePermissions(folder)
        .containsAll(Set.of(PosixFilePermission.OWNER_WRITE, PosixFilePermission.OWNER_EXECUTE))) {
      why = account + " cannot write into " + folder;
    } else if (!Files.isReadable(folder) || !Files.isExecutable(folder)) {
      why = folder + " cannot be read by " + self;
    }
    return why.isEmpty()
        ? Optional.empty()
        : Optional.of(CheckLine.wrong(why, cure(account, folder)));
  }

  private static String cure(String account, Path folder) {
    return "as root: install -d -o " + account + " -m 755 " + folder;
  }
}
