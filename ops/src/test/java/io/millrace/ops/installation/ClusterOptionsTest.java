package io.millrace.ops.installation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.millrace.ops.home.ClientSettings;
import io.millrace.ops.home.ClusterSettings;
import io.millrace.ops.home.Home;
import io.millrace.ops.home.KafkaPrincipal;
import io.millrace.schemas.program.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A first up that died at any point, and the up after it. */
class ClusterOptionsTest {

  /** Address that belongs to no home. */
  private static final String OTHER = "127.0.0.1:1";

  @TempDir Path folder;
  private Home home;

  @BeforeEach
  void aNewHome() throws IOException {
    home = new Home(folder.resolve("home"));
    home.create();
  }

  private ClusterSettings settle() throws IOException, UsageException {
    return new ClusterOptions(home, Up.options("up", "starts it").parse(List.of())).settle();
  }

  private List<String> passwords() throws IOException {
    List<String> all = new ArrayList<>();
    for (KafkaPrincipal principal : KafkaPrincipal.values()) {
      all.add(ClientSettings.password(home, principal));
    }
    return all;
  }

  private void allReach(ClusterSettings cluster) throws IOException {
    for (KafkaPrincipal principal : KafkaPrincipal.values()) {
      assertEquals(
          cluster.bootstrapServers(),
          ClientSettings.read(home.client(principal)).get("bootstrap.servers"),
          principal.text());
    }
  }

  @Test
  void aSecondOneLeavesEverythingAsItIs() throws Exception {
    ClusterSettings cluster = settle();
    allReach(cluster);
    List<String> passwords = passwords();
    assertEquals(cluster, settle());
    assertEquals(passwords, passwords());
  }

  @Test
  void filesWithoutSettingsAreMadeAnew() throws Exception {
    ClientSettings.generate(home, OTHER);
    Files.delete(home.client(KafkaPrincipal.SERVER));
    ClusterSettings cluster = settle();
    assertNotEquals(OTHER, cluster.bootstrapServers());
    allReach(cluster);
  }

  @Test
  void filesThatAreMissingBesideSettingsAreMade() throws Exception {
    ClusterSettings cluster = settle();
    String admin = ClientSettings.password(home, KafkaPrincipal.ADMIN);
    Files.delete(home.client(KafkaPrincipal.SERVER));
    Files.delete(home.queryToken());
    assertEquals(cluster, settle());
    allReach(cluster);
    assertEquals(admin, ClientSettings.password(home, KafkaPrincipal.ADMIN));
    assertEquals(49, Files.size(home.queryToken()));
  }

  @Test
  void ofAHomeThatWasInitialisedNothingIsMadeAnew() throws Exception {
    settle();
    Files.writeString(home.initialised(), "once\n");
    Path client = home.client(KafkaPrincipal.GATEWAY);
    Files.writeString(client, "bootstrap.servers=" + OTHER + "\n");
    Files.delete(home.client(KafkaPrincipal.SERVER));
    settle();
    assertEquals("bootstrap.servers=" + OTHER + "\n", Files.readString(client));
    assertFalse(Files.exists(home.client(KafkaPrincipal.SERVER)));
  }
}
