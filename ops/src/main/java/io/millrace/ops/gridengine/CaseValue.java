package io.millrace.ops.gridengine;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.millrace.schedulers.gridengine.language.options.ConfigurationRefused;
import io.millrace.schemas.pbs.attributes.Nearest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * A value in a JSON file of a recorded session, with its place in the file. A value of a wrong form
 * is refused with file, place and the expected form; it is never reinterpreted.
 */
final class CaseValue {

  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
          .build();

  /** Largest number of seconds, longer than any session. */
  private static final double LATEST_S = 1e9;

  private final String file;
  private final String place;
  private final JsonNode node;

  private CaseValue(String file, String place, JsonNode node) {
    this.file = file;
    this.place = place;
    this.node = node;
  }

  /**
   * Reads a file that must hold a JSON object.
   *
   * @throws ConfigurationRefused when it is none
   */
  static CaseValue read(Path file) throws IOException {
    if (!Files.isRegularFile(file)) {
      throw new ConfigurationRefused(file.toString(), 0, "there is no such file");
    }
    try {
      JsonNode node = JSON.readTree(file.toFile());
      if (!node.isObject()) {
        throw new ConfigurationRefused(file.toString(), 1, "this is no JSON object");
      }
      return new CaseValue(file.toString(), "", node);
    } catch (JsonProcessingException e) {
      int line = e.getLocation() == null ? 0 : e.getLocation().getLineNr();
      throw new ConfigurationRefused(
          file.toString(), line, "this is no JSON: " + e.getOriginalMessage());
    }
  }

  /** A copy with a name that says more to the reader of an error message. */
  CaseValue called(String name) {
    return new CaseValue(file, name, node);
  }

  /** A refusal of this value. */
  ConfigurationRefused refused(String reason) {
    return new ConfigurationRefused(file, 0, (place.isEmpty() ? "" : place + ": ") + reason);
  }

  private ConfigurationRefused mustBe(String expected) {
    return new ConfigurationRefused(file, 0, place + " is " + node + ", but must be " + expected);
  }

  private CaseValue child(String name, JsonNode child) {
    return new CaseValue(file, (place.isEmpty() ? "" : place + ": ") + "'" + name + "'", child);
  }

  /** The value of a key; empty when it is absent or null. */
  Optional<CaseValue> find(String key) {
    return Optional.ofNullable(node.get(key)).filter(it -> !it.isNull()).map(it -> child(key, it));
  }

  /** The value of a key that the object must have. */
  CaseValue need(String key, String expected) {
    if (!node.isObject()) {
      throw mustBe("an object {...}");
    }
    return find(key).orElseThrow(() -> refused("'" + key + "' is missing: " + expected));
  }

  boolean isObject() {
    return node.isObject();
  }

  boolean isList() {
    return node.isArray();
  }

  /** The values of an object by their keys, in the order of the file. */
  Map<String, CaseValue> values() {
    if (!node.isObject()) {
      throw mustBe("an object {...}");
    }
    Map<String, CaseValue> values = new LinkedHashMap<>();
    node.fieldNames().forEachRemaining(key -> values.put(key, child(key, node.get(key))));
    return values;
  }

  /**
   * The values of a list.
   *
   * @param each name of one item in messages, which is followed by its number from 1
   */
  List<CaseValue> items(String each) {
    if (!node.isArray()) {
      throw mustBe("a list [...]");
    }
    // A list at the top level needs no name: there is only one of jobs and one of actions.
    String around = place.startsWith("'") ? "" : place + ": ";
    List<CaseValue> items = new ArrayList<>();
    for (JsonNode item : node) {
      items.add(new CaseValue(file, around + each + " " + (items.size() + 1), item));
    }
    return items;
  }

  /** A boolean, which may also be written as for qsub (y, n). */
  boolean truth() {
    return switch (node.asText().toLowerCase(Locale.ROOT)) {
      case "true", "y", "yes", "1" -> true;
      case "false", "n", "no", "0" -> false;
      default -> throw mustBe("true or false");
    };
  }

  boolean isNull() {
    return node.isNull();
  }

  String text() {
    if (!node.isTextual() || node.textValue().isBlank()) {
      throw mustBe("a text");
    }
    return node.textValue();
  }

  /** A text, or a number converted to a text. */
  String word() {
    if (!node.isTextual() && !node.isIntegralNumber()) {
      throw mustBe("a text or a whole number");
    }
    return node.asText();
  }

  /** The value of a resource that is requested or offered. */
  String amount() {
    if (node.isNumber()) {
      return node.decimalValue().toPlainString();
    }
    if (!node.isTextual() && !node.isBoolean()) {
      throw mustBe("a number, a text, true or false");
    }
    return node.asText();
  }

  String wholeNumber() {
    if (!node.isIntegralNumber() && !node.asText().matches("-?\\d{1,9}")) {
      throw mustBe("a whole number");
    }
    return node.asText();
  }

  /** A time in seconds, rounded up. */
  long seconds() {
    if (!node.isNumber() || node.doubleValue() < 0 || node.doubleValue() > LATEST_S) {
      throw mustBe("a number of seconds, 0 or more");
    }
    return (long) Math.ceil(node.doubleValue());
  }

  /** A text, or a list of texts joined by commas. */
  String words(String each) {
    return isList() ? String.join(",", items(each).stream().map(CaseValue::word).toList()) : word();
  }

  /**
   * Refuses keys that look like misspelled known ones. Other unknown keys are returned as warnings.
   */
  List<String> others(Collection<String> known) {
    List<String> warnings = new ArrayList<>();
    for (String key : values().keySet()) {
      if (!known.contains(key)) {
        Optional<String> meant = Nearest.slip(key, known);
        if (meant.isPresent()) {
          throw refused("there is no key '" + key + "' (nearest: " + meant.get() + ")");
        }
        warnings.add(refused("'" + key + "' is not looked at").getMessage());
      }
    }
    return warnings;
  }
}
