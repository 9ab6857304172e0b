package io.millrace.ops.home;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.hostkey.HostKey;
import io.millrace.schemas.hostkey.HostKeyFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The keys of hosts in the files of a home. */
class HostFilesTest {
  private Home home;

  @BeforeEach
  void make(@TempDir Path folder) throws IOException {
    home = new Home(folder);
    home.create();
    ClusterSettings cluster = ClusterSettings.embedded(1, "");
    cluster.write(home);
    ClientSettings.generate(home, cluster.bootstrapServers());
  }

  private String key(String host) throws IOException {
    return Files.readString(HostKeyFolder.file(home.hostKeys(), host)).strip();
  }

  private Map<String, Object> client(String host) throws IOException {
    return ClientSettings.read(home.hostClient(host));
  }

  private static String mode(Path file) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
  }

  @Test
  void theExecutorsHereAreOnePrincipalWithAKeyForEachHost() throws Exception {
    HostFiles.ensureOwn(home, "here");
    HostFiles.ensureOwn(home, "here-2");
    assertNotEquals(key("here"), key("here-2"));
    assertEquals(key("here"), client("here").get(HostKey.PROPERTY));
    String own = ClientSettings.password(home, KafkaPrincipal.EXECUTOR);
    assertEquals(own, ClientSettings.password(home.hostClient("here")));
    assertFalse(HostFiles.isOther(home, "here"));
    assertEquals(Map.of(), HostFiles.passwords(home));
    Map<String, Object> before = client("here");
    HostFiles.ensureOwn(home, "here");
    assertEquals(before, client("here"));

    KeyFiles.begin(home, List.of(KafkaPrincipal.EXECUTOR));
    KeyFiles.finish(home);
    String renewed = ClientSettings.password(home, KafkaPrincipal.EXECUTOR);
    assertNotEquals(own, renewed);
    assertEquals(renewed, ClientSettings.password(home.hostClient("here")));
    assertEquals(key("here"), client("here").get(HostKey.PROPERTY));
    HostFiles.renewOwn(home, "here");
    assertNotEquals(before.get(HostKey.PROPERTY), client("here").get(HostKey.PROPERTY));
  }

  @Test
  void anotherHostIsAPrincipalOfItsOwn() throws Exception {
    HostFiles.make(home, "afar");
    assertTrue(HostFiles.isOther(home, "afar"));
    String password = ClientSettings.password(home.hostClient("afar"));
    assertEquals(Map.of("executor-afar", password), HostFiles.passwords(home));
    assertEquals(key("afar"), client("afar").get(HostKey.PROPERTY));
    for (Path file :
        List.of(home.hostClient("afar"), HostKeyFolder.file(home.hostKeys(), "afar"))) {
      assertEquals("rw-------", mode(file));
      assertEquals("rwx------", mode(file.getParent()));
    }
    String before = key("afar");
    HostFiles.make(home, "afar");
    assertNotEquals(before, key("afar"));
    assertNotEquals(password, ClientSettings.password(home.hostClient("afar")));
  }

  @Test
  void whoWasRevokedHasNoKeyAndAPasswordThatNobodyKnows() throws Exception {
    HostFiles.make(home, "afar");
    String password = ClientSettings.password(home.hostClient("afar"));
    HostFiles.revoke(home, "afar");
    assertEquals(List.of(), HostFiles.admitted(home));
    assertEquals(List.of("afar"), HostFiles.revoked(home));
    assertTrue(HostFiles.isRevoked(home, "afar"));
    assertFalse(Files.exists(home.hostClient("afar")));
    String unknown = HostFiles.passwords(home).get("executor-afar");
    assertNotEquals(password, unknown);
    assertNotEquals(unknown, HostFiles.passwords(home).get("executor-afar"));
    HostFiles.make(home, "afar");
    assertEquals(List.of(), HostFiles.revoked(home));
    assertEquals(List.of("afar"), HostFiles.admitted(home));
  }

  @Test
  void theKeyBeforeIsKeptWhenOneIsRenewedAndNotWhenItWasTakenBack() throws Exception {
    HostFiles.make(home, "afar");
    HostFiles.ensureOwn(home, "here");
    for (String host : List.of("afar", "here")) {
      String before = key(host);
      renew(host);
      assertTrue(key(host).matches("[0-9a-f]{64} " + before + "@\\S+Z"), "of " + host);
      assertEquals(key(host), client(host).get(HostKey.PROPERTY));
      HostKeyFolder.read(host, HostKeyFolder.file(home.hostKeys(), host));
      HostFiles.revoke(home, host);
      renew(host);
      assertEquals(64, key(host).length());
      // As one that was killed before it had deleted anything.
      Files.createFile(home.hostKeys().resolve(host + ".revoked"));
      renew(host);
      assertEquals(64, key(host).length());
      Files.writeString(HostKeyFolder.file(home.hostKeys(), host), "no key");
      renew(host);
      assertEquals(64, key(host).length());
    }
  }

  private Path elsewhere(Map<String, Object> given) throws IOException {
    new ClusterSettings("kafka:9092", 3, null).write(home);
    ClientSettings.copy(home, given);
    return home.hostClient("afar");
  }

  @Test
  void onAnotherClusterTheLoginOfTheExecutorsHereGoesToNobody() throws Exception {
    String login = "org.apache.kafka.common.security.plain.PlainLoginModule required";
    String shared = login + " username=\"shared\" password=\"secret\";";
    elsewhere(
        Map.of(
            "bootstrap.servers", "kafka:9092",
            "security.protocol", "SASL_SSL",
            "sasl.jaas.config", shared,
            "ssl.keystore.key", "secret",
            "ssl.key.password", "secret"));
    HostFiles.make(home, "afar");
    assertEquals(
        Map.of(
            "bootstrap.servers",
            "kafka:9092",
            "security.protocol",
            "SASL_SSL",
            HostKey.PROPERTY,
            key("afar")),
        client("afar"));
    assertEquals(Optional.empty(), HostFiles.login(home, "afar"));
    assertTrue(HostFiles.lacksLogin(home, "afar"));
    HostFiles.ensureOwn(home, "here");
    assertEquals(shared, client("here").get("sasl.jaas.config"), "they are one account");
  }

  @Test
  void onAnotherClusterAFileThatWasEditedKeepsItsLines() throws Exception {
    Path file = elsewhere(Map.of("bootstrap.servers", "kafka:9092"));
    HostFiles.make(home, "afar");
    String login = "sasl.jaas.config=some.Module required username=\"afar\" password=\"own\";\n";
    Files.writeString(file, "# ours\n" + Files.readString(file) + login);
    String before = key("afar");
    HostFiles.make(home, "afar");
    assertNotEquals(before, key("afar"));
    assertEquals(key("afar"), client("afar").get(HostKey.PROPERTY));
    String text = Files.readString(file);
    assertTrue(text.startsWith("# ours\n") && text.endsWith(login), text);
    assertEquals(1, text.split(HostKey.PROPERTY, -1).length - 1, text);
    assertEquals(Optional.of("afar"), HostFiles.login(home, "afar"));
    assertFalse(HostFiles.lacksLogin(home, "afar"));
    Files.writeString(file, "bootstrap.servers=other:9092");
    HostFiles.make(home, "afar");
    assertEquals(
        Map.of("bootstrap.servers", "other:9092", HostKey.PROPERTY, key("afar")), client("afar"));
    assertEquals("rw-------", mode(file));
  }

  private void renew(String host) throws IOException {
    if (host.equals("here")) {
      HostFiles.renewOwn(home, host);
    } else {
      HostFiles.make(home, host);
    }
  }

  @Test
  void aNameThatLeadsElsewhereIsRefused() {
    assertThrows(IllegalArgumentException.class, () -> HostFiles.make(home, "../afar"));
    assertFalse(Files.exists(home.root().resolve("etc/afar.key")));
  }
}
