package io.millrace.ops.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.ops.broker.FalseBroker;
import io.millrace.ops.broker.FalseBroker.Way;
import io.millrace.ops.home.ClientSettings;
import io.millrace.ops.home.ClusterSettings;
import io.millrace.ops.home.KafkaPrincipal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/**
 * The broker is away, and a program of another account listens on each of its ports while all parts
 * and an executor of another host live.
 */
@Order(2)
@Shared(user = "mrfalse", site = SharedSite.OPEN)
class FalseBrokerIT {

  private static final String HOST = "afar";
  private static final String STRANGE = " is not this cluster's broker, or ";
  private static final Duration PATIENCE = Duration.ofSeconds(180);

  /** How long it listens at least. */
  private static final Duration LISTENS = Site.NIGHT ? Duration.ofSeconds(60) : Duration.ZERO;

  private static final List<String> PARTS =
      List.of("server", "gateway", "accounting", "executor", "campaigns", "web");
  private static final Set<String> PRINCIPALS =
      Set.of("server", "gateway", "monitor", "executor", "campaigns");

  @Test
  void itIsToldNothingAndNobodyObeysIt(Site site, Account user) throws Exception {
    ClusterSettings.EmbeddedPorts ports = site.cluster().embedded();
    site.qmgr("create node " + HOST);
    try (Hosts hosts = new Hosts(site.folder(), false)) {
      hosts.start(site, HOST, "ncpus=1", site.folder().resolve("afar"));
      Site.kill(List.of(site.processes().get("broker")));
      attack(site, hosts, ports);
      site.up().must();
      Site.await(PATIENCE, "all serve again", () -> ExecutorNodes.allServe(site));
      String id = site.run(user, user.home(), "qsub -l ncpus=1 -- /bin/true").must().strip();
      site.awaitState(id, "F");
    }
    site.qmgr("delete node " + HOST);
  }

  private static void attack(Site site, Hosts hosts, ClusterSettings.EmbeddedPorts ports)
      throws Exception {
    long begin = System.nanoTime();
    SSLContext strange = StrangeCertificate.forLoopback(site.folder().resolve("strange"));
    try (FalseBroker clients = new FalseBroker(ports.broker(), Way.values());
        FalseBroker outside = new FalseBroker(ports.outside(), strange, Way.values());
        FalseBroker controller = new FalseBroker(ports.controller(), Way.values())) {
      Site.await(
          PATIENCE,
          "each has tried to log in, in each way, or told its password",
          () ->
              !clients.passwords().isEmpty()
                  || clients.offeredPlain() >= 3 * PRINCIPALS.size()
                      && clients.users(Way.OWN_SALT).containsAll(PRINCIPALS)
                      && clients.users(Way.YES).containsAll(PRINCIPALS));
      Site.await(PATIENCE, "the other host has tried", () -> outside.connections() >= 3);
      Site.await(
          PATIENCE,
          "it has listened for long",
          () -> System.nanoTime() - begin >= LISTENS.toNanos());
      for (Way way : Way.values()) {
        assertEquals(Set.of(), outside.users(way), "a stranger's certificate ends it before");
      }
      for (FalseBroker each : List.of(clients, outside, controller)) {
        assertEquals(List.of(), each.passwords());
        assertEquals(Set.of(), each.beyondLogin(), "nobody obeys it or sends it a command");
        for (KafkaPrincipal principal : KafkaPrincipal.values()) {
          String password = ClientSettings.password(site.home(), principal);
          assertFalse(each.received(password), principal.text());
        }
        assertFalse(each.received(Files.readString(site.home().queryToken()).strip()));
      }
      assertEquals(0, controller.connections(), "only the broker's own process speaks to it");
      for (String part : PARTS) {
        assertTold(site.home().log(part), part);
      }
      assertTold(hosts.log(HOST), HOST);
    }
  }

  /** One line, not one for each of the hundreds of attempts. */
  private static void assertTold(Path log, String part) throws IOException, InterruptedException {
    Site.await(PATIENCE, part + " says so", () -> lines(log) > 0);
    assertTrue(lines(log) <= 5, part + ": " + lines(log));
  }

  private static long lines(Path log) throws IOException {
    return Files.readString(log).lines().filter(line -> line.contains(STRANGE)).count();
  }
}
