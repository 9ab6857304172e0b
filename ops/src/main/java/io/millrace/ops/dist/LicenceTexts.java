package io.millrace.ops.dist;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * The texts that go with works of others: those in their jars, and for jars without any, those of
 * {@code ops/licences/texts}.
 */
final class LicenceTexts {

  static final String APACHE = "Apache-2.0";

  private static final Pattern TEXT =
      Pattern.compile(
          "(?i)(?:META-INF/(?:licen[sc]es?/)?)?([^/]*(?:LICEN[SC]E|NOTICE|COPYING)[^/]*)");

  private static final Pattern NOTICE = Pattern.compile("(?i).*NOTICE.*");

  private final Path own;

  /**
   * @param own folder with texts for jars that have none
   */
  LicenceTexts(Path own) {
    this.own = own;
  }

  /**
   * Texts by the names of their files.
   *
   * @param jar null when it is a part of another one
   * @throws IOException in one line when there is no licence's text
   */
  Map<String, String> of(ThirdParty work, Path jar, String licence) throws IOException {
    Map<String, String> texts = new TreeMap<>();
    if (jar != null) {
      texts.putAll(inside(jar));
    }
    Path kept = own.resolve(work.artifact() + ".txt");
    if (Files.exists(kept)) {
      texts.put("LICENSE.txt", Files.readString(kept));
    }
    boolean none = texts.keySet().stream().allMatch(LicenceTexts::isNotice);
    if (none && !licence.equals(APACHE)) {
      throw new IOException(work + " has no text of its licence, nor has " + own);
    }
    return texts;
  }

  static boolean isNotice(String name) {
    return NOTICE.matcher(name).matches();
  }

  private static Map<String, String> inside(Path jar) throws IOException {
    Map<String, String> texts = new TreeMap<>();
    try (ZipFile file = new ZipFile(jar.toFile())) {
      for (ZipEntry entry : file.stream().toList()) {
        var name = TEXT.matcher(entry.getName());
        if (!entry.isDirectory() && !entry.getName().endsWith(".class") && name.matches()) {
          try (InputStream in = file.getInputStream(entry)) {
            texts.put(name.group(1), new String(in.readAllBytes(), StandardCharsets.UTF_8));
          }
        }
      }
    }
    return texts;
  }
}
