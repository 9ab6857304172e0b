package io.millrace.connectors.bridge.ssh;

import io.millrace.schemas.door.AccountNumbers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.Set;

/** Files that decide to whom a connection goes, and as whom. */
final class OwnFile {

  private static final int ROOT = 0;

  private static final Set<PosixFilePermission> OWN =
      EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);

  private OwnFile() {}

  /** Refuses a secret that anybody else has, or could have put there. */
  static void requireSecret(Path file) throws SshFault {
    try {
      requireOwner(file, false);
      if (!OWN.containsAll(Files.getPosixFilePermissions(file, LinkOption.NOFOLLOW_LINKS))) {
        throw new SshFault(file + " can be read by others; chmod 600 " + file);
      }
    } catch (SshFault e) {
      throw e;
    } catch (IOException e) {
      throw new SshFault(file + " cannot be looked at: " + e.getMessage(), e);
    }
  }

  /** Refuses a file that others may change. */
  static void requireUnchanged(Path file) throws SshFault {
    try {
      requireOwner(file, true);
      Set<PosixFilePermission> rights =
          Files.getPosixFilePermissions(file, LinkOption.NOFOLLOW_LINKS);
      if (rights.contains(PosixFilePermission.GROUP_WRITE)
          || rights.contains(PosixFilePermission.OTHERS_WRITE)) {
        throw new SshFault(file + " can be changed by others; chmod go-w " + file);
      }
    } catch (SshFault e) {
      throw e;
    } catch (IOException e) {
      throw new SshFault(file + " cannot be looked at: " + e.getMessage(), e);
    }
  }

  private static void requireOwner(Path file, boolean orRoot) throws IOException {
    if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      throw new SshFault("there is no file " + file + "; write it, or name the right one");
    }
    int owner = (Integer) Files.getAttribute(file, "unix:uid", LinkOption.NOFOLLOW_LINKS);
    if (owner != AccountNumbers.own() && !(orRoot && owner == ROOT)) {
      String own = AccountNumbers.name(AccountNumbers.own());
      throw new SshFault(
          file + " belongs to " + AccountNumbers.name(owner) + "; chown " + own + " " + file);
    }
  }
}
