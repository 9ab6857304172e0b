package io.millrace.ops.e2e;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.ops.home.ClusterSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/**
 * Other users' connections that say nothing, or little at a time, to every port and socket of an
 * installation at once: commands are answered as if there were none.
 */
@Order(2)
@Shared(user = "mrstrange")
class StrangersIT {

  /** Accounts of every Debian: several, since one alone has a bound of his own everywhere. */
  private static final List<String> STRANGERS =
      List.of("daemon", "bin", "sys", "man", "lp", "mail");

  private static final int COMMANDS = 20;

  /**
   * What up was asked for; the port at which the server tells its health, the gateway's is next.
   */
  private static final String ASKED = "etc/up.properties";

  private static final Pattern HEALTH = Pattern.compile("(?m)^health=(\\d+)$");

  /** Without the bounds most commands wait for as long as a client tries, or for some tries. */
  private static final Duration LONGEST = Duration.ofSeconds(8);

  static List<String> targets(Site site) throws IOException {
    ClusterSettings.EmbeddedPorts ports = site.cluster().embedded();
    List<String> targets = new ArrayList<>();
    targets.add(site.home().root().resolve("run/gateway.sock").toString());
    targets.add("tcp:" + ports.broker());
    targets.add("tcp:" + ports.controller());
    targets.add("http:" + ports.registry());
    if (!ports.listen().isEmpty()) {
      targets.add("tcp:" + ports.outside());
    }
    Matcher health = HEALTH.matcher(Files.readString(site.home().root().resolve(ASKED)));
    if (health.find()) {
      int server = Integer.parseInt(health.group(1));
      targets.add("http:" + server);
      targets.add("http:" + (server + 1));
    }
    if (Files.exists(site.home().ready("web"))) {
      targets.add("http:" + Files.readString(site.home().ready("web")).strip().split(":")[2]);
    }
    return targets;
  }

  /** Times of qstat and qsub in turn, in ascending order. */
  static List<Long> tookMs(Site site, Account user, int commands)
      throws IOException, InterruptedException {
    List<Long> took = new ArrayList<>();
    for (int i = 0; i < commands; i++) {
      String line = i % 2 == 0 ? "qstat" : "qsub -h -- /bin/true";
      Shell.Answer answer = site.run(user, user.home(), line);
      answer.must();
      took.add(answer.tookMs());
    }
    Collections.sort(took);
    return took;
  }

  @Test
  void delayNobodysCommands(Site site, Account user) throws Exception {
    Assumptions.assumeTrue(Account.superuser(), "not root: there are no other users");
    try (SlowClients strangers = SlowClients.open(STRANGERS, 900, "each", targets(site))) {
      List<Long> took = tookMs(site, user, COMMANDS);
      System.out.println("e2e: commands beside strangers, in ms: " + took);
      // Half of them and not each: other tests may hold up one or two on the same processors.
      assertTrue(took.get(COMMANDS / 2) < LONGEST.toMillis(), took.toString());
    }
  }
}
