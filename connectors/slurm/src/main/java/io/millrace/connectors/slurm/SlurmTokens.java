package io.millrace.connectors.slurm;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.time.Instant;
import java.util.Base64;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Tokens of accounts for slurmrestd.
 *
 * @param byAccount in the order of the file
 */
record SlurmTokens(Map<String, String> byAccount) {

  private static final ObjectMapper JSON = new ObjectMapper();

  /** Some have no end but the last moment that a number can tell. */
  private static final long LATEST_S = 1L << 40;

  private static final long BYTES_MOST = 1 << 20;

  /** An account and a token, as {@code scontrol token} prints it behind an equals sign. */
  private static final Pattern LINE =
      Pattern.compile("[A-Za-z_][A-Za-z0-9._-]{0,31}:[A-Za-z0-9_=-]+(\\.[A-Za-z0-9_=-]+){2}");

  private static final Set<PosixFilePermission> OWN =
      EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);

  /**
   * Reads a file of lines ACCOUNT:TOKEN.
   *
   * @throws IOException in one line with cause and cure when it cannot be used
   */
  static SlurmTokens read(Path file) throws IOException {
    if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      throw new IOException("there is no file " + file + "; write it, with lines ACCOUNT:TOKEN");
    }
    if (!OWN.containsAll(Files.getPosixFilePermissions(file, LinkOption.NOFOLLOW_LINKS))) {
      throw new IOException(file + " can be read by others; chmod 600 " + file);
    }
    if (!Files.isReadable(file)) {
      throw new IOException(file + " cannot be read; give it to this account");
    }
    if (Files.size(file) > BYTES_MOST) {
      throw new IOException(file + " has more than 1 MiB; it takes lines ACCOUNT:TOKEN");
    }
    Map<String, String> tokens = new LinkedHashMap<>();
    List<String> lines = Files.readString(file, StandardCharsets.ISO_8859_1).lines().toList();
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i).strip();
      if (line.isEmpty() || line.startsWith("#")) {
        continue;
      }
      if (!LINE.matcher(line).matches()) {
        // The line itself may be a token.
        throw new IOException(file + ":" + (i + 1) + ": this is not ACCOUNT:TOKEN");
      }
      int colon = line.indexOf(':');
      tokens.put(line.substring(0, colon), line.substring(colon + 1));
    }
    if (tokens.isEmpty()) {
      throw new IOException(file + " names nobody; write a line ACCOUNT:TOKEN");
    }
    return new SlurmTokens(tokens);
  }

  /** Until when the token of an account is good; empty when it does not say. */
  Optional<Instant> end(String account) {
    try {
      byte[] claims = Base64.getUrlDecoder().decode(byAccount.get(account).split("\\.")[1]);
      JsonNode end = JSON.readTree(claims).path("exp");
      return end.canConvertToLong()
          ? Optional.of(Instant.ofEpochSecond(Math.max(0, Math.min(end.asLong(), LATEST_S))))
          : Optional.empty();
    } catch (IllegalArgumentException | IOException e) {
      return Optional.empty();
    }
  }

  /** Whose token stands first: he asks what anybody may ask. */
  String first() {
    return byAccount.keySet().iterator().next();
  }

  /** Tokens do not come into logs. */
  @Override
  public String toString() {
    return "tokens of " + byAccount.keySet();
  }
}
