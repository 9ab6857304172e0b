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
