package io.millrace.ops.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.server.http.TestCertificate;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;

/** Two installations: nodes are reserved in both from the shell of one, all or none. */
@Order(2)
@Tag("night")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class SitesIT {
  private static final Duration PATIENCE = Duration.ofSeconds(180);
  private static final DateTimeFormatter FORM = DateTimeFormatter.ofPattern("yyyyMMddHHmm.ss");
  private static final String BOTH = "--at pbs-default=1,far:pbs-default=1 ";
  private static final Pattern ELSEWHERE = Pattern.compile("<elsewhere site=\"far\"");
  private static final Pattern RESERVATION = Pattern.compile("<reservation ");

  private Site here;
  private Site far;
  private Account user;
  private Path work;
  private int hours = 2;

  @BeforeAll
  void begin() throws Exception {
    here = Site.prepare("here");
    far = Site.prepare("far");
    // Before anything is started: it waits for other runs of tests, also for what is left of one.
    user = here.user("mrsites");
    here.assumeOpenTo(user, "SitesIT");
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    Path folder = far.folder();
    TestCertificate certificate = TestCertificate.of(folder, "dns:localhost,ip:127.0.0.1");
    String door = "127.0.0.1:" + port;
    far.up(
            "--shards 2 --resources ncpus=4 --http " + door,
            "--http-certificate " + certificate.chain(),
            "--http-key " + certificate.key())
        .must();
    String token = far.launcher("token", "create --user mrsites --expires 1h").must().strip();
    Path etc = Files.createDirectories(here.home().sites().getParent());
    Path file = Files.writeString(etc.resolve("far.token"), token + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    Files.writeString(
        here.home().sites(),
        "far.url = https://"
            + door
            + "\nfar.token_file = far.token\nfar.ca = "
            + certificate.chain()
            + "\n");
    here.up("--shards 2 --resources ncpus=4").must();
    assertTrue(here.processes().containsKey("sites"), () -> "no part sites");
    work = here.folderOf(user, "work");
  }

  @AfterAll
  void end() throws Exception {
    try {
      if (here != null) {
        here.close();
      }
    } finally {
      if (far != null) {
        far.close();
      }
    }
  }

  /** A window that no other test of this class has. */
  private String window() {
    hours += 2;
    return "-s " + LocalDateTime.now().plusHours(hours).format(FORM) + " -D 3600 -ncpu 2";
  }

  private Shell.Answer reserve(String at, String window) throws Exception {
    return here.run(user, work, "plus_reserve " + at + window);
  }

  private static int count(Pattern what, String text) {
    int count = 0;
    for (Matcher each = what.matcher(text); each.find(); ) {
      count++;
    }
    return count;
  }

  private String there() throws Exception {
    return far.run("plus_status -x").must();
  }

  private String shown() throws Exception {
    return here.run("plus_status -x").must();
  }

  /** Nothing is held, and what is there of one is there of the other. */
  private boolean agree() {
    try {
      String both = shown() + there();
      boolean open = both.contains("<pending ") || both.contains("UNCONFIRMED");
      int parts = count(ELSEWHERE, shown());
      return !open
          && parts == count(RESERVATION, there())
          && parts == count(RESERVATION, shown())
          && !both.contains("BEING_DELETED");
    } catch (Exception e) {
      return false;
    }
  }

  @Test
  @Order(1)
  void inBothOrInNone() throws Exception {
    String window = window();
    String name = reserve(BOTH, window).must().strip();
    assertTrue(name.matches("W\\d+"), name);
    assertEquals(1, count(RESERVATION, there()), there());
    assertTrue(!there().contains("<pending "), there());
    String rows = here.run(user, work, "plus_status").must();
    assertTrue(rows.contains(name + " ") && rows.contains("far:R"), rows);
    assertTrue(here.run("why " + name).must().contains("all 2 parts are there"));
    Shell.Answer full = reserve(BOTH, window);
    assertEquals(1, full.status(), full::toString);
    assertTrue(full.err().startsWith("plus_reserve: denied: "), full::err);
    Site.await(PATIENCE, "nothing is left of it", this::agree);
    here.run(user, work, "plus_cancel -r " + name).must();
    assertEquals(0, count(RESERVATION, there()), there());
    assertEquals(0, count(RESERVATION, shown()), shown());
  }

  @Test
  @Order(2)
  void whatIsWrongElsewhereIsOneLine() throws Exception {
    String[] lines = {
      "near:pbs-default=1 |no other installation near is set up here",
      "far:P9=1 |denied: far:P9: unknown partition: P9",
      "far:pbs-default=3 |denied: far:pbs-default: the nodes of partition pbs-default never have"
    };
    for (String line : lines) {
      String[] both = line.split("\\|");
      Shell.Answer refused = reserve("--at pbs-default=1," + both[0], window());
      assertEquals(1, refused.status(), refused::toString);
      assertTrue(refused.err().startsWith("plus_reserve: " + both[1]), refused::err);
      assertEquals(1, refused.err().lines().count(), refused::err);
    }
    Path token = here.home().sites().resolveSibling("far.token");
    Files.setPosixFilePermissions(token, PosixFilePermissions.fromString("rw-r--r--"));
    Shell.Answer open = reserve(BOTH, window());
    assertTrue(open.err().contains("what is set up here for it cannot be used"), open::err);
    Files.setPosixFilePermissions(token, PosixFilePermissions.fromString("rw-------"));
    Site.await(PATIENCE, "nothing is left", this::agree);
    // Its keeper would bring a door that was only killed back in time.
    far.launcher("down", "").must();
    Shell.Answer away = reserve(BOTH, window());
    assertTrue(away.err().startsWith("plus_reserve: denied: far:pbs-default: "), away::err);
    assertEquals(0, count(RESERVATION, shown()), shown());
    far.up("").must();
    Site.await(PATIENCE, "nothing is left", this::agree);
  }

  @Test
  @Order(3)
  void whoeverIsKilledAllOrNone() throws Exception {
    ExecutorService client = Executors.newSingleThreadExecutor();
    try {
      boolean maybeLater = false;
      for (String victim : List.of("sites", "server", "gateway")) {
        String window = window();
        Future<Shell.Answer> asked = client.submit(() -> reserve(BOTH, window));
        Site.await(PATIENCE, "it has begun", () -> asked.isDone() || hasBegun());
        Site.kill(List.of(here.processes().get(victim)));
        here.up("").must();
        Shell.Answer answer = asked.get();
        Site.await(PATIENCE, victim + " was killed, and all agree", this::agree);
        if (answer.status() == 0) {
          String name = answer.out().strip();
          assertTrue(shown().contains("whole=\"" + name + "\""), answer::toString);
          here.run(user, work, "plus_cancel -r " + name).must();
        } else if (answer.status() == 1) {
          assertEquals(0, count(ELSEWHERE, shown()), answer::toString);
        } else {
          maybeLater = true;
        }
        boolean open = maybeLater;
        Site.await(PATIENCE, "all are gone", () -> gone(open));
      }
    } finally {
      client.shutdownNow();
    }
  }

  /**
   * @param open whether one that nobody has refused or named may still be carried out
   */
  private boolean gone(boolean open) throws Exception {
    if (open && !isEmpty()) {
      here.run(user, work, "plus_cancel -o mrsites");
    }
    return agree() && isEmpty();
  }

  private boolean hasBegun() {
    try {
      return count(ELSEWHERE, shown()) > 0;
    } catch (Exception e) {
      return false;
    }
  }

  private boolean isEmpty() {
    try {
      return count(ELSEWHERE, shown()) == 0;
    } catch (Exception e) {
      return false;
    }
  }

  @Test
  @Order(4)
  void aNodeThatIsLostThereIsShown() throws Exception {
    String name = reserve(BOTH, window()).must().strip();
    String node = far.run("pbsnodes -a").must().lines().findFirst().orElseThrow().strip();
    far.run("pbsnodes -o " + node).must();
    Site.await(
        PATIENCE,
        "it is degraded",
        () -> {
          try {
            return here.run("plus_status -n -r " + name).must().contains("lost: " + node);
          } catch (Exception e) {
            return false;
          }
        });
    assertTrue(here.run("why " + name).must().contains("Lost there: " + node));
    far.run("pbsnodes -r " + node).must();
    here.run(user, work, "plus_cancel -r " + name).must();
  }
}
