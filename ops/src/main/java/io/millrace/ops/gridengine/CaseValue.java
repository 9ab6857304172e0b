package io.millrace.ops.gridengine;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.millrace.schedulers.gridengine.language.options.ConfigurationRefused;
import io.millrace.schedulers.gridengine.language.options.Nearest;
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
 * A value in a JSON file of a recorded session. It knows where it stands: one that is not what it
 * must be is refused with file, place and what would be right, and never read as something else.
 */
final class CaseValue {

  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
          .build();

  /** More seconds than any session has. */
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
   * The object that a file is.
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

  /** The same under a name that says more to its reader. */
  CaseValue called(String name) {
    return new CaseValue(file, name, node);
  }

  /** What is wrong with it, or with what stands around it. */
  ConfigurationRefused refused(String reason) {
    return new ConfigurationRefused(file, 0, (place.isEmpty() ? "" : place + ": ") + reason);
  }

  private ConfigurationRefused mustBe(String expected) {
    return new ConfigurationRefused(file, 0, place + " is " + node + ", but must be " + expected);
  }

  private CaseValue child(String name, JsonNode child) {
    return new CaseValue(file, (place.isEmpty() ? "" : place + ": ") + "'" + name + "'", child);
  }

  /** Empty when there is none, and when it is null. */
  Optional<CaseValue> find(String key) {
    return Optional.ofNullable(node.get(key)).filter(it -> !it.isNull()).map(it -> child(key, it));
  }

  /** What an object must have. */
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
   * @param each what one of them is called, before its number from 1
   */
  List<CaseValue> items(String each) {
    if (!node.isArray()) {
      throw mustBe("a list [...]");
    }
    // A list of the file itself need not be named: there is one of jobs, and one of actions.
    String around = place.startsWith("'") ? "" : place + ": ";
    List<CaseValue> items = new ArrayList<>();
    for (JsonNode item : node) {
      items.add(new CaseValue(file, around + each + " " + (items.size() + 1), item));
    }
    return items;
  }

  /** Also as qsub writes it. */
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

  /** A text, or a number as a text. */
  String word() {
    if (!node.isTextual() && !node.isIntegralNumber()) {
      throw mustBe("a text or a whole number");
    }
    return node.asText();
  }

  /** What a resource is requested or offered as. */
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

  /** Whole seconds, rounded up. */
  long seconds() {
    if (!node.isNumber() || node.doubleValue() < 0 || node.doubleValue() > LATEST_S) {
      throw mustBe("a number of seconds, 0 or more");
    }
    return (long) Math.ceil(node.doubleValue());
  }

  /** A text, or a list of texts as one text with commas. */
  String words(String each) {
    return isList() ? String.join(",", items(each).stream().map(CaseValue::word).toList()) : word();
  }

  /**
   * Refuses keys that look like one of these and are not it. Others say something to who recorded
   * the session; they are returned, as warnings.
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
