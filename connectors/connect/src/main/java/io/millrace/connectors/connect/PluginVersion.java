package io.millrace.connectors.connect;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/** The version of this build, which Connect shows; written into the jar by Maven. */
final class PluginVersion {

  private PluginVersion() {}

  static String text() {
    Properties properties = new Properties();
    try (InputStream in = PluginVersion.class.getResourceAsStream("version.properties")) {
      properties.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return properties.getProperty("version");
  }
}
