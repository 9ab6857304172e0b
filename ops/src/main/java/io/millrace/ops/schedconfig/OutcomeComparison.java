package io.millrace.ops.schedconfig;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What differs between an outcome and the recorded one. Of times only the order and the cycle are
 * compared; of what runs have used, where a recording says so, only that it is about the same.
 */
final class OutcomeComparison {

  private static final List<String> OF_JOB =
      List.of("state", "started", "cycle", "exec_vnode", "comment");

  private static final Pattern NUMBER = Pattern.compile("\\d+(\\.\\d+)?");

  private final List<String> differences = new ArrayList<>();

  /** By how much numbers of pbsfs may differ. */
  private final double slackS;

  private OutcomeComparison(double slackS) {
    this.slackS = slackS;
  }

  /**
   * @param slack by how much usages may differ that runs of the recording caused; 0 for not at all
   * @return one line for each field that differs
   */
  static List<String> of(JsonNode recorded, JsonNode outcome, double slack) {
    OutcomeComparison comparison = new OutcomeComparison(slack);
    comparison.field("start_order", recorded.path("start_order"), outcome.path("start_order"));
    comparison.considered(recorded.path("considered"), outcome.path("considered"));
    comparison.jobs(recorded.path("jobs"), outcome.path("jobs"));
    comparison.answers(recorded.path("pbsfs"), outcome.path("pbsfs"));
    comparison.snapshots(recorded.path("snapshots"), outcome.path("snapshots"));
    return comparison.differences;
  }

  private void field(String name, JsonNode recorded, JsonNode here) {
    if (!recorded.equals(here)) {
      differences.add(name + ": recorded " + shown(recorded) + ", here " + shown(here));
    }
  }

  private static String shown(JsonNode node) {
    return node.isMissingNode() ? "nothing" : node.toString();
  }

  private void considered(JsonNode recorded, JsonNode here) {
    int cycles = Math.max(recorded.size(), here.size());
    for (int i = 0; i < cycles; i++) {
      field("considered in cycle " + (i + 1), recorded.path(i), here.path(i));
    }
  }

  private static Set<String> names(JsonNode one, JsonNode other) {
    Set<String> names = new LinkedHashSet<>();
    one.fieldNames().forEachRemaining(names::add);
    other.fieldNames().forEachRemaining(names::add);
    return names;
  }

  private void jobs(JsonNode recorded, JsonNode here) {
    for (String label : names(recorded, here)) {
      JsonNode one = recorded.path(label);
      JsonNode other = here.path(label);
      for (String key : OF_JOB) {
        field(label + "." + key, one.path(key), other.path(key));
      }
      field(
          label + ".estimated.exec_vnode",
          one.path("estimated").path("exec_vnode"),
          other.path("estimated").path("exec_vnode"));
    }
  }

  private void answers(JsonNode recorded, JsonNode here) {
    int count = Math.max(recorded.size(), here.size());
    for (int i = 0; i < count; i++) {
      JsonNode one = recorded.path(i);
      String name = "pbsfs " + (i + 1) + " (" + words(one.path("args")) + ")";
      field(name + " rc", one.path("rc"), here.path(i).path("rc"));
      lines(name + " out", one.path("out"), here.path(i).path("out"));
      lines(name + " err", one.path("err"), here.path(i).path("err"));
    }
  }

  private static String words(JsonNode list) {
    List<String> words = new ArrayList<>();
    list.forEach(word -> words.add(word.asText()));
    return String.join(" ", words);
  }

  private void lines(String name, JsonNode recorded, JsonNode here) {
    int count = Math.max(recorded.size(), here.size());
    for (int i = 0; i < count; i++) {
      String one = recorded.path(i).asText();
      String other = here.path(i).asText();
      if (!one.equals(other) && !alike(one, other)) {
        differences.add(
            name + " line " + (i + 1) + ": recorded '" + one + "', here '" + other + "'");
      }
    }
  }

  /** True when two lines differ in numbers alone, and in these by no more than the slack. */
  private boolean alike(String one, String other) {
    if (slackS == 0 || !plain(one).equals(plain(other))) {
      return false;
    }
    Matcher a = NUMBER.matcher(one);
    Matcher b = NUMBER.matcher(other);
    while (a.find() && b.find()) {
      if (Math.abs(Double.parseDouble(a.group()) - Double.parseDouble(b.group())) > slackS) {
        return false;
      }
    }
    return true;
  }

  private static String plain(String line) {
    return NUMBER.matcher(line).replaceAll("0").replaceAll("\\s+", " ");
  }

  private void snapshots(JsonNode recorded, JsonNode here) {
    int count = Math.max(recorded.size(), here.size());
    for (int i = 0; i < count; i++) {
      for (String key : List.of("jobs", "comments")) {
        for (String label : names(recorded.path(i).path(key), here.path(i).path(key))) {
          field(
              "snapshot " + (i + 1) + " " + key + "." + label,
              recorded.path(i).path(key).path(label),
              here.path(i).path(key).path(label));
        }
      }
    }
  }
}
