package io.millrace.ops.dist;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The licences that works of others may have to be shipped: {@code ops/licences/rules.txt}. */
final class LicenceRules {

  private static final Pattern LINE =
      Pattern.compile("(allow|beside|is) (\\S+(?: WITH \\S+)?) (\\S.*)");

  /** Names in poms, with the ids of SPDX. */
  private final Map<String, String> allowed = new HashMap<>();

  private final Map<String, String> beside = new HashMap<>();
  private final Map<String, String> said = new HashMap<>();

  private LicenceRules() {}

  static LicenceRules read(Path file) throws IOException {
    LicenceRules rules = new LicenceRules();
    for (String line : Files.readAllLines(file)) {
      if (line.isBlank() || line.startsWith("#")) {
        continue;
      }
      Matcher parts = LINE.matcher(line.strip());
      if (!parts.matches()) {
        throw new IOException(file + " has a line that is no rule: " + line);
      }
      String second = parts.group(2);
      String last = parts.group(3);
      switch (parts.group(1)) {
        case "allow" -> rules.allowed.put(last, second);
        case "beside" -> rules.beside.put(last, second);
        default -> rules.said.put(second, last);
      }
    }
    return rules;
  }

  /**
   * The licence under which it is shipped, as SPDX writes it.
   *
   * @throws IOException in one line when it has none, or none under which it may be
   */
  String of(ThirdParty work) throws IOException {
    if (said.containsKey(work.key())) {
      return said.get(work.key());
    }
    if (work.licences().isEmpty()) {
      throw new IOException(work + " has no licence that is known");
    }
    TreeSet<String> good = new TreeSet<>();
    for (String name : work.licences()) {
      if (allowed.containsKey(name)) {
        good.add(allowed.get(name));
      } else if (!beside.containsKey(name)) {
        throw new IOException(work + " has a licence that is not allowed: " + name);
      }
    }
    if (good.isEmpty()) {
      throw new IOException(work + " has no licence that is allowed: " + work.licences());
    }
    return String.join(" OR ", List.copyOf(good));
  }
}
