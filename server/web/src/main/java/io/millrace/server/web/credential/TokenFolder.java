package io.millrace.server.web.credential;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jose4j.jws.AlgorithmIdentifiers;
import org.jose4j.jws.JsonWebSignature;
import org.jose4j.jwt.JwtClaims;
import org.jose4j.jwt.NumericDate;
import org.jose4j.lang.JoseException;

/**
 * What an installation keeps of its tokens, in {@code etc/tokens}: the keys, which token ids were
 * issued, which are revoked, and the id of the cluster for which they are. Tokens themselves are
 * not kept.
 */
public final class TokenFolder {

  /** Longest time for which a token is good. */
  public static final Duration LONGEST = Duration.ofDays(90);

  static final String ISSUER = "millrace";
  static final String TYPE = "millrace+jwt";

  private final Path folder;
  private final PrivateFile keys;
  private final PrivateFile revoked;
  private final PrivateFile issued;
  private final PrivateFile cluster;

  /**
   * @param home folder of the installation
   */
  public TokenFolder(Path home) {
    this.folder = home.resolve("etc").resolve("tokens");
    this.keys = new PrivateFile(folder.resolve("keys.json"));
    this.revoked = new PrivateFile(folder.resolve("revoked"));
    this.issued = new PrivateFile(folder.resolve("issued"));
    this.cluster = new PrivateFile(folder.resolve("cluster"));
  }

  /**
   * A token that was made.
   *
   * @param text the token itself, the only time that it is seen
   * @param id by which it can be revoked
   */
  public record Issued(String text, String id, String user, Instant expires) {}

  /** Makes the folder when there is none, and notes for which cluster tokens are. */
  public void open(String clusterId) throws IOException {
    if (!Files.isDirectory(folder)) {
      Files.createDirectories(folder);
      Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
    }
    cluster.write(clusterId + "\n");
  }

  /** Whether there are keys: without them no token is good. */
  public boolean hasKeys() {
    return Files.exists(keys.path());
  }

  /**
   * Makes a token.
   *
   * @throws IOException in one line when the door was never opened, or the keys are not safe
   */
  public Issued create(String user, Duration lifetime, Instant now) throws IOException {
    if (lifetime.compareTo(LONGEST) > 0 || lifetime.getSeconds() < 1) {
      throw new IOException("a token is good for 1 second to " + LONGEST.toDays() + " days");
    }
    return locked(
        () -> {
          TokenKeys all = hasKeys() ? keys() : TokenKeys.fresh();
          if (!hasKeys()) {
            keys.write(all.print());
          }
          Instant expires = now.plus(lifetime);
          String id = UUID.randomUUID().toString();
          String text = sign(all.signing(), claims(user, id, now, expires));
          long issuedS = now.getEpochSecond();
          note(new IssuedLine(id, user, issuedS, expires.getEpochSecond()).text(), now);
          return new Issued(text, id, user, expires);
        });
  }

  private JwtClaims claims(String user, String id, Instant now, Instant expires)
      throws IOException {
    JwtClaims claims = new JwtClaims();
    claims.setIssuer(ISSUER);
    claims.setAudience(audience());
    claims.setSubject(user);
    claims.setJwtId(id);
    claims.setIssuedAt(NumericDate.fromSeconds(now.getEpochSecond()));
    claims.setNotBefore(NumericDate.fromSeconds(now.getEpochSecond()));
    claims.setExpirationTime(NumericDate.fromSeconds(expires.getEpochSecond()));
    return claims;
  }

  private static String sign(TokenKeys.TokenKey key, JwtClaims claims) throws IOException {
    JsonWebSignature token = new JsonWebSignature();
    token.setAlgorithmHeaderValue(AlgorithmIdentifiers.EDDSA);
    token.setKeyIdHeaderValue(key.id());
    token.setHeader("typ", TYPE);
    token.setPayload(claims.toJson());
    token.setKey(key.pair().getPrivateKey());
    try {
      return token.getCompactSerialization();
    } catch (JoseException e) {
      throw new IOException("the token cannot be signed: " + e.getMessage(), e);
    }
  }

  /** Adds to the list of issued ones, and leaves out what has expired. */
  private void note(String line, Instant now) throws IOException {
    StringBuilder text = new StringBuilder();
    for (IssuedLine each : issued()) {
      if (each.expiresS() > now.getEpochSecond()) {
        text.append(each.text()).append('\n');
      }
    }
    issued.write(text.append(line).append('\n').toString());
  }

  /**
   * A line of the list of issued tokens.
   *
   * @param revoked whether it is no longer good
   */
  public record Listed(String id, String user, Instant issued, Instant expires, boolean revoked) {}

