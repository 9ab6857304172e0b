package io.millrace.connectors.bridge.http;

import io.millrace.schemas.door.AccountNumbers;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** A file of names and secrets, each in a line, with a colon between them. */
public final class SecretLines {

  private static final long BYTES_MOST = 1 << 20;
  private static final int ROOT = 0;

  private static final Set<PosixFilePermission> OWN =
      EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);

  private SecretLines() {}

  /**
   * Reads one.
   *
   * @param form of a line, as it is called
   * @param line what a line must be
   * @return secrets by names, in the order of the file
   * @throws IOException in one line with cause and cure when it cannot be used
   */
  public static Map<String, String> read(Path file, String form, Pattern line) throws IOException {
    check(file, form);
    Map<String, String> secrets = new LinkedHashMap<>();
    List<String> lines =
        new String(Files.readAllBytes(file), StandardCharsets.UTF_8).lines().toList();
    for (int i = 0; i < lines.size(); i++) {
      String text = lines.get(i);
      if (text.isBlank() || text.startsWith("#")) {
        continue;
      }
      if (!line.matcher(text).matches()) {
        // The line itself may be a secret.
        throw new IOException(file + ":" + (i + 1) + ": this is not " + form);
      }
      int colon = text.indexOf(':');
      secrets.put(text.substring(0, colon), text.substring(colon + 1));
    }
    if (secrets.isEmpty()) {
      throw new IOException(file + " names nobody; write a line " + form);
    }
    return secrets;
  }

  private static void check(Path file, String form) throws IOException {
    if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      throw new IOException("there is no file " + file + "; write it, with lines " + form);
    }
    int owner = (Integer) Files.getAttribute(file, "unix:uid", LinkOption.NOFOLLOW_LINKS);
    if (owner != ROOT && owner != AccountNumbers.own()) {
      // Who writes it would say who asks; and chmod is no cure there.
      String own = AccountNumbers.name(AccountNumbers.own());
      throw new IOException(
          file + " belongs to " + AccountNumbers.name(owner) + "; chown " + own + " " + file);
    }
    if (!OWN.containsAll(Files.getPosixFilePermissions(file, LinkOption.NOFOLLOW_LINKS))) {
      throw new IOException(file + " can be read by others; chmod 600 " + file);
    }
    if (!Files.isReadable(file)) {
      throw new IOException(file + " cannot be read; give it to this account");
    }
    if (Files.size(file) > BYTES_MOST) {
      throw new IOException(file + " has more than 1 MiB; it takes lines " + form);
    }
  }
}
