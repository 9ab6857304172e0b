package io.millrace.schemas.program;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;

/** Settings of Kafka clients, as files of properties have them. */
public final class KafkaClientFile {

  /**
   * What nobody reads is not made, unless the file says otherwise: beans for each measurement of
   * each client, and measurements that are sent to the broker.
   */
  private static final Map<String, Object> QUIET_CLIENT =
      Map.of("metric.reporters", "", "enable.metrics.push", "false");

  private KafkaClientFile() {}

  /**
   * What a file says.
   *
   * @throws IOException in one line, when it cannot be read
   */
  public static Map<String, Object> read(Path file) throws IOException {
    Properties properties = new Properties();
    try (InputStream in = Files.newInputStream(file)) {
      properties.load(in);
    } catch (NoSuchFileException e) {
      throw new IOException("there is no file " + file, e);
    } catch (IOException | IllegalArgumentException e) {
      throw new IOException("cannot read " + file + ": " + e.getMessage(), e);
    }
    return of(properties);
  }

  /** What is given, and what our clients are without a word about it. */
  static Map<String, Object> of(Map<?, ?> given) {
    Map<String, Object> kafka = new HashMap<>();
    given.forEach((name, value) -> kafka.put((String) name, value));
    QUIET_CLIENT.forEach(kafka::putIfAbsent);
    return kafka;
  }
}
