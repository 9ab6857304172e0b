package io.millrace.ops.home;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The files with which clients reach the broker. */
class ClientSettingsTest {

  @TempDir Path folder;

  private Home home() throws IOException {
    Home home = new Home(folder);
    home.create();
    return home;
  }

  @Test
  void copiedSettingsAreReadAsTheyWereGiven() throws IOException {
    Home home = home();
    Map<String, Object> given =
        Map.of(
            "sasl.jaas.config", "x required password=\"a\\b #1 \u00e4=:\";",
            "ssl.truststore.location", " C:\\new\\trust");
    ClientSettings.copy(home, given);
    for (KafkaPrincipal principal : KafkaPrincipal.values()) {
      assertEquals(given, ClientSettings.read(home.client(principal)), principal.text());
      assertEquals(
          "rw-------",
          PosixFilePermissions.toString(Files.getPosixFilePermissions(home.client(principal))),
          principal.text());
    }
  }

  /** As docs/topics.md does it for tools that are not in Java. */
  @Test
  void aLineOfShellTakesValuesAsTheyAre() throws IOException {
    String login = ClientSettings.login("monitor", "ab=12");
    String pem = "-----BEGIN CERTIFICATE-----\nMIIB==\n-----END CERTIFICATE-----\n";
    Map<String, Object> given =
        Map.of(
            "bootstrap.servers", "k1:9092,k2:9092",
            "sasl.jaas.config", login,
            "ssl.truststore.certificates", pem);
    String text = ClientSettings.text(given);
    assertEquals(
        "bootstrap.servers=k1:9092,k2:9092\nsasl.jaas.config="
            + login
            + "\nssl.truststore.certificates="
            + pem.replace("\n", "\\n")
            + "\n",
        text);
    assertEquals(given, ClientSettings.read(Files.writeString(folder.resolve("text"), text)));
  }

  @Test
  void namesAndValuesAreReadAsTheyAre() throws IOException {
    Map<String, Object> given =
        Map.of("a b", " two  blanks ", "c:d=e", "\t\r\f\\ \u00e4\u20ac", "#f", "#g", "!h", "");
    Path file = Files.writeString(folder.resolve("text"), ClientSettings.text(given));
    assertEquals(given, ClientSettings.read(file));
  }

  @Test
  void onlyTheMonitorsFileIsForAnybodyElse() throws IOException {
    Home home = home();
    ClientSettings.generate(home, "127.0.0.1:1");
    for (KafkaPrincipal principal : KafkaPrincipal.values()) {
      String wanted = principal == KafkaPrincipal.MONITOR ? "rw-r-----" : "rw-------";
      assertEquals(
          wanted,
          PosixFilePermissions.toString(Files.getPosixFilePermissions(home.client(principal))),
          principal.text());
    }
  }

  @Test
  void nobodyTellsItsPassword() throws IOException {
    Home home = home();
    ClientSettings.generate(home, "127.0.0.1:1");
    for (KafkaPrincipal principal : KafkaPrincipal.values()) {
      Map<String, Object> settings = ClientSettings.read(home.client(principal));
      assertEquals("SCRAM-SHA-512", settings.get("sasl.mechanism"));
      assertTrue(ClientSettings.keepsPassword(home, principal));
      assertFalse(settings.toString().contains("PlainLoginModule"), principal.text());
    }
  }
}
