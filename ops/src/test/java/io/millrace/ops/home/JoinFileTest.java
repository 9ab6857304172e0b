package io.millrace.ops.home;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.hostkey.HostKey;
import io.millrace.schemas.hostkey.HostKeyFolder;
import io.millrace.server.http.ListeningPlaces;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JoinFileTest {

  private static final String SECRET = "ab".repeat(32);

  @TempDir Path folder;
  private Path file;

  private static JoinFile sample() {
    Map<KafkaPrincipal, Map<String, Object>> accounts = new EnumMap<>(KafkaPrincipal.class);
    for (KafkaPrincipal principal : JoinFile.principals()) {
      accounts.put(
          principal,
          Map.of(
              "bootstrap.servers",
              "k1:9092",
              "sasl.jaas.config",
              "a \\ and = and \"" + principal.text() + "\";"));
    }
    return new JoinFile(
        "id-1",
        "k1:9092,k2:9092",
        4,
        new JoinFile.Secrets(
            "token",
            SECRET,
            "-----BEGIN CERTIFICATE-----\nx\n",
            "-----BEGIN PRIVATE KEY-----\ny\n"),
        accounts);
  }

  @BeforeEach
  void write() throws IOException {
    file = folder.resolve("millrace.join");
    sample().write(file);
  }

  @Test
  void whatIsWrittenIsRead() throws IOException {
    assertEquals(sample(), JoinFile.read(file));
    assertEquals("rw-------", mode(file));
    assertFalse(JoinFile.principals().contains(KafkaPrincipal.ADMIN));
  }

  private static String mode(Path file) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
  }

  private String refused() {
    return assertThrows(IOException.class, () -> JoinFile.read(file)).getMessage();
  }

  @Test
  void oneThatOthersMayReadIsRefused() throws IOException {
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
    assertTrue(refused().endsWith("chmod 600 " + file), refused());
  }

  @Test
  void oneWithoutAnyOfItsLinesIsRefused() throws IOException {
    String whole = Files.readString(file);
    for (String name :
        List.of(
            "cluster.id",
            "bootstrap.servers",
            "shards",
            "query.token",
            "hosts.secret",
            "query.certificate",
            "query.key")) {
      Files.writeString(file, whole.replaceFirst("(?m)^" + name + "=", "another="));
      assertTrue(refused().contains("is no join file"), name);
    }
    Files.writeString(file, whole.replaceAll("(?m)^gateway\\..*\n", ""));
    assertTrue(refused().contains("is no join file"));
    Files.delete(file);
    assertTrue(refused().startsWith("there is no file "), refused());
  }

  @Test
  void aHomeHasItAllAndNoAdministrator() throws IOException {
    Home home = new Home(folder.resolve("home"));
    home.create();
    sample().give(home);
    assertEquals(
        "a \\ and = and \"gateway\";",
        ClientSettings.read(home.client(KafkaPrincipal.GATEWAY)).get("sasl.jaas.config"));
    assertFalse(Files.exists(home.client(KafkaPrincipal.ADMIN)));
    assertEquals("token", Files.readString(home.queryToken()).strip());
    for (Path secret :
        List.of(
            home.queryToken(),
            home.hostSecret(),
            ListeningPlaces.key(home.root()),
            home.client(KafkaPrincipal.SERVER))) {
      assertEquals("rw-------", mode(secret), secret.toString());
    }
    assertEquals("rw-r-----", mode(home.client(KafkaPrincipal.MONITOR)));
    assertEquals("id-1", Files.readString(home.joined()).strip());
  }

  @Test
  void homesKnowEachOthersHostsByTheSecret() throws IOException {
    Home one = new Home(folder.resolve("one"));
    Home other = new Home(folder.resolve("other"));
    for (Home home : List.of(one, other)) {
      home.create();
      sample().give(home);
    }
    HostFiles.ensureOwn(other, "n7");
    String key = Files.readString(HostKeyFolder.file(other.hostKeys(), "n7")).strip();
    assertEquals(HostKey.sharedText(SECRET, "n7"), key);
    HostKeyFolder known = new HostKeyFolder(one.hostKeys());
    byte[] order = known.of("n7").orElseThrow().seal("run".getBytes(), 1);
    assertTrue(HostKey.isSealed(order));
    assertTrue(known.of("n8").isPresent());
    assertTrue(known.of("../n8").isEmpty());
    assertTrue(
        assertThrows(IOException.class, () -> HostFiles.renewOwn(other, "n7"))
            .getMessage()
            .contains("has joined a cluster"));
    HostFiles.revoke(one, "n7");
    assertTrue(new HostKeyFolder(one.hostKeys()).of("n7").isEmpty());
    assertTrue(new HostKeyFolder(folder.resolve("none")).of("n8").isEmpty());
  }

  @Test
  void aSecretMayBeReadByItsGroupAndNobodyElse() throws IOException {
    sample().write(file);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("r--r-----"));
    assertEquals(sample(), JoinFile.ofSecret(file));
    assertThrows(IOException.class, () -> JoinFile.read(file));
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("r--r--r--"));
    assertThrows(IOException.class, () -> JoinFile.ofSecret(file));
  }
}
