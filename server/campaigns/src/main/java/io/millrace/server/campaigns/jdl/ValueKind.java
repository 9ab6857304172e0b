package io.millrace.server.campaigns.jdl;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.millrace.schemas.oar.OarProperties;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a field takes. Reading and schema say the same, since both are made of the same bounds and
 * patterns, but for properties, whose levels no pattern describes; a test compares them.
 */
sealed interface ValueKind {

  /**
   * Reads the value on whose first token the parser stands, up to its last.
   *
   * @throws WrongValue when it is none for this field; the parser then stands where that is
   */
  Object read(Reading reading) throws IOException, WrongValue;

  /** The JSON Schema of a value. */
  Map<String, Object> schema();

  /** The value in a few words, for the manual. */
  String words();

  /** Text of one line. */
  record TextKind(TextRule rule) implements ValueKind {
    @Override
    public Object read(Reading reading) throws IOException, WrongValue {
      JsonParser in = reading.parser();
      if (!in.hasToken(JsonToken.VALUE_STRING)) {
        throw new WrongValue("is " + Tokens.words(in) + ", not text");
      }
      return rule.checked(in.getText());
    }

    @Override
    public Map<String, Object> schema() {
      return rule.schema();
    }

    @Override
    public String words() {
      return rule.words();
    }
  }

  /** Which nodes will do. The schema knows which characters an expression has. */
  record PropertiesKind() implements ValueKind {
    private static final TextRule RULE = TextRule.properties();

    @Override
    public Object read(Reading reading) throws IOException, WrongValue {
      String text = (String) new TextKind(RULE.withoutBans()).read(reading);
      try {
        OarProperties.of(text);
      } catch (IllegalArgumentException e) {
        throw new WrongValue(e.getMessage());
      }
      return text;
    }

    @Override
    public Map<String, Object> schema() {
      return RULE.schema();
    }

    @Override
    public String words() {
      return RULE.words();
    }
  }

  /** A whole number. */
  record CountKind(long least, long most) implements ValueKind {
    /** No number of a field has more. */
    private static final int DIGITS_MAX = 18;

    @Override
    public Object read(Reading reading) throws IOException, WrongValue {
      JsonParser in = reading.parser();
      if (!in.hasToken(JsonToken.VALUE_NUMBER_INT)) {
        throw new WrongValue("is " + Tokens.words(in) + ", not a whole number");
      }
      String digits = in.getText();
      long value = digits.length() > DIGITS_MAX ? Long.MAX_VALUE : Long.parseLong(digits);
      if (value < least || value > most) {
        throw new WrongValue("is not from " + least + " to " + most);
      }
      return value;
    }

    @Override
    public Map<String, Object> schema() {
      return ordered("type", "integer", "minimum", least, "maximum", most);
    }

    @Override
    public String words() {
      return least + " to " + most;
    }
  }

  /**
   * One of some words; CiGri's documents say true and false in quotes too.
   *
   * @param refused words of CiGri that are not offered, with a hint
   */
  record Choice(List<String> names, boolean flag, Map<String, String> refused)
      implements ValueKind {
    Choice(List<String> names, boolean flag) {
      this(names, flag, Map.of());
    }

    static Choice of(String... names) {
      return new Choice(List.of(names), false);
    }

    static Choice yesOrNo() {
      return new Choice(List.of("true", "false"), true);
    }

    @Override
    public Object read(Reading reading) throws IOException, WrongValue {
      JsonParser in = reading.parser();
      boolean text = in.hasToken(JsonToken.VALUE_STRING);
      boolean bare = flag && in.currentToken().isBoolean();
      if (!text && !bare) {
        throw new WrongValue("is " + Tokens.words(in) + "; it takes " + words());
      }
      String name = in.getText();
      if (refused.containsKey(name)) {
        throw new WrongValue("is '" + name + "', which is not offered: " + refused.get(name));
      }
      if (!names.contains(name)) {
        throw new WrongValue("is '" + Tokens.cut(name) + "'; it takes " + words());
      }
      return flag ? (Object) Boolean.valueOf(name) : name;
    }

    @Override
    public Map<String, Object> schema() {
      List<Object> all = new ArrayList<>(names);
      if (flag) {
        all.addAll(List.of(true, false));
      }
      return ordered("enum", all);
    }

    @Override
    public String words() {
      return String.join(", ", names);
    }
  }

