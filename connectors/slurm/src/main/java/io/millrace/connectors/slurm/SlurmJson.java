package io.millrace.connectors.slurm;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.Reader;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The JSON that Slurm's commands print, read element by element. Nothing of it is kept but what the
 * reader of the elements keeps.
 */
final class SlurmJson {

  private static final JsonFactory FACTORY = new JsonFactory();

  static final String SHARES = "job_resources";
  static final String OF_NODES = "gres_detail";

  private SlurmJson() {}

  /**
   * Reads all elements of a list.
   *
   * @param list name of the list
   * @param element takes the fields of each: texts and numbers as they are, lists of them joined by
   *     commas ({@code gres_detail}, whose texts have commas, by semicolons), null as an empty
   *     text, {@code job_resources} as {@link SlurmShares} reads it, and other objects as {@code
   *     {}}
   * @return why this is no whole answer; empty when it is one
   */
  static Optional<String> read(Reader json, String list, Consumer<Map<String, String>> element) {
    String errors = null;
    boolean found = false;
    try (JsonParser parser = FACTORY.createParser(json)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        return Optional.of("this is no JSON object");
      }
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        String name = parser.currentName();
        JsonToken token = parser.nextToken();
        if (name.equals("errors") && token == JsonToken.START_ARRAY) {
          errors = errors(parser);
        } else if (name.equals(list) && token == JsonToken.START_ARRAY) {
          elements(parser, element);
          found = true;
        } else {
          parser.skipChildren();
        }
      }
      if (parser.currentToken() != JsonToken.END_OBJECT) {
        return Optional.of("the JSON breaks off");
      }
    } catch (IOException e) {
      return Optional.of(
          "broken JSON: " + String.valueOf(e.getMessage()).lines().findFirst().orElse(""));
    }
    if (errors == null || !errors.isEmpty()) {
      return Optional.of(errors == null ? "there is no list of errors" : errors);
    }
    return found ? Optional.empty() : Optional.of("there is no list of " + list);
  }

  private static String errors(JsonParser parser) throws IOException {
    StringBuilder all = new StringBuilder();
    elements(
        parser,
        error ->
            all.append(all.isEmpty() ? "" : "; ")
                .append(error.getOrDefault("description", "an error"))
                .append(" (")
                .append(error.getOrDefault("error", ""))
                .append(")"));
    return all.toString();
  }

  private static void elements(JsonParser parser, Consumer<Map<String, String>> element)
      throws IOException {
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      if (parser.currentToken() == JsonToken.START_OBJECT) {
        element.accept(fields(parser));
      } else if (parser.currentToken() == null) {
        throw new IOException("the JSON breaks off");
      } else {
        parser.skipChildren();
      }
    }
  }

  private static Map<String, String> fields(JsonParser parser) throws IOException {
    Map<String, String> fields = new LinkedHashMap<>();
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String name = parser.currentName();
      JsonToken token = parser.nextToken();
      boolean shares = name.equals(SHARES) && token == JsonToken.START_OBJECT;
      String between = name.equals(OF_NODES) ? ";" : ",";
      fields.put(name, shares ? SlurmShares.read(parser) : value(parser, token, between));
    }
    need(parser, JsonToken.END_OBJECT);
    return fields;
  }

  /** Whether the parser is where it has to be, or all breaks off before. */
  static void need(JsonParser parser, JsonToken token) throws IOException {
    if (parser.currentToken() != token) {
      throw new IOException("the JSON breaks off");
    }
  }

  private static String value(JsonParser parser, JsonToken token, String between)
      throws IOException {
    if (token == JsonToken.VALUE_NULL) {
      return "";
    }
    if (token == JsonToken.START_OBJECT) {
      parser.skipChildren();
      return "{}";
    }
    if (token != JsonToken.START_ARRAY) {
      return parser.getText();
    }
    StringBuilder all = new StringBuilder();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      if (parser.currentToken() == null) {
        throw new IOException("the JSON breaks off");
      }
      boolean scalar = parser.currentToken().isScalarValue();
      all.append(all.isEmpty() ? "" : between).append(scalar ? parser.getText() : "{}");
      parser.skipChildren();
    }
    return all.toString();
  }
}
