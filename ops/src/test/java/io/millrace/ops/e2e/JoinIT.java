package io.millrace.ops.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.ops.broker.BrokerProcess;
import io.millrace.ops.home.Home;
import io.millrace.ops.home.JoinFile;
import io.millrace.ops.home.KafkaPrincipal;
import io.millrace.ops.init.AccessRules;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.acl.AclBinding;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;

/** Two homes that join one given cluster: one has the server, the other a gateway alone. */
@Beside
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Tag("night")
class JoinIT {

  private static final int SHARDS = 2;

  /**
   * On a machine of its own it is 15 s at most; the gate, which has much beside it, only asks for
   * the words.
   */
  private static final long REFUSED_S = Boolean.getBoolean("millrace.night") ? 45 : 600;

  private static final Duration SOON = Duration.ofSeconds(180);

  private BrokerProcess broker;
  private Site site;
  private Home second;
  private Path join;
  private String listens;

  @BeforeAll
  void cluster() throws Exception {
    site = Site.prepare("join");
    broker = new BrokerProcess(site.folder().resolve("cluster"), SHARDS);
    broker.start();
    second = new Home(site.folder().resolve("second"));
    join = site.folder().resolve("millrace.join");
  }

  @AfterAll
  void down() throws Exception {
    if (site != null) {
      launch("down --home " + second.root());
      site.close();
    }
    if (broker != null) {
      broker.close();
    }
  }

  private Shell.Answer launch(String line) throws IOException, InterruptedException {
    return site.run(site.checkout().resolve("millrace") + " " + line + " 2>&1");
  }

  private Shell.Answer init(String options) throws IOException, InterruptedException {
    return init(broker.cluster().bootstrapServers(), admin(), options);
  }

  private Shell.Answer init(String servers, Path settings, String options)
      throws IOException, InterruptedException {
    return launch(
        "cluster init --bootstrap-servers "
            + servers
            + " --admin-properties "
            + settings
            + " --join-file "
            + join
            + " "
            + options);
  }

  private Path admin() {
    return broker.home().client(KafkaPrincipal.ADMIN);
  }

  private Set<String> topics() throws Exception {
    try (Admin admin = Admin.create(broker.client(KafkaPrincipal.ADMIN))) {
      return admin.listTopics().names().get();
    }
  }

  /** Refused in words, in time, and nothing is there afterwards. */
  private static void refused(Shell.Answer answer, int status, String words) {
    assertEquals(status, answer.status(), answer.out());
    assertTrue(answer.out().contains(words), answer.out());
    assertFalse(answer.out().contains("\tat "), answer.out());
    assertTrue(answer.tookMs() < Duration.ofSeconds(REFUSED_S).toMillis(), answer.toString());
  }

  @Test
  @Order(1)
  void whatIsWrongIsRefusedAndNothingIsMade() throws Exception {
    refused(init("--shards 0"), 2, "--shards takes a number");
    refused(init("--shards 2"), 1, "nothing is made on a cluster with ");
    Path wrong = site.folder().resolve("wrong.properties");
    Files.writeString(
        wrong, Files.readString(admin()).replaceAll("password=\"[^\"]+\"", "password=\"x\""));
    String servers = broker.cluster().bootstrapServers();
    refused(init(servers, wrong, ""), 1, "Authentication failed");
    refused(init("127.0.0.1:9", admin(), ""), 1, "127.0.0.1:9 does not tell");
    // The accounts of the broker's own folder are there already.
    refused(init("--although-red"), 1, "already: use the join file that was made with them");
    assertEquals(Set.of(), topics());
    assertFalse(Files.exists(join));
  }

