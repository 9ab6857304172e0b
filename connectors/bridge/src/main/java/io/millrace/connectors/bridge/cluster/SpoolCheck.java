package io.millrace.connectors.bridge.cluster;

import io.millrace.connectors.bridge.files.FileFacts;
import io.millrace.connectors.bridge.files.OutsideFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Looks whether the accounts' runs can take their claims in the spool, and we can read them. */
final class SpoolCheck {

  /** Each run leaves a claim, an exit file and maybe its output. */
  private static final long ROOM_LEAST = 100L << 20;

  private static final int OTHERS_EXECUTE = 0001;
  private static final int GROUP_EXECUTE = 0010;
  private static final int OWNER_EXECUTE = 0100;
  private static final int OWNER_WRITE_EXECUTE = 0300;

  private final OutsideFiles files;
  private final Path spool;

  SpoolCheck(OutsideFiles files, Path spool) {
    this.files = files;
    this.spool = spool;
  }

  /** What is wrong with the folder of all; empty for nothing. */
  Optional<CheckLine> wrong() {
    try {
      if (!isFolder(spool)) {
        return Optional.of(
            CheckLine.wrong(
                "there is no folder " + spool,
                "make it in a file system that all hosts of the cluster have there too"));
      }
      OptionalLong free = files.room(spool);
      return free.isPresent() ? room(free.getAsLong()) : Optional.empty();
    } catch (IOException e) {
      return Optional.of(
          CheckLine.wrong(spool + ": ", String.valueOf(e.getMessage()), "try 'df " + spool + "'"));
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
      wrong.add(
          CheckLine.wrong(folder + ": ", String.valueOf(e.getMessage()), cure(account, folder)));
    }
    return wrong;
  }

  private boolean isFolder(Path folder) throws IOException {
    return files.facts(folder).filter(FileFacts::isFolder).isPresent();
  }

  /** Whether it may; who is in the group of a folder is not looked at. */
  private boolean canEnter(String account, Path folder) throws IOException {
    Optional<FileFacts> facts = files.facts(folder);
    int wanted =
        facts.filter(it -> it.owner().equals(account)).isPresent()
            ? OWNER_EXECUTE
            : OTHERS_EXECUTE | GROUP_EXECUTE;
    return facts.filter(it -> (it.rights() & wanted) != 0).isPresent();
  }

  private Optional<CheckLine> folder(Path folder, String account, String self) throws IOException {
    String why = "";
    Optional<FileFacts> facts = files.facts(folder).filter(FileFacts::isFolder);
    if (facts.isEmpty()) {
      why = "there is no folder " + folder;
    } else if (!facts.get().owner().equals(account)) {
      why = folder + " belongs to " + facts.get().owner();
    } else if ((facts.get().rights() & OWNER_WRITE_EXECUTE) != OWNER_WRITE_EXECUTE) {
      why = account + " cannot write into " + folder;
    } else if (!files.isReadable(folder) || !files.isExecutable(folder)) {
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
