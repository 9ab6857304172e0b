package io.millrace.server.web.route;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.server.http.HttpAnswer;
import java.io.IOException;

/** JSON in and out; a name that comes twice is refused. */
final class JsonText {

  /** One takes 60 to 75 bytes when it was read, however few it has in the text. */
  static final int TOKENS_MAX = 50_000;

  private static final ObjectMapper MAPPER =
      JsonMapper.builder(
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder().maxTokenCount(TOKENS_MAX).build())
                  .build())
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  static final String MEDIA_TYPE = "application/json";

  private JsonText() {}

  static HttpAnswer answer(int status, JsonNode body) {
    return HttpAnswer.whole(status, MEDIA_TYPE, bytes(body));
  }

  static HttpAnswer answer(byte[] body) {
    return HttpAnswer.whole(200, MEDIA_TYPE, body);
  }

  static ObjectNode object() {
    return JsonNodeFactory.instance.objectNode();
  }

  static byte[] bytes(JsonNode node) {
    try {
      return MAPPER.writeValueAsBytes(node);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a tree can be written", e);
    }
  }

  /**
   * @throws Problem of what is no JSON object, or of too many parts
   */
  static ObjectNode parse(byte[] body) throws Problem {
    try {
      JsonNode node = MAPPER.readTree(body);
      if (node instanceof ObjectNode object) {
        return object;
      }
      throw Problem.bad("the body is no JSON object");
    } catch (StreamConstraintsException e) {
      throw new Problem(
          413,
          PbsError.INVALID_REQUEST,
          "the body has more than "
              + TOKENS_MAX
              + " names, texts and brackets, or one that is too large or too deep");
    } catch (JsonProcessingException e) {
      throw Problem.bad("the body is no JSON: " + e.getOriginalMessage().lines().findFirst().get());
    } catch (IOException e) {
      throw Problem.bad("the body cannot be read: " + e.getMessage());
    }
  }

  static ObjectNode tree(java.io.InputStream in) throws IOException {
    return (ObjectNode) MAPPER.readTree(in);
  }
}
