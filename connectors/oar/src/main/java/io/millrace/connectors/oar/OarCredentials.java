package io.millrace.connectors.oar;

import io.millrace.connectors.bridge.http.SecretLines;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Names and passwords for OAR's API.
 *
 * @param passwords by names, in the order of the file
 */
record OarCredentials(Map<String, String> passwords) {

  /** What OAR's API takes as a name; of a longer one it takes the first part that is like this. */
  static final Pattern NAME = Pattern.compile("[A-Za-z0-9_]{1,32}");

  private static final Pattern LINE = Pattern.compile(NAME.pattern() + ":.*");

  /**
   * Reads a file of lines NAME:PASSWORD.
   *
   * @throws IOException in one line with cause and cure when it cannot be used
   */
  static OarCredentials read(Path file) throws IOException {
    return new OarCredentials(SecretLines.read(file, "NAME:PASSWORD", LINE));
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