  /** The broker's own folder has accounts, which others have made. */
  @Test
  @Order(2)
  void accountsThatAreThereAreTakenAsTheyAre() throws Exception {
    Path given = site.folder().resolve("given");
    Files.createDirectories(given);
    for (KafkaPrincipal principal : JoinFile.principals()) {
      Path file = given.resolve(principal.text() + ".properties");
      Files.copy(broker.home().client(principal), file);
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    }
    Path gateway = given.resolve("gateway.properties");
    String whole = Files.readString(gateway);
    String options = "--although-red --accounts " + given;
    refused(init(options + " --new-passwords"), 2, "is of accounts that are made");
    Files.writeString(gateway, whole.replaceAll("password=\"[^\"]+\"", "password=\"x\""));
    refused(init(options), 1, "do not take the account of gateway: Authentication failed");
    Files.delete(gateway);
    refused(init(options), 1, "has no settings of gateway");
    assertEquals(Set.of(), topics());
    String asked =
        " --bootstrap-servers "
            + broker.cluster().bootstrapServers()
            + " --admin-properties "
            + admin();
    refused(
        launch("cluster accounts " + given + asked),
        1,
        "the cluster has the accounts gateway already");
    launch("cluster accounts " + given + asked + " --new-passwords").must();
    assertFalse(Files.readString(gateway).contains("\"admin\""));
    assertTrue(launch("cluster accounts " + given + asked).must().contains("nothing was made"));
    Shell.Answer made = init(options + " --shards " + SHARDS);
    assertEquals(0, made.status(), made.out());
    assertTrue(made.out().contains("made the topics "), made.out());
    Files.delete(join);
  }

