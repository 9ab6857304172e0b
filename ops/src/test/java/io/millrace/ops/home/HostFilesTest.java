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
  void aNameThatLeadsElsewhereIsRefused() {
    assertThrows(IllegalArgumentException.class, () -> HostFiles.make(home, "../afar"));
    assertFalse(Files.exists(home.root().resolve("etc/afar.key")));
  }
}
