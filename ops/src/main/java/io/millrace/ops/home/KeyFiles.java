package io.millrace.ops.home;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * New passwords of principals, which stand in a file beside the one in use until the broker knows
 * them. As long as there is such a file, either of the two may be the one that the broker knows.
 */
public final class KeyFiles {

  private static final String GROUP = "posix:group";

  private KeyFiles() {}

  /** The settings with the new password; exists while it is being renewed. */
  public static Path next(Home home, KafkaPrincipal principal) throws IOException {
    Path file = real(home, principal);
    return file.resolveSibling(file.getFileName() + ".next");
  }

  /** An administrator may have replaced the file by a link. */
  private static Path real(Home home, KafkaPrincipal principal) throws IOException {
    Path file = home.client(principal);
    return Files.exists(file) ? file.toRealPath() : file;
  }

  /** Principals whose renewal has begun and is not finished. */
  public static List<KafkaPrincipal> begun(Home home) throws IOException {
    List<KafkaPrincipal> begun = new ArrayList<>();
    for (KafkaPrincipal principal : KafkaPrincipal.values()) {
      if (Files.exists(next(home, principal))) {
        begun.add(principal);
      }
    }
    return begun;
  }

  /**
   * Makes a new password for each of these principals, but for those that have one already. The new
   * files have the group and the mode of those in use.
   */
  public static void begin(Home home, Collection<KafkaPrincipal> principals) throws IOException {
    SecureRandom random = new SecureRandom();
    List<KafkaPrincipal> begun = begun(home);
    for (KafkaPrincipal principal : principals) {
      if (!begun.contains(principal)) {
        Path file = real(home, principal);
        String text =
            ClientSettings.withPassword(Files.readString(file), ClientSettings.newPassword(random));
        Path next = next(home, principal);
        SmallFile.write(next, text, "rw-------");
        // Now, as it may be refused, which must not happen once the broker knows the password.
        giveGroup(next, file);
      }
    }
  }

  private static void giveGroup(Path next, Path file) throws IOException {
    Object group = Files.getAttribute(file, GROUP);
    if (!Files.getAttribute(next, GROUP).equals(group)) {
      Files.setAttribute(next, GROUP, group, LinkOption.NOFOLLOW_LINKS);
    }
  }

  /** Puts the new passwords in the place of the old ones. */
  public static void finish(Home home) throws IOException {
    for (KafkaPrincipal principal : begun(home)) {
      Path file = real(home, principal);
      Path next = next(home, principal);
      if (Files.exists(file)) {
        giveGroup(next, file);
        // Not earlier, as a group's members need no password that is not in use yet.
        Files.setPosixFilePermissions(next, Files.getPosixFilePermissions(file));
      }
      // Whoever was started before this time knows the old one.
      Files.setLastModifiedTime(next, FileTime.fromMillis(System.currentTimeMillis()));
      Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      SmallFile.force(file.toAbsolutePath().getParent());
      if (principal == KafkaPrincipal.EXECUTOR) {
        HostFiles.refresh(home);
      }
    }
  }
}
