package io.millrace.ops.part;

import io.millrace.ops.home.ClientSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/**
 * An account of Kafka as a secret of a cluster gives it: a folder with a file for each key. What
 * lies there says how it is meant: {@code client.properties} are settings of Kafka clients, {@code
 * sasl.jaas.config} or {@code user.crt} with {@code user.key} are what Strimzi writes for a
 * KafkaUser.
 */
final class AccountFolder {

  private static final String SETTINGS = "client.properties";
  private static final String LOGIN = "sasl.jaas.config";
  private static final String CERTIFICATE = "user.crt";
  private static final String KEY = "user.key";

  private AccountFolder() {}

  /**
   * The client settings of an account.
   *
   * @param authority the certificate by which brokers are known, in PEM; null where it is in the
   *     settings, or the brokers speak no TLS
   * @throws IOException in one line, when there is no account
   */
  static Map<String, Object> read(Path folder, Path authority) throws IOException {
    Map<String, Object> settings = new TreeMap<>();
    if (Files.exists(folder.resolve(SETTINGS))) {
      settings.putAll(ClientSettings.read(folder.resolve(SETTINGS)));
    } else if (Files.exists(folder.resolve(LOGIN))) {
      settings.put("security.protocol", authority == null ? "SASL_PLAINTEXT" : "SASL_SSL");
      settings.put("sasl.mechanism", ClientSettings.MECHANISM);
      settings.put(LOGIN, text(folder.resolve(LOGIN)));
    } else if (Files.exists(folder.resolve(CERTIFICATE)) && Files.exists(folder.resolve(KEY))) {
      settings.put("security.protocol", "SSL");
      settings.put("ssl.keystore.type", "PEM");
      settings.put("ssl.keystore.certificate.chain", text(folder.resolve(CERTIFICATE)));
      settings.put("ssl.keystore.key", text(folder.resolve(KEY)));
    } else {
      throw new IOException(
          folder
              + " has no account: neither "
              + SETTINGS
              + ", nor "
              + LOGIN
              + ", nor "
              + CERTIFICATE
              + " with "
              + KEY);
    }
    if (authority != null) {
      settings.put("ssl.truststore.type", "PEM");
      settings.put("ssl.truststore.certificates", text(authority));
    }
    return settings;
  }

  private static String text(Path file) throws IOException {
    if (!Files.isReadable(file)) {
      throw new IOException("there is no file " + file + " that can be read");
    }
    return Files.readString(file).strip();
  }
}
