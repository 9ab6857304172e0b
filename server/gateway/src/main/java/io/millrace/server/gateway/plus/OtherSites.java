package io.millrace.server.gateway.plus;

import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Properties;

/**
 * The other installations that a home names. Only names are looked at here: who speaks to them
 * reads the rest, and may find that it cannot be used.
 */
final class OtherSites {
  static final String FILE = "etc/sites.properties";

  private static final String ASK = ": ask an administrator";

  private OtherSites() {}

  /**
   * What is wrong with these names, in one line; empty for nothing.
   *
   * @param home of the gateway; empty when it has none, and nothing is known here
   */
  static String missing(String home, Collection<String> names) {
    if (home.isEmpty()) {
      return "";
    }
    Properties all = new Properties();
    try (Reader in = Files.newBufferedReader(Path.of(home, FILE), StandardCharsets.UTF_8)) {
      all.load(in);
    } catch (NoSuchFileException e) {
      return "no other installations are set up here" + ASK;
    } catch (IOException | IllegalArgumentException e) {
      return "the other installations that are set up here cannot be read" + ASK;
    }
    for (String name : names) {
      if (!all.containsKey(name + ".url")) {
        return "no other installation " + name + " is set up here" + ASK;
      }
    }
    return "";
  }
}
