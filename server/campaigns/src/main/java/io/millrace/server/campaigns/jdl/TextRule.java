package io.millrace.server.campaigns.jdl;

import io.millrace.schemas.oar.OarProperties;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * What a text may be.
 *
 * @param words the text in a few words
 * @param most length in characters
 * @param shape what it must look like; empty for any shape
 * @param bans what must not be found in it
 */
record TextRule(String words, int most, String shape, List<Ban> bans) {

  /**
   * What must not be found in a text.
   *
   * @param pattern as JSON Schema and Java both read it
   * @param reason what is said of a text that has it
   */
  record Ban(Pattern pattern, String reason) {
    static Ban of(String pattern, String reason) {
      return new Ban(Pattern.compile(pattern), reason);
    }
  }

  private static final Ban CONTROL =
      Ban.of(
          "[\\u0000-\\u001f\\u007f\\ud800-\\udfff]",
          "has a control character, a line end or half a character");
  private static final Ban UPWARDS =
      Ban.of("(^|/)\\.\\.(/|$)", "leads upwards: '..' is no part of a path here");
  private static final Ban NO_TIME = Ban.of("^0+:0+:0+$", "is no time at all");

  /** Line of a task: a program's arguments are bounded by the system. */
  static final int LINE_MAX = 64 << 10;

  private static final int PATH_MAX = 4096;
  private static final int NAME_MAX = 230;

  private static TextRule of(String words, int most, Ban... more) {
    List<Ban> bans = new ArrayList<>(List.of(CONTROL));
    bans.addAll(List.of(more));
    return new TextRule(words, most, "", List.copyOf(bans));
  }

  private static Ban macros(String... known) {
    String names = String.join("|", known);
    return Ban.of(
        "\\{(?!(" + names + ")\\})[A-Z_]+\\}",
        "has a macro that does not exist; there are ~, {" + String.join("}, {", known) + "}");
  }

  static TextRule name() {
    return of("text, at most " + NAME_MAX, NAME_MAX);
  }

  static TextRule line() {
    return of("text, at most " + LINE_MAX, LINE_MAX);
  }

  static TextRule path(String... macros) {
    return of("path", PATH_MAX, UPWARDS, macros(macros));
  }

  static TextRule shellLine() {
    return of("line", PATH_MAX, macros("HOME", "CAMPAIGN_ID", "OAR_JOB_ID"));
  }

  /** What is asked of nodes, in OAR's words. */
  static TextRule properties() {
    return of(
        "NAME = 'VALUE', also with !=, <, >, IN, LIKE, IS NULL, AND, OR, NOT and parentheses",
        OarProperties.CHARACTERS_MAX,
        Ban.of(OarProperties.FOREIGN, "has a character that no expression has"));
  }

  /** The same without a look for what must not be found in it. */
  TextRule withoutBans() {
    return new TextRule(words, most, shape, List.of());
  }

  static TextRule time() {
    return new TextRule(
        "HH:MM:SS", 10, "^[0-9]{1,4}:[0-5]?[0-9]:[0-5]?[0-9]$", List.of(CONTROL, NO_TIME));
  }

  /**
   * The same text.
   *
   * @throws WrongValue with what is wrong with it
   */
  String checked(String text) throws WrongValue {
    int length = text.codePointCount(0, text.length());
    if (length == 0) {
      throw new WrongValue("is empty");
    }
    if (length > most) {
      throw new WrongValue("has " + length + " characters; " + most + " may be");
    }
    for (Ban ban : bans) {
      if (ban.pattern().matcher(text).find()) {
        throw new WrongValue(ban.reason());
      }
    }
    if (!shape.isEmpty() && !Pattern.compile(shape).matcher(text).find()) {
      throw new WrongValue("is '" + Tokens.cut(text) + "', not " + words);
    }
    return text;
  }

  Map<String, Object> schema() {
    Map<String, Object> schema = new LinkedHashMap<>();
    schema.put("type", "string");
    schema.put("minLength", 1);
    schema.put("maxLength", most);
    if (!shape.isEmpty()) {
      schema.put("pattern", shape);
    }
    schema.put(
        "allOf",
        bans.stream()
            .map(ban -> Map.of("not", Map.of("pattern", ban.pattern().pattern())))
            .toList());
    return schema;
  }
}
