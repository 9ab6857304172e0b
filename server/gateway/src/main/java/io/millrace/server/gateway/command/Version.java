package io.millrace.server.gateway.command;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/** The version of this build, written into the jar by Maven. */
public final class Version {

  private Version() {}

  /** For example {@code 0.1.0}. */
  public static String text() {
    return Loaded.TEXT;
  }

  private static final class Loaded {
    static final String TEXT = load();

    private static String load() {
      Properties properties = new Properties();
      try (InputStream in = Version.class.getResourceAsStream("version.properties")) {
        properties.load(in);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return properties.getProperty("version");
    }
  }
}
