package io.millrace.connectors.slurm;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.connectors.bridge.http.SecretLines;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
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

  /** An account and a token, as {@code scontrol token} prints it behind an equals sign. */
  private static final Pattern LINE =
      Pattern.compile("[A-Za-z_][A-Za-z0-9._-]{0,31}:[A-Za-z0-9_=-]+(\\.[A-Za-z0-9_=-]+){2} *");

  /**
   * Reads a file of lines ACCOUNT:TOKEN.
   *
   * @throws IOException in one line with cause and cure when it cannot be used
   */
  static SlurmTokens read(Path file) throws IOException {
    Map<String, String> tokens = SecretLines.read(file, "ACCOUNT:TOKEN", LINE);
    tokens.replaceAll((account, token) -> token.strip());
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
