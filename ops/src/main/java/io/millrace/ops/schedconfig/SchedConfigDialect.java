package io.millrace.ops.schedconfig;

import io.millrace.ops.dialect.PolicyDialect;
import io.millrace.schemas.pbs.schedconfig.SitePolicyFolder;
import io.millrace.schemas.pbs.schedconfig.options.PolicyFinding;
import io.millrace.schemas.pbs.schedconfig.options.SchedConfigText;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** Policies in the words of PBS's scheduler. */
public final class SchedConfigDialect implements PolicyDialect {

  /** Lines that no other dialect has: those of a dedicated_time, and the heads of a holidays. */
  private static final Pattern DEDICATED =
      Pattern.compile("\\s*\\d+/\\d+/\\d+\\s+\\d+:\\d+\\s+\\d+/\\d+/\\d+\\s+\\d+:\\d+.*");

  private static final Pattern HOLIDAYS =
      Pattern.compile(
          "\\s*(YEAR\\s+\\d+|(weekday|saturday|sunday)\\s+\\w+\\s+\\w+).*|HOLIDAYFILE_VERSION1.*");

  private static final Pattern GROUP = Pattern.compile("\\s*\\S+\\s+-?\\d+\\s+\\S+\\s+-?\\d+\\s*");

  @Override
  public String principal() {
    return SitePolicyFolder.SCHED_CONFIG;
  }

  /** Beside sched_config others of PBS's files lie that are no texts. */
  @Override
  public List<String> filesOf(List<String> names) {
    return names.contains(SitePolicyFolder.SCHED_CONFIG)
        ? names.stream().filter(SitePolicyFolder.FILES::contains).toList()
        : List.of();
  }

  @Override
  public boolean knows(Map<String, String> texts) {
    return texts.containsKey(SitePolicyFolder.SCHED_CONFIG)
        || texts.size() == 1 && !file(texts.values().iterator().next()).isEmpty();
  }

  /** Name of the file that a text without a telling name is; empty when it is none of ours. */
  private static String file(String text) {
    List<String> lines =
        text.lines().filter(it -> !it.isBlank() && !it.strip().matches("[#*].*")).toList();
    if (SchedConfigText.describes(text)) {
      return SitePolicyFolder.SCHED_CONFIG;
    }
    if (lines.isEmpty()) {
      return "";
    }
    if (lines.stream().anyMatch(it -> DEDICATED.matcher(it).matches())) {
      return SitePolicyFolder.DEDICATED_TIME;
    }
    if (lines.stream().anyMatch(it -> HOLIDAYS.matcher(it).matches())) {
      return SitePolicyFolder.HOLIDAYS;
    }
    return lines.stream().allMatch(it -> GROUP.matcher(it).matches())
        ? SitePolicyFolder.RESOURCE_GROUP
        : "";
  }

  /** The texts by the names that PBS has for them, where a name or what stands in them tells it. */
  static Map<String, String> named(Map<String, String> texts) {
    Map<String, String> named = new TreeMap<>();
    texts.forEach((name, text) -> named.putIfAbsent(fileOf(name, text), text));
    named.remove("");
    return named;
  }

  private static String fileOf(String name, String text) {
    return SitePolicyFolder.FILES.contains(name) ? name : file(text);
  }

  @Override
  public boolean canBeLenient() {
    return true;
  }

  @Override
  public PolicyReading read(Map<String, String> texts, boolean lenient) {
    Map<String, String> named = new TreeMap<>();
    Map<String, String> asCalled = new TreeMap<>();
    List<String> notes = new ArrayList<>();
    texts.forEach(
        (name, text) -> {
          String file = fileOf(name, text);
          if (file.isEmpty() || named.putIfAbsent(file, text) != null) {
            notes.add(name + ": this is none of the files of a PBS scheduler, and is passed over");
          } else {
            asCalled.put(file, name);
          }
        });
    SitePolicyFolder folder = SitePolicyFolder.read(named);
    List<String> refusals = new ArrayList<>();
    for (PolicyFinding finding : folder.findings()) {
      if (asCalled.containsKey(finding.file())) {
        boolean refused = finding.wrong() && !lenient;
        (refused ? refusals : notes).add(finding.in(asCalled.get(finding.file())).text());
      }
    }
    return new PolicyReading(summary(named), folder.explain(), notes, refusals);
  }

  private static String summary(Map<String, String> named) {
    return "the policy of a PBS scheduler, " + String.join(", ", named.keySet()) + ", all valid";
  }
}
