package io.millrace.ops.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.millrace.ops.home.ClientSettings;
import io.millrace.ops.home.ClusterSettings;
import io.millrace.ops.home.Home;
import io.millrace.ops.home.Principal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A first up that died anywhere, and the one after it. */
class GivenClusterTest {

  /** No port of a home. */
  private static final String OTHER = "127.0.0.1:1";

  @TempDir Path folder;
  private Home home;

  @BeforeEach
  void aNewHome() throws IOException {
    home = new Home(folder.resolve("home"));
    home.create();
  }

  private ClusterSettings settle() throws IOException, UsageException {
    return new GivenCluster(home, Up.options("up", "starts it").parse(List.of())).settle();
  }

  private List<String> passwords() throws IOException {
    List<String> all = new ArrayList<>();
    for (Principal principal : Principal.values()) {
      all.add(ClientSettings.password(home, principal));
    }
    return all;
  }

  private void allReach(ClusterSettings cluster) throws IOException {
    for (Principal principal : Principal.values()) {
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
    Files.delete(home.client(Principal.SERVER));
    ClusterSettings cluster = settle();
    assertNotEquals(OTHER, cluster.bootstrapServers());
    allReach(cluster);
  }

  @Test
  void filesThatAreMissingBesideSettingsAreMade() throws Exception {
    ClusterSettings cluster = settle();
    String admin = ClientSettings.password(home, Principal.ADMIN);
    Files.delete(home.client(Principal.SERVER));
    Files.delete(home.queryToken());
    assertEquals(cluster, settle());
    allReach(cluster);
    assertEquals(admin, ClientSettings.password(home, Principal.ADMIN));
    assertEquals(49, Files.size(home.queryToken()));
  }

  @Test
  void ofAHomeThatWasInitialisedNothingIsMadeAnew() throws Exception {
    settle();
    Files.writeString(home.initialised(), "once\n");
    Path client = home.client(Principal.GATEWAY);
    Files.writeString(client, "bootstrap.servers=" + OTHER + "\n");
    Files.delete(home.client(Principal.SERVER));
    settle();
    assertEquals("bootstrap.servers=" + OTHER + "\n", Files.readString(client));
    assertFalse(Files.exists(home.client(Principal.SERVER)));
  }
}
