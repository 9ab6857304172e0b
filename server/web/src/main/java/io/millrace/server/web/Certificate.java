package io.millrace.server.web;

import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Set;
import javax.net.ssl.SSLException;

/** A certificate chain and its key, both in PEM. */
public final class Certificate {

  private Certificate() {}

  /**
   * @param key in PKCS #8, without a password, not readable by everybody
   * @throws IOException in one line when they are not what they should be
   */
  public static SslContext of(Path chain, Path key) throws IOException {
    for (Path file : new Path[] {chain, key}) {
      if (!Files.isReadable(file)) {
        throw new IOException(file + " cannot be read");
      }
    }
    Set<PosixFilePermission> mode = Files.getPosixFilePermissions(key);
    if (mode.contains(PosixFilePermission.OTHERS_READ)
        || mode.contains(PosixFilePermission.OTHERS_WRITE)
        || mode.contains(PosixFilePermission.GROUP_WRITE)) {
      throw new IOException(key + " is open to others: give it mode 0600");
    }
    try {
      return SslContextBuilder.forServer(chain.toFile(), key.toFile())
          .protocols("TLSv1.3", "TLSv1.2")
          .build();
    } catch (SSLException | IllegalArgumentException e) {
      throw new IOException(
          chain + " and " + key + " are no certificate with its key in PEM (PKCS #8): " + why(e),
          e);
    }
  }

  private static String why(Exception e) {
    Throwable cause = e.getCause() == null ? e : e.getCause();
    String text = cause.getMessage() == null ? cause.toString() : cause.getMessage();
    return text.lines().findFirst().orElse("");
  }
}
