package io.millrace.ops.origin2000;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.millrace.schedulers.gridengine.language.options.ConfigurationRefused;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The JSON files of a case. */
final class CaseJson {

  static final JsonMapper MAPPER =
      JsonMapper.builder()
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .build();

  private CaseJson() {}

  /**
   * A file with a JSON object.
   *
   * @throws ConfigurationRefused when it is none
   */
  static JsonNode read(Path file) throws IOException {
    if (!Files.isRegularFile(file)) {
      throw new ConfigurationRefused(file.toString(), 0, "there is no such file");
    }
    try {
      JsonNode node = MAPPER.readTree(OriginFiles.text(file));
      if (!node.isObject()) {
        throw new ConfigurationRefused(file.toString(), 1, "this is no JSON object");
      }
      return node;
    } catch (JsonProcessingException e) {
      int line = e.getLocation() == null ? 0 : e.getLocation().getLineNr();
      String what = e.getOriginalMessage().replaceAll(" \\(.*", "");
      throw new ConfigurationRefused(file.toString(), line, "this is no JSON: " + what);
    }
  }
}