  /** Tokens that have not expired, in the order of their issue. */
  public List<Listed> list(Instant now) throws IOException {
    Revocations gone = revocations();
    List<Listed> listed = new ArrayList<>();
    for (IssuedLine line : issued()) {
      Instant expires = Instant.ofEpochSecond(line.expiresS());
      if (expires.isAfter(now)) {
        boolean revoked = gone.has(line.id(), line.user(), line.issuedS());
        Instant since = Instant.ofEpochSecond(line.issuedS());
        listed.add(new Listed(line.id(), line.user(), since, expires, revoked));
      }
    }
    return listed;
  }

  /**
   * Ends a token before its time.
   *
   * @throws IOException in one line when no such token was made here
   */
  public void revoke(String tokenId, Instant now) throws IOException {
    locked(
        () -> {
          List<String> lines = new ArrayList<>();
          IssuedTokens list = lines();
          for (IssuedLine line : list.tokens()) {
            if (line.id().equals(tokenId) && line.expiresS() > now.getEpochSecond()) {
              lines.add(line.revoked(now));
            }
          }
          if (lines.isEmpty()) {
            list.refuseDamage("");
            throw new IOException("no token " + tokenId + " is good: see ./millrace token list");
          }
          revoked.write(revocations().with(lines, now.getEpochSecond()));
          return lines;
        });
  }

  /**
   * Ends all tokens of a user that were made up to now, whatever the clock said then.
   *
   * @throws IOException in one line when the list has lines that cannot be read; those that can are
   *     revoked all the same
   */
  public void revokeAllOf(String user, Instant now) throws IOException {
    long nowS = now.getEpochSecond();
    locked(
        () -> {
          List<String> lines = new ArrayList<>();
          lines.add("user " + user + " " + now.plus(LONGEST).getEpochSecond() + " " + nowS);
          IssuedTokens list = lines();
          for (IssuedLine line : list.tokens()) {
            // By the time of their issue these are not from before: the clock was ahead.
            if (line.user().equals(user) && line.issuedS() > nowS) {
              lines.add(line.revoked(now));
            }
          }
          revoked.write(revocations().with(lines, nowS));
          list.refuseDamage("; all other tokens of " + user + " are revoked");
          return lines;
        });
  }

  /**
   * Signs with a fresh key from now on. Tokens that are out stay good.
   *
   * @return keys that verify now
   */
  public int rotate(Instant now) throws IOException {
    return locked(
        () -> {
          TokenKeys next =
              hasKeys()
                  ? keys().rotated(now.getEpochSecond(), LONGEST.getSeconds())
                  : TokenKeys.fresh();
          keys.write(next.print());
          return next.count();
        });
  }

  TokenKeys keys() throws IOException {
    try {
      return TokenKeys.parse(keys.read());
    } catch (NoSuchFileException e) {
      throw new IOException("there are no keys for tokens yet", e);
    }
  }

  Revocations revocations() throws IOException {
    try {
      return Revocations.parse(revoked.read());
    } catch (NoSuchFileException e) {
      return Revocations.parse("");
    }
  }

  /** Id of the cluster for which tokens are good. */
  public String audience() throws IOException {
    try {
      return cluster.read().strip();
    } catch (NoSuchFileException e) {
      throw new IOException(
          "it is not known for which cluster: start the door first (./millrace up --http PORT)", e);
    }
  }

  private List<IssuedLine> issued() throws IOException {
    IssuedTokens all = lines();
    all.refuseDamage("");
    return all.tokens();
  }

  private IssuedTokens lines() throws IOException {
    List<IssuedLine> tokens = new ArrayList<>();
    List<String> damaged = new ArrayList<>();
    try {
      for (String line : issued.read().lines().toList()) {
        IssuedLine.parse(line).ifPresentOrElse(tokens::add, () -> damaged.add(line));
      }
    } catch (NoSuchFileException e) {
      return new IssuedTokens(issued.path(), List.of(), List.of());
    }
    return new IssuedTokens(issued.path(), tokens, damaged);
  }

  /**
   * The list of issued tokens.
   *
   * @param damaged its lines that are none
   */
  private record IssuedTokens(Path path, List<IssuedLine> tokens, List<String> damaged) {

    /**
     * @param besides what is so nevertheless
     */
    void refuseDamage(String besides) throws IOException {
      if (!damaged.isEmpty()) {
        throw new IOException(
            path
                + " is damaged: a line that is no token: "
                + String.join(", and: ", damaged)
                + besides);
      }
    }
  }

  private interface TokenChange<T> {
    T run() throws IOException;
  }

  /** One at a time changes the files. */
  private <T> T locked(TokenChange<T> change) throws IOException {
    audience();
    Path lock = folder.resolve("lock");
    // Root too may change them, in a folder of somebody who could have put a link there.
    if (!Files.exists(lock, LinkOption.NOFOLLOW_LINKS)) {
      PrivateFile.make(lock, "");
    }
    try (FileChannel channel =
        FileChannel.open(lock, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)) {
      channel.lock();
      return change.run();
    }
  }
}
