package io.millrace.ops.part;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AccountFolderTest {

  @TempDir Path folder;

  private Path file(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }

  @Test
  void settingsOfClientsAreTakenAsTheyAre() throws IOException {
    file("client.properties", "security.protocol=SASL_SSL\nsasl.mechanism=PLAIN\n");
    assertEquals(
        Map.of("security.protocol", "SASL_SSL", "sasl.mechanism", "PLAIN"),
        AccountFolder.read(folder, null));
  }

  @Test
  void aKafkaUserWithAPassword() throws IOException {
    file("password", "geheim");
    file("sasl.jaas.config", "ScramLoginModule required username=\"server\";\n");
    Path authority = file("ca.crt", "-----BEGIN CERTIFICATE-----\n");
    assertEquals(
        Map.of(
            "security.protocol",
            "SASL_SSL",
            "sasl.mechanism",
            "SCRAM-SHA-512",
            "sasl.jaas.config",
            "ScramLoginModule required username=\"server\";",
            "ssl.truststore.type",
            "PEM",
            "ssl.truststore.certificates",
            "-----BEGIN CERTIFICATE-----"),
        AccountFolder.read(folder, authority));
    assertEquals(
        "SASL_PLAINTEXT", AccountFolder.read(folder, null).get("security.protocol").toString());
  }

  @Test
  void aKafkaUserWithACertificate() throws IOException {
    file("user.crt", "chain");
    file("user.key", "key");
    file("user.p12", "of no use here");
    assertEquals(
        Map.of(
            "security.protocol",
            "SSL",
            "ssl.keystore.type",
            "PEM",
            "ssl.keystore.certificate.chain",
            "chain",
            "ssl.keystore.key",
            "key"),
        AccountFolder.read(folder, null));
  }

  @Test
  void whatIsMissingIsSaid() throws IOException {
    file("user.crt", "chain");
    IOException none = assertThrows(IOException.class, () -> AccountFolder.read(folder, null));
    assertEquals(
        folder
            + " has no account: neither client.properties, nor sasl.jaas.config, nor user.crt with"
            + " user.key",
        none.getMessage());
    file("user.key", "key");
    Path absent = folder.resolve("ca.crt");
    none = assertThrows(IOException.class, () -> AccountFolder.read(folder, absent));
    assertEquals("there is no file " + absent + " that can be read", none.getMessage());
  }
}
