package io.millrace.connectors.bridge.recorded;

import io.millrace.connectors.bridge.command.OutsideAnswer;
import io.millrace.connectors.bridge.command.OutsideAnswer.ProcessEnding;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What an outside system has printed.
 *
 * @param beside the class beside which the files of the texts lie
 */
public record RecordedTexts(Class<?> beside) {

  /** A whole file. */
  public String text(String name) {
    try (InputStream in = beside.getResourceAsStream(name)) {
      if (in == null) {
        throw new FileNotFoundException(name + " beside " + beside.getName());
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Fields of an output, each with what is made of it. */
  public Map<String, String> fields(String name) {
    Map<String, String> fields = new LinkedHashMap<>();
    for (String line : text(name).lines().toList()) {
      int colon = line.indexOf(": ");
      if (!line.startsWith("#") && colon > 0) {
        fields.put(line.substring(0, colon), line.substring(colon + 2));
      }
    }
    return fields;
  }

  /** How a command ends that has printed this. */
  public static OutsideAnswer answer(int status, String out, String err) {
    return new OutsideAnswer(ProcessEnding.EXITED, status, out, err, Duration.ofMillis(20));
  }
}
