package io.millrace.ops.e2e;

import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.pbs.attributes.AbsentAttributes;
import io.millrace.schemas.pbs.attributes.AttributeTable;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Removes from listings of objects the lines of attributes that only one of both systems has: PBS
 * attributes that Millrace refuses by name, and those of a table with reasons.
 */
final class OneSidedAttributes {

  /** An object within an object: its name, its members, and a comma. */
  private static final Pattern JSON_GROUP =
      Pattern.compile("\"(\\w+)\":\\s*\\{([^{}]*)\\}(,?\\s*)");

  private static final Pattern JSON_MEMBER =
      Pattern.compile("\"([\\w.]+)\":\\s*(?:\"(?:[^\"\\\\]|\\\\.)*\"|[^,\"\\s]+)");

  private final Pattern listed;
  private final Pattern printed;
  private final Pattern json;
  private final Pattern separated;
  private final Set<String> names;
  private int taken;

  private OneSidedAttributes(Set<String> names) {
    this.names = names;
    String any = names.stream().map(Pattern::quote).collect(Collectors.joining("|", "(?:", ")"));
    listed = Pattern.compile("(?m)^[ \\t]+" + any + " = .*\n");
    printed = Pattern.compile("(?m)^set (?:server|\\w+ \\S+) " + any + " \\+?= .*\n");
    json = Pattern.compile("\"" + any + "\":\\s*(?:\"[^\"]*\"|[\\d.]+),?\\s*");
    separated = Pattern.compile("\\|" + any + "=[^|\n]*");
  }

  static OneSidedAttributes read(String resource) throws IOException {
    Set<String> names = new TreeSet<>();
    for (ObjectKind kind : ObjectKind.values()) {
      names.addAll(AbsentAttributes.of(kind).keySet());
    }
    // Attributes that another kind of object has here are kept and compared.
    for (ObjectKind kind : ObjectKind.values()) {
      AttributeTable.of(kind).forEach(definition -> names.remove(definition.name()));
    }
    try (BufferedReader in =
        new BufferedReader(
            new InputStreamReader(
                OneSidedAttributes.class.getResourceAsStream(resource), StandardCharsets.UTF_8))) {
      in.lines()
          .filter(line -> !line.startsWith("#"))
          .forEach(line -> names.add(line.split("\t")[0]));
    }
    return new OneSidedAttributes(names);
  }

  String without(String text) {
    String left = text;
    for (Pattern pattern : new Pattern[] {listed, printed, json, separated}) {
      Matcher matcher = pattern.matcher(left);
      taken += (int) matcher.results().count();
      left = matcher.replaceAll("");
    }
    return JSON_GROUP.matcher(left).replaceAll(this::group).replaceAll(",(\\s*})", "$1");
  }

  /** The members of a JSON group, elsewhere shown as names with a dot, that both systems have. */
  private String group(MatchResult group) {
    List<String> both = new ArrayList<>();
    int all = 0;
    for (MatchResult member : JSON_MEMBER.matcher(group.group(2)).results().toList()) {
      all++;
      if (!names.contains(group.group(1) + "." + member.group(1))) {
        both.add(member.group());
      }
    }
    if (both.size() == all) {
      return Matcher.quoteReplacement(group.group());
    }
    taken += all - both.size();
    String left = "\"" + group.group(1) + "\": {" + String.join(",", both) + "}" + group.group(3);
    return Matcher.quoteReplacement(both.isEmpty() ? "" : left);
  }

  /** Number of attributes removed so far on both sides. */
  int taken() {
    return taken;
  }

  /** Resets the count, because the texts are compared again. */
  void countFrom(int count) {
    taken = count;
  }
}
