package io.millrace.ops.campaigns;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.nio.file.attribute.UserPrincipalNotFoundException;
import java.util.List;
import java.util.Optional;

/**
 * Who submits a campaign: the caller, or an ordinary user for whom root calls the commands, since
 * root has no campaigns.
 */
public record CampaignOwner(String name) {

  /** Option of words that submit a campaign. */
  public static final String OPTION = "--user";

  private static final String ROOT = "root";

  /**
   * @throws IllegalArgumentException in one line, when there is none or it cannot be that user
   */
  public static CampaignOwner of(Optional<String> given) throws IOException {
    return of(System.getProperty("user.name"), given);
  }

  static CampaignOwner of(String caller, Optional<String> given) throws IOException {
    String name = given.orElse(caller);
    if (name.equals(ROOT)) {
      throw new IllegalArgumentException(
          "root has no campaigns; " + OPTION + " NAME says whose this one is");
    }
    if (!name.equals(caller) && !caller.equals(ROOT)) {
      throw new IllegalArgumentException(
          OPTION + " " + name + ": you are " + caller + ", and only root acts for another user");
    }
    try {
      principal(name);
    } catch (UserPrincipalNotFoundException e) {
      throw new IllegalArgumentException("there is no user " + name, e);
    }
    return new CampaignOwner(name);
  }

  private static UserPrincipal principal(String name) throws IOException {
    return FileSystems.getDefault().getUserPrincipalLookupService().lookupPrincipalByName(name);
  }

  private static String caller() {
    return System.getProperty("user.name");
  }

  private boolean isCaller() {
    return name.equals(caller());
  }

  /** Words before a command that make it this user's. */
  public List<String> become() {
    return isCaller() ? List.of() : List.of("runuser", "-u", name, "--");
  }

  /**
   * Makes a folder into which this user's tasks write, and nobody else. Its parent must be the
   * caller's, and what tasks run must lie elsewhere.
   */
  public void give(Path folder) throws IOException {
    Files.createDirectories(folder);
    own(folder, name);
  }

  /** Takes a folder back, so that what lies in it stays what it is while it is read. */
  public void takeBack(Path folder) throws IOException {
    own(folder, caller());
  }

  private void own(Path folder, String user) throws IOException {
    if (!isCaller()) {
      Files.setOwner(folder, principal(user));
    }
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  /**
   * Lines that this user's tasks wrote. A link or a device that he put there would have the caller
   * read what is not his, or without end.
   *
   * @param most bytes of the file
   * @throws java.nio.file.NoSuchFileException when there is none
   */
  public List<String> lines(Path file, int most) throws IOException {
    BasicFileAttributes found =
        Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    if (!found.isRegularFile()) {
      throw new IOException(file + " is no regular file");
    }
    if (!Files.getOwner(file, LinkOption.NOFOLLOW_LINKS).getName().equals(name)) {
      throw new IOException(file + " is not " + name + "'s");
    }
    try (InputStream in = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
      byte[] bytes = in.readNBytes(most + 1);
      if (bytes.length > most) {
        throw new IOException(file + " has more than " + most + " bytes");
      }
      return new String(bytes, StandardCharsets.UTF_8).lines().toList();
    }
  }
}
