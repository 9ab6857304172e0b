package io.millrace.ops.home;

import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;

/**
 * The file with which executors of other hosts reach the broker: that of the executors here, with
 * the address for other hosts, TLS, and the certificate to trust. It is made anew whenever one of
 * these has changed.
 */
public final class OutsideClient {

  private OutsideClient() {}

  /** Makes the file, unless the broker does not listen for other hosts. */
  public static void write(Home home) throws IOException {
    ClusterSettings cluster = ClusterSettings.read(home);
    if (!cluster.isEmbedded() || cluster.embedded().listen().isEmpty()) {
      return;
    }
    Properties settings = new Properties();
    settings.load(new StringReader(Files.readString(home.client(KafkaPrincipal.EXECUTOR))));
    settings.setProperty(
        "bootstrap.servers", cluster.embedded().listen() + ":" + cluster.embedded().outside());
    settings.setProperty("security.protocol", "SASL_SSL");
    settings.setProperty("ssl.truststore.type", "PEM");
    settings.setProperty(
        "ssl.truststore.certificates", Files.readString(home.listenerCertificate()));
    StringWriter text = new StringWriter();
    settings.store(text, null);
    Path file = home.outsideClient();
    String made = "# For executors of other hosts; made from executor.properties, do not edit.\n";
    // The first line that Properties writes is the time.
    String lines = made + text.toString().replaceFirst("(?m)^#.*\n", "");
    if (!Files.exists(file) || !Files.readString(file).equals(lines)) {
      SmallFile.write(file, lines, "rw-------");
    }
  }
}
