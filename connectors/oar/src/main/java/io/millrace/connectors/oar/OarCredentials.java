package io.millrace.connectors.oar;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Base64;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Names and passwords for OAR's API.
 *
 * @param passwords by names, in the order of the file
 */
record OarCredentials(Map<String, String> passwords) {

  /** What OAR's API takes as a name; of a longer one it takes the first part that is like this. */
  static final Pattern NAME = Pattern.compile("[A-Za-z0-9_]{1,32}");

  private static final long BYTES_MOST = 1 << 20;

  private static final Set<PosixFilePermission> OWN =
      EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);

  /**
   * Reads a file of lines NAME:PASSWORD.
   *
   * @throws IOException in one line with cause and cure when it cannot be used
   */
  static OarCredentials read(Path file) throws IOException {
    if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      throw new IOException("there is no file " + file + "; write it, with lines NAME:PASSWORD");
    }
    if (!OWN.containsAll(Files.getPosixFilePermissions(file, LinkOption.NOFOLLOW_LINKS))) {
      throw new IOException(file + " can be read by others; chmod 600 " + file);
    }
    if (!Files.isReadable(file)) {
      throw new IOException(file + " cannot be read; give it to this account");
    }
    if (Files.size(file) > BYTES_MOST) {
      throw new IOException(file + " has more than 1 MiB; it takes lines NAME:PASSWORD");
    }
    Map<String, String> passwords = new LinkedHashMap<>();
    List<String> lines =
        new String(Files.readAllBytes(file), StandardCharsets.UTF_8).lines().toList();
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i);
      int colon = line.indexOf(':');
      if (line.isBlank() || line.startsWith("#")) {
        continue;
      }
      if (colon <= 0 || !NAME.matcher(line.substring(0, colon)).matches()) {
        // The line itself may be a password.
        throw new IOException(file + ":" + (i + 1) + ": this is not NAME:PASSWORD");
      }
      passwords.put(line.substring(0, colon), line.substring(colon + 1));
    }
    if (passwords.isEmpty()) {
      throw new IOException(file + " names nobody; write a line NAME:PASSWORD");
    }
    return new OarCredentials(passwords);
  }

  /** Whose name stands first: he asks what anybody may ask. */
  String first() {
    return passwords.keySet().iterator().next();
  }

  /** The header by which HTTP proves a name; empty when its password is not known. */
  Optional<String> header(String name) {
    return Optional.ofNullable(passwords.get(name))
        .map(it -> (name + ":" + it).getBytes(StandardCharsets.UTF_8))
        .map(it -> "Basic " + Base64.getEncoder().encodeToString(it));
  }

  /** Passwords do not come into logs. */
  @Override
  public String toString() {
    return "credentials of " + passwords.keySet();
  }
}
