package io.millrace.connectors.oar;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import io.millrace.connectors.bridge.system.OutsideNumber;
import java.io.IOException;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Consumer;

/**
 * The JSON that OAR's API answers. Of a list nothing is kept but what the reader of its items
 * keeps; fields that nobody knows are passed by.
 */
final class OarJson {

  private static final ObjectMapper MAPPER = new ObjectMapper();

  private static final ObjectReader WHOLE =
      MAPPER.reader(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

  private static final String TIME = "api_timestamp";

  /** Seconds; the year 5138. */
  private static final long TIME_MOST = 100_000_000_000L;

  private static final int MESSAGE_MOST = 64 * 1024;

  private OarJson() {}

  /**
   * Reads all items of a list. One that says to have more or fewer than it has is not whole: the
   * API counts by a question of its own to its database.
   *
   * @param most as many as were asked for: with more the list goes on elsewhere
   * @return why this is no whole answer; empty when it is one
   */
  static Optional<String> items(OarAnswer answer, int most, Consumer<JsonNode> item) {
    if (!answer.isGood()) {
      return Optional.of(answer.trouble());
    }
    int count = -1;
    long total = -1;
    try (JsonParser parser = MAPPER.createParser(answer.body())) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        return Optional.of("this is no JSON object");
      }
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        String name = parser.currentName();
        if (parser.nextToken() == JsonToken.START_ARRAY && name.equals("items")) {
          count = items(parser, item);
        } else if (name.equals("total")) {
          total = parser.getValueAsLong(-1);
          parser.skipChildren();
        } else {
          parser.skipChildren();
        }
      }
      if (parser.currentToken() != JsonToken.END_OBJECT || parser.nextToken() != null) {
        return Optional.of("the JSON breaks off");
      }
    } catch (IOException e) {
      return Optional.of("broken JSON: " + OarAnswer.line(String.valueOf(e.getMessage())));
    }
    if (count < 0) {
      return Optional.of("there is no list of items");
    }
    if (count >= most) {
      return Optional.of("there are " + most + " items or more, which is more than is read");
    }
    return total < 0 || total == count
        ? Optional.empty()
        : Optional.of("the list has " + count + " items and says that there are " + total);
  }

  /** A number of an object, which may stand there as text; empty for anything else. */
  static OptionalDouble number(String body, String name) {
    try {
      JsonNode value = WHOLE.readTree(body).path(name);
      double number = Double.parseDouble(value.asText(""));
      return Double.isFinite(number) ? OptionalDouble.of(number) : OptionalDouble.empty();
    } catch (IOException | NumberFormatException e) {
      return OptionalDouble.empty();
    }
  }

  /** When the server made an answer, by its own clock; empty when it does not say. */
  static Optional<Instant> madeAt(OarAnswer answer) {
    try (JsonParser parser = MAPPER.createParser(answer.body())) {
      if (!answer.isGood() || parser.nextToken() != JsonToken.START_OBJECT) {
        return Optional.empty();
      }
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        boolean stamp = parser.currentName().equals(TIME);
        parser.nextToken();
        long value = stamp ? parser.getValueAsLong(0) : 0;
        if (value > 0 && value < TIME_MOST) {
          return Optional.of(Instant.ofEpochSecond(value));
        }
        parser.skipChildren();
      }
      return Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private static int items(JsonParser parser, Consumer<JsonNode> item) throws IOException {
    int count = 0;
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      if (parser.currentToken() == null) {
        throw new IOException("the JSON breaks off");
      }
      if (parser.currentToken() == JsonToken.START_OBJECT) {
        item.accept(MAPPER.readTree(parser));
      } else {
        parser.skipChildren();
      }
      count++;
    }
    return count;
  }

  /** A whole JSON object; empty for anything else. */
  static Optional<JsonNode> object(String text) {
    try {
      JsonNode node = WHOLE.readTree(text);
      return node.isObject() ? Optional.of(node) : Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** What an answer about an error says; empty when it is none of the API's own. */
  static Optional<String> message(String text) {
    return text.length() > MESSAGE_MOST
        ? Optional.empty()
        : object(text).map(it -> it.path("message").asText("")).filter(it -> !it.isBlank());
  }

  /** A number that is none below zero; empty for anything else. */
  static Optional<Long> number(JsonNode fields, String name) {
    JsonNode value = fields.path(name);
    String text = value.isIntegralNumber() || value.isTextual() ? value.asText() : "";
    return OutsideNumber.of(text);
  }

  /** A moment in seconds since 1970; empty for anything else, and for zero. */
  static Optional<Instant> time(JsonNode fields, String name) {
    return OutsideNumber.time(fields.path(name).asText(""));
  }

  /** A text; empty when there is none. */
  static String text(JsonNode fields, String name) {
    JsonNode value = fields.path(name);
    return value.isValueNode() && !value.isNull() ? value.asText() : "";
  }
}
