package io.millrace.schemas.program;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;

/** Settings of Kafka clients, as files of properties have them. */
public final class KafkaClientFile {

  /**
   * What nobody reads is not made: beans for each measurement of each client, and measurements that
   * are sent to the broker. A partition whose leader is lost has a new one within seconds, which no
   * client is to miss for a further second.
   */
  private static final Map<String, Object> USUAL =
      Map.of(
          "metric.reporters",
          "",
          "enable.metrics.push",
          "false",
          "retry.backoff.max.ms",
          "200",
          "reconnect.backoff.max.ms",
          "200");

  /** Kafka asks an issuer of tokens only at addresses of which this property of Java has a list. */
  private static final String ISSUERS = "org.apache.kafka.sasl.oauthbearer.allowed.urls";

  private static final List<String> ADDRESSES =
      List.of("sasl.oauthbearer.token.endpoint.url", "sasl.oauthbearer.jwks.endpoint.url");

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
    USUAL.forEach(kafka::putIfAbsent);
    admitIssuers(kafka);
    return kafka;
  }

  /** Lets clients get tokens from where their settings say; who wrote these may say so. */
  public static void admitIssuers(Map<String, Object> kafka) {
    Set<String> all = new LinkedHashSet<>(List.of(System.getProperty(ISSUERS, "").split(",")));
    for (String address : ADDRESSES) {
      if (kafka.containsKey(address)) {
        all.add(kafka.get(address).toString());
      }
    }
    all.remove("");
    if (!all.isEmpty()) {
      System.setProperty(ISSUERS, String.join(",", all));
    }
  }
}
