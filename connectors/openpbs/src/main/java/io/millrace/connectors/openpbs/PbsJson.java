package io.millrace.connectors.openpbs;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.millrace.connectors.bridge.command.OutsideAnswer;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * The JSON that commands of PBS print with {@code -F json}, read object by object. Nothing of it is
 * kept but what the reader of the objects keeps.
 */
final class PbsJson {

  private static final JsonFactory FACTORY = new JsonFactory();

  private PbsJson() {}

  /**
   * Reads all objects of a section; one that is not there is an empty one, as PBS leaves out what
   * it has none of.
   *
   * @param server whose answer it must be
   * @param section name of the section
   * @param object takes the name and the fields of each; those of an inner object are called {@code
   *     OUTER.INNER}
   * @return why this is no whole answer; empty when it is one
   */
  static Optional<String> read(
      OutsideAnswer answer,
      String server,
      String section,
      BiConsumer<String, Map<String, String>> object) {
    if (!answer.isGood()) {
      return Optional.of(answer.trouble());
    }
    String said = null;
    try (JsonParser parser = FACTORY.createParser(answer.text().reader())) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        return Optional.of("this is no JSON object");
      }
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        String name = parser.currentName();
        JsonToken token = parser.nextToken();
        if (name.equals("pbs_server") && token == JsonToken.VALUE_STRING) {
          said = parser.getText();
        } else if (name.equals(section)) {
          objects(parser, object);
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
    if (said == null) {
      return Optional.of("it names no server");
    }
    return said.equals(server)
        ? Optional.empty()
        : Optional.of("this is the server " + said + ", not " + server);
  }

  private static void objects(JsonParser parser, BiConsumer<String, Map<String, String>> object)
      throws IOException {
    if (parser.currentToken() != JsonToken.START_OBJECT) {
      throw new IOException("a section that is no object");
    }
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String name = parser.currentName();
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw new IOException("'" + name + "' is no object");
      }
      Map<String, String> fields = new LinkedHashMap<>();
      fields(parser, "", fields);
      object.accept(name, fields);
    }
    whole(parser);
  }

  private static void fields(JsonParser parser, String prefix, Map<String, String> fields)
      throws IOException {
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String name = prefix + parser.currentName();
      JsonToken token = parser.nextToken();
      if (token == JsonToken.START_OBJECT && prefix.isEmpty()) {
        fields(parser, name + ".", fields);
      } else if (token == JsonToken.START_ARRAY) {
        fields.put(name, list(parser));
      } else if (token == JsonToken.START_OBJECT) {
        parser.skipChildren();
        fields.put(name, "{}");
      } else {
        fields.put(name, token == JsonToken.VALUE_NULL ? "" : String.valueOf(parser.getText()));
      }
    }
    whole(parser);
  }

  private static String list(JsonParser parser) throws IOException {
    StringBuilder all = new StringBuilder();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      if (parser.currentToken() == null) {
        throw new IOException("the JSON breaks off");
      }
      boolean scalar = parser.currentToken().isScalarValue();
      all.append(all.isEmpty() ? "" : ",").append(scalar ? parser.getText() : "{}");
      parser.skipChildren();
    }
    return all.toString();
  }

  private static void whole(JsonParser parser) throws IOException {
    if (parser.currentToken() != JsonToken.END_OBJECT) {
      throw new IOException("the JSON breaks off");
    }
  }
}
