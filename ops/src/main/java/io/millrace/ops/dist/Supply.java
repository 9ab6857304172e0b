package io.millrace.ops.dist;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * What the distribution says of the works of others in it: {@code NOTICE}, {@code licenses} and
 * {@code sbom.json}. Refuses a work against which something is known, and one whose licence is not
 * known or not allowed.
 */
final class Supply {

  private static final String OURS = "millrace-";
  private static final String JAR = ".jar";

  private final Path rules;
  private final Path dist;
  private final String version;
  private final Path licence;

  /**
   * @param checkout with the rules in ops, and our own licence
   * @param dist with the jars in lib
   */
  Supply(Path checkout, Path dist, String version) {
    this.rules = checkout.resolve("ops");
    this.licence = checkout.resolve("LICENSE");
    this.dist = dist;
    this.version = version;
  }

  /**
   * @param works of others that the build has found, in jars of their own or of ours
   * @throws IOException with a line for each work that may not be shipped
   */
  void write(List<ThirdParty> works) throws IOException {
    List<String> refused =
        new ArrayList<>(Advisories.read(rules.resolve("advisories.txt")).against(works));
    Map<ThirdParty, String> licences = new LinkedHashMap<>();
    LicenceRules allowed = LicenceRules.read(rules.resolve("licences/rules.txt"));
    for (ThirdParty work : works) {
      try {
        licences.put(work, allowed.of(work));
      } catch (IOException e) {
        refused.add(e.getMessage());
      }
    }
    Map<ThirdParty, Path> jars = jars(works, refused);
    if (!refused.isEmpty()) {
      throw new IOException("the distribution cannot be made:\n" + String.join("\n", refused));
    }
    BillOfMaterials bill = new BillOfMaterials(version);
    for (ThirdParty work : works) {
      bill.add(work, licences.get(work), jars.get(work));
    }
    texts(licences, jars);
    put(dist.resolve("sbom.json"), bill.text());
  }

  /** The jar of each work that has one; a jar of no work is refused. */
  private Map<ThirdParty, Path> jars(List<ThirdParty> works, List<String> refused)
      throws IOException {
    Map<String, ThirdParty> named = new TreeMap<>();
    works.forEach(work -> named.put(work.name() + JAR, work));
    Map<ThirdParty, Path> jars = new LinkedHashMap<>();
    try (Stream<Path> files = Files.list(dist.resolve("lib"))) {
      for (Path jar : files.sorted().toList()) {
        String name = jar.getFileName().toString();
        if (named.containsKey(name)) {
          jars.put(named.get(name), jar);
        } else if (!name.startsWith(OURS)) {
          refused.add(name + " is a jar of which nothing is known");
        }
      }
    }
    return jars;
  }

  private void texts(Map<ThirdParty, String> licences, Map<ThirdParty, Path> jars)
      throws IOException {
    LicenceTexts texts = new LicenceTexts(rules.resolve("licences/texts"));
    Path folder = dist.resolve("licenses");
    Set<Path> written = new TreeSet<>();
    StringBuilder list = new StringBuilder();
    Map<String, String> notices = new TreeMap<>();
    for (Map.Entry<ThirdParty, String> each : licences.entrySet()) {
      ThirdParty work = each.getKey();
      list.append("  ").append(work).append("  ").append(each.getValue()).append('\n');
      for (var text : texts.of(work, jars.get(work), each.getValue()).entrySet()) {
        Path file = folder.resolve(work.name()).resolve(text.getKey());
        written.add(put(file, text.getValue()));
        if (LicenceTexts.isNotice(text.getKey())) {
          notices.merge(text.getValue().strip(), work.name(), (all, one) -> all + ", " + one);
        }
      }
    }
    Path apache = folder.resolve(LicenceTexts.APACHE + ".txt");
    written.add(put(apache, Files.readString(licence)));
    forgetOthers(folder, written);
    put(dist.resolve("NOTICE"), notice(list.toString(), notices));
  }

  private static String notice(String list, Map<String, String> notices) {
    StringBuilder text = new StringBuilder();
    text.append("Millrace, under the Apache License, Version 2.0 (licenses/Apache-2.0.txt).\n\n");
    text.append("It is distributed together with works of others. Where one has no text of its\n");
    text.append("own in licenses/, that of the Apache License holds.\n\n").append(list);
    text.append("\nWhat these say themselves:\n");
    notices.forEach(
        (said, works) ->
            text.append("\n---- ").append(works).append("\n\n").append(said).append('\n'));
    return text.toString();
  }

  /** A file that did not change is not touched. */
  private static Path put(Path file, String text) throws IOException {
    if (!Files.exists(file) || !Files.readString(file).equals(text)) {
      Files.createDirectories(file.getParent());
      Files.writeString(file, text);
    }
    return file;
  }

  private static void forgetOthers(Path folder, Set<Path> written) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted((a, b) -> b.compareTo(a)).toList()) {
        boolean needed = written.stream().anyMatch(it -> it.startsWith(file));
        if (!needed) {
          Files.delete(file);
        }
      }
    }
  }
}
