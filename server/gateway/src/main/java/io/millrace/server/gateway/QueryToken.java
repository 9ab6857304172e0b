package io.millrace.server.gateway;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Supplier;

/** The token that queries to shards must carry; its file may be made after the gateway started. */
public final class QueryToken implements Supplier<String> {

  private final Path file;
  private volatile String token;

  private QueryToken(Path file) {
    this.file = file;
  }

  /** The token of a home, read at first use. */
  public static QueryToken of(Path home) {
    return new QueryToken(home.resolve("etc").resolve("query.token"));
  }

  @Override
  public String get() {
    if (token == null) {
      try {
        token = Files.readString(file).strip();
      } catch (IOException e) {
        throw new UncheckedIOException("cannot read " + file, e);
      }
    }
    return token;
  }
}