  /** Lines of text. */
  record LinesKind(TextRule rule, int most) implements ValueKind {
    @Override
    public Object read(Reading reading) throws IOException, WrongValue {
      JsonParser in = reading.parser();
      List<Object> lines = new ArrayList<>();
      TextKind line = new TextKind(rule);
      Tokens.each(in, most, () -> lines.add(line.read(reading)));
      return List.copyOf(lines);
    }

    @Override
    public Map<String, Object> schema() {
      return ordered("type", "array", "minItems", 1, "maxItems", most, "items", rule.schema());
    }

    @Override
    public String words() {
      return "list of at most " + most + ": " + rule.words();
    }
  }

  /** The parameters of tasks, a line for each; they are handed on and not kept. */
  record TasksKind(TextRule rule, int most) implements ValueKind {
    @Override
    public Object read(Reading reading) throws IOException, WrongValue {
      TextKind line = new TextKind(rule);
      long[] count = {0};
      Tokens.each(
          reading.parser(),
          most,
          () -> {
            reading.task((String) line.read(reading));
            count[0]++;
          });
      return count[0];
    }

    @Override
    public Map<String, Object> schema() {
      return new LinesKind(rule, most).schema();
    }

    @Override
    public String words() {
      return new LinesKind(rule, most).words();
    }
  }

  /** Clusters by their names, each with settings of its own. */
  record Clusters(TextRule name, int most) implements ValueKind {
    @Override
    public Object read(Reading reading) throws IOException, WrongValue {
      JsonParser in = reading.parser();
      if (!in.hasToken(JsonToken.START_OBJECT)) {
        throw new WrongValue("is " + Tokens.words(in) + ", not an object with a cluster's names");
      }
      long count = 0;
      while (in.nextToken() != JsonToken.END_OBJECT) {
        if (++count > most) {
          throw new WrongValue("is one cluster more than the " + most + " that may be");
        }
        String cluster = name.checked(in.currentName());
        in.nextToken();
        reading.cluster(cluster);
      }
      if (count == 0) {
        throw new WrongValue("names no cluster");
      }
      return count;
    }

    @Override
    public Map<String, Object> schema() {
      return ordered(
          "type",
          "object",
          "minProperties",
          1,
          "maxProperties",
          most,
          "propertyNames",
          name.schema(),
          "additionalProperties",
          Map.of("$ref", "#/$defs/cluster"));
    }

    @Override
    public String words() {
      return "object of 1 to " + most;
    }
  }

  /** A field of CiGri that is not offered: only what changes nothing is taken. */
  record RefusedKind(List<String> harmless, String hint) implements ValueKind {
    @Override
    public Object read(Reading reading) throws IOException, WrongValue {
      JsonParser in = reading.parser();
      if (in.currentToken().isScalarValue() && harmless.contains(in.getText())) {
        return in.getText();
      }
      throw new WrongValue("is not offered: " + hint);
    }

    @Override
    public Map<String, Object> schema() {
      List<Object> all = new ArrayList<>(harmless);
      if (harmless.contains("false")) {
        all.add(false);
      }
      // A schema of nothing: no value is taken.
      return all.isEmpty() ? ordered("not", Map.of()) : ordered("enum", all);
    }

    @Override
    public String words() {
      return harmless.isEmpty() ? "nothing" : String.join(", ", harmless);
    }
  }

  /** A map that keeps the order in which it is written. */
  static Map<String, Object> ordered(Object... pairs) {
    Map<String, Object> map = new LinkedHashMap<>();
    for (int i = 0; i < pairs.length; i += 2) {
      map.put((String) pairs[i], pairs[i + 1]);
    }
    return map;
  }
}