  @Test
  @Order(3)
  void aClusterIsMadeReadyOnce() throws Exception {
    String servers = "127.0.0.1:9," + broker.cluster().bootstrapServers();
    Shell.Answer made = init(servers, admin(), "--although-red --new-passwords --shards " + SHARDS);
    assertEquals(0, made.status(), made.out());
    assertTrue(made.out().contains("made the accounts "), made.out());
    assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(join)));
    assertTrue(Files.readString(join).contains("\"gateway\""));
    assertFalse(Files.readString(join).contains("\"admin\""));
    refused(init("--although-red --new-passwords"), 1, "millrace.join is there already");
  }

  @Test
  @Order(3)
  void aRuleThatIsMissingIsNamedAndSet() throws Exception {
    String asked =
        " --bootstrap-servers "
            + broker.cluster().bootstrapServers()
            + " --admin-properties "
            + admin();
    Shell.Answer whole = launch("acls --check" + asked);
    assertEquals(0, whole.status(), whole.out());
    AclBinding lost = AccessRules.all().get(0);
    try (Admin admin = Admin.create(broker.client(KafkaPrincipal.ADMIN))) {
      admin.deleteAcls(List.of(lost.toFilter())).all().get();
    }
    Shell.Answer missing = launch("acls --check" + asked);
    assertEquals(1, missing.status(), missing.out());
    assertTrue(
        missing.out().contains("--allow-principal " + lost.entry().principal()), missing.out());
    assertTrue(missing.out().contains("1 of "), missing.out());
    assertTrue(launch("acls --apply" + asked).must().contains("set 1 of "));
    assertEquals(0, launch("acls --check" + asked).status());
    refused(launch("acls --apply --check" + asked), 2, "give one of them");
    refused(launch("acls" + asked), 2, "goes with --check and --apply");
  }

  @Test
  @Order(4)
  void aJoinFileThatDoesNotFitIsRefused() throws Exception {
    String text = Files.readString(join);
    Path bad = site.folder().resolve("bad.join");
    String up = "up --home " + second.root() + " --no-keeper --join " + bad;
    Files.writeString(bad, text);
    refused(launch(up), 1, "chmod 600 " + bad);
    Files.setPosixFilePermissions(bad, PosixFilePermissions.fromString("rw-------"));
    Files.writeString(bad, text.replaceFirst("(?m)^cluster.id=.*$", "cluster.id=another"));
    refused(launch(up), 1, "the join file is of cluster another, and the brokers at ");
    Files.writeString(bad, text.replaceAll("(password[^0-9a-f]+)[0-9a-f]{8}", "$1xxxxxxxx"));
    refused(launch(up), 1, "does not take the account of the join file: Authentication failed");
    Files.writeString(bad, text.replaceFirst("(?m)^shards=.*$", "shards=3"));
    refused(launch(up), 1, "topic commands has 2 partitions, and the join file says 3 shards");
    Files.writeString(bad, "shards=2\n");
    refused(launch(up), 1, "is no join file");
    refused(launch(up + " --shards 3"), 2, "says that already: leave --shards away");
    refused(launch("up --home " + second.root() + " --parts gateway"), 2, "--parts goes with");
    String good = "up --home " + second.root() + " --no-keeper --join " + join;
    refused(launch(good + " --parts door"), 2, "takes some of");
    refused(launch(good + " --parts server --query-listen 9399"), 2, "address and port");
    refused(launch(good + " --parts gateway --query-listen 127.0.0.1:9"), 2, "is the server's");
    assertFalse(Files.exists(second.settings()));
  }

  @Test
  @Order(5)
  void aJobGoesThroughTheOtherHomesGateway() throws Exception {
    String first = "--no-keeper --join " + join + " --parts server,gateway,executor,accounting";
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      listens = "127.0.0.1:" + taken.getLocalPort();
      refused(
          launch("up --home " + site.home().root() + " " + first + " --query-listen " + listens),
          1,
          "nobody can listen at " + listens);
    }
    assertFalse(Files.exists(site.home().settings()));
    site.up(first + " --query-listen " + listens).must();
    Shell.Answer up =
        launch("up --home " + second.root() + " --no-keeper --join " + join + " --parts gateway");
    assertEquals(0, up.status(), up.out());
    assertEquals(Set.of("gateway"), parts(second));
    assertEquals(Set.of("accounting", "executor", "gateway", "server"), parts(site.home()));
    assertEquals("tls:" + listens, Files.readString(site.home().ready("server")).strip());
    Account user = site.user("mrjoin");
    Path work = site.folderOf(user, "work");
    String job =
        site.run(user, work, second.bin() + "/qsub -j oe -o /dev/null -- /bin/sleep 1")
            .must()
            .strip();
    for (Home home : List.of(second, site.home())) {
      String listed = site.run(user, work, home.bin() + "/qstat -x " + job).must();
      assertTrue(listed.contains(job.replaceAll("\\..*", "")), listed);
    }
    Site.await(
        SOON,
        "the job has ended, as the other home sees it",
        () -> state(user, work, job).contains("job_state = F"));
  }

  private String state(Account user, Path work, String job) {
    try {
      return site.run(user, work, second.bin() + "/qstat -xf " + job).out();
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static Set<String> parts(Home home) throws IOException {
    try (Stream<Path> files = Files.list(home.root().resolve("run"))) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(".pid"))
          .map(name -> name.replace(".pid", ""))
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }

  @Test
  @Order(6)
  void noHomeHasTheAdministratorsAccount() throws Exception {
    for (Home home : List.of(site.home(), second)) {
      assertFalse(Files.exists(home.client(KafkaPrincipal.ADMIN)), home.root().toString());
      try (Stream<Path> files = Files.walk(home.root().resolve("etc"))) {
        for (Path file : files.filter(Files::isRegularFile).toList()) {
          assertFalse(Files.readString(file).contains("\"admin\""), file.toString());
        }
      }
    }
  }

  @Test
  @Order(7)
  void aPartAloneServesInTheForegroundUntilItIsToldToEnd() throws Exception {
    Path secret = site.folder().resolve("gateway-account");
    Files.createDirectories(secret);
    Files.copy(second.client(KafkaPrincipal.GATEWAY), secret.resolve("client.properties"));
    Home third = new Home(site.folder().resolve("third"));
    String part = "part gateway --home " + third.root() + " --join " + join;
    refused(launch(part + " --accounts gateway=" + site.folder()), 1, "has no account");
    refused(launch("part door --home " + third.root()), 2, "there is no part 'door'");
    assertFalse(Files.exists(third.root()));
    int health;
    try (ServerSocket free = new ServerSocket(0)) {
      health = free.getLocalPort();
    }
    String line =
        part + " --name third --accounts gateway=" + secret + " -- --health 127.0.0.1:" + health;
    String ready = site.checkout().resolve("ops/target/dist/bin/millrace-ready") + " " + health;
    assertFalse(site.run(ready).status() == 0);
    Process alone =
        new ProcessBuilder(List.of("sh", "-c", "exec ./millrace " + line))
            .directory(site.checkout().toFile())
            .redirectErrorStream(true)
            .redirectOutput(site.folder().resolve("third.out").toFile())
            .start();
    try {
      Site.await(SOON, "the part alone is ready", () -> answers(ready));
      Account user = site.user("mrjoin");
      Path work = site.folderOf(user, "alone");
      String listed = site.run(user, work, third.bin() + "/qstat -B").must();
      assertTrue(listed.contains("Active"), listed);
      alone.destroy();
      assertTrue(alone.waitFor(90, TimeUnit.SECONDS), "it ends when it is told to");
      assertEquals(143, alone.exitValue());
      assertFalse(Files.exists(third.ready("gateway")));
    } finally {
      alone.destroyForcibly();
    }
  }

  private boolean answers(String command) {
    try {
      return site.run(command).status() == 0;
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
