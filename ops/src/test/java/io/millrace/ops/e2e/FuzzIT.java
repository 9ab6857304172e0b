package io.millrace.ops.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.ops.home.ClusterSettings;
import io.millrace.ops.home.KafkaPrincipal;
import io.millrace.schemas.HostName;
import io.millrace.schemas.HostileRecords;
import io.millrace.schemas.RecordCodec;
import io.millrace.schemas.Seeds;
import io.millrace.schemas.Topics;
import io.millrace.schemas.registry.Codecs;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * Sockets, ports and topics are given what makes no sense, half of it the same each night: nothing
 * hangs, no part stumbles or dies, and users are served.
 */
@Beside
@Tag("night")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class FuzzIT {
  private static final int COUNT = Integer.getInteger("millrace.fuzz", 20_000);
  private static final long SEED = 15;
  private static final Duration CAUGHT_UP = Duration.ofMinutes(20);
  private static final long SOON_MS = 10_000;

  private static final Pattern FAILED = Pattern.compile("HTTP/1\\.1 5(?!03|04)");

  /** What parts write when they stumble. */
  private static final Pattern STUMBLED =
      Pattern.compile(
          "incident [0-9a-f]|Exception in thread|OutOfMemoryError|StackOverflowError"
              + "|NullPointerException|ClassCastException|IndexOutOfBoundsException"
              + "|ArithmeticException|NumberFormatException|IllegalArgumentException"
              + "|IllegalStateException|NoSuchElementException|UncheckedIOException");

  private Site site;
  private Account user;
  private Path work;
  private Map<String, ProcessHandle> parts;
  private boolean incidents;

  @BeforeAll
  void up() throws Exception {
    site = Site.prepare("fuzz");
    site.up("--shards 4 --resources ncpus=8 --http 0").must();
    user = site.user("mrfuzz");
    work = site.folderOf(user, "work");
    works();
    parts = site.processes();
  }

  @AfterAll
  void down() throws Exception {
    site.close();
  }

  /** All parts live, users are served soon, and a job runs to its end. */
  private void works() throws Exception {
    Site.await(
        CAUGHT_UP,
        "what was written is read",
        () -> {
          try {
            return qsub().status() == 0;
          } catch (Exception e) {
            throw new AssertionError(e);
          }
        });
    Shell.Answer asked = site.run(user, work, "qstat");
    assertTrue(asked.must() != null && asked.tookMs() < SOON_MS, asked.toString());
    Shell.Answer submitted = qsub();
    assertTrue(submitted.tookMs() < SOON_MS, submitted.toString());
    String id = submitted.must().strip();
    site.awaitState(id, "F");
    assertEquals(0, site.job(id).path("Exit_status").asInt());
    if (parts != null) {
      assertEquals(parts, site.processes());
    }
    if (!incidents) {
      assertEquals(List.of(), stumbled());
    }
  }

  private Shell.Answer qsub() throws Exception {
    return site.run(user, work, "qsub -N fuzz -- /bin/true");
  }

  private List<String> stumbled() throws Exception {
    List<String> lines = new ArrayList<>();
    try (Stream<Path> logs = Files.walk(site.home().root().resolve("log"))) {
      for (Path log : logs.filter(Files::isRegularFile).toList()) {
        if (log.getFileName().toString().startsWith("broker")) {
          continue; // Kafka's own words about bytes that are no request
        }
        String text = Files.readString(log, StandardCharsets.ISO_8859_1);
        Matcher found = STUMBLED.matcher(text);
        while (found.find() && lines.size() < 10) {
          int from = text.lastIndexOf('\n', Math.max(0, found.start() - 300)) + 1;
          lines.add(
              log.getFileName()
                  + ": "
                  + text.substring(from, Math.min(text.length(), found.end() + 1500)));
        }
      }
    }
    return lines;
  }

  /**
   * Half of them are the same each night, the others are of the day.
   *
   * @param good what an answer is that was carried out, as {@link #kind} has it
   */
  private void say(SocketAddress place, String good, Next next) throws Exception {
    long begin = System.nanoTime();
    Map<String, Integer> heard = new ConcurrentSkipListMap<>();
    for (long seed : new long[] {SEED, Seeds.TODAY}) {
      FuzzedSayings sayings = new FuzzedSayings(new SplittableRandom(seed));
      try (FuzzedConnections connections = new FuzzedConnections(place)) {
        List<String> faults =
            connections.say(
                COUNT / 2,
                () -> next.of(sayings),
                answer -> {
                  heard.merge(kind(answer), 1, Integer::sum);
                  return fault(answer);
                });
        assertEquals(List.of(), faults, "seed " + seed);
      }
    }
    // Else it was not the service that was tried, but its door.
    assertTrue(heard.getOrDefault(good, 0) > COUNT / 20, place + ": " + heard);
    works();
    tell(place + " " + heard, begin);
  }

  /** Makes the next thing to say. */
  private interface Next {
    FuzzedConnections.Saying of(FuzzedSayings sayings);
  }

  private static void tell(String place, long begin) {
    long s = (System.nanoTime() - begin) / 1_000_000_000;
    System.out.println("FuzzIT: " + COUNT + " at " + place + " in " + s + " s");
  }

  /** A status of HTTP, the end of a command, or less. */
  private static String kind(byte[] heard) {
    String text = new String(heard, StandardCharsets.ISO_8859_1);
    if (text.startsWith("HTTP/1.1 ")) {
      return text.substring(9, Math.min(text.length(), 12));
    }
    boolean exit = text.matches("(?s).*\\x2b\\x00\\x00\\x00\\x01.");
    return exit ? "exit" : text.isEmpty() ? "nothing" : "other";
  }

  private static String fault(byte[] heard) {
    String text = new String(heard, StandardCharsets.ISO_8859_1);
    if (FAILED.matcher(text).lookingAt()) {
      return text.substring(0, Math.min(text.length(), 600));
    }
    return text.contains("internal error, incident") ? text : "";
  }

  private static InetSocketAddress loopback(int port) {
    return new InetSocketAddress("127.0.0.1", port);
  }

  @Test
  @Order(1)
  void theSocketOfTheGateway() throws Exception {
    say(
        UnixDomainSocketAddress.of(site.home().root().resolve("run/gateway.sock")),
        "exit",
        sayings -> new FuzzedConnections.Saying(sayings.session(), Optional.empty()));
  }

  @Test
  @Order(2)
  void theDoor() throws Exception {
    String token = site.launcher("token create", "--user " + user.name()).must().strip();
    URI door = URI.create(Files.readString(site.home().ready("web")).strip());
    List<String> paths =
        List.of(
            "POST /v1/commands/qstat",
            "POST /v1/commands/qsub",
            "POST /v1/commands/qdel",
            "POST /v1/commands/*",
            "/v1/jobs",
            "/v1/jobs/*",
            "/v1/queues",
            "/v1/queues/*",
            "/v1/nodes/*",
            "/v1/server",
            "/v1/events?kinds=x*",
            "POST /v1/session",
            "/openapi.json",
            "/v1/about",
            "/*",
            "*",
            "/v1/*/*");
    say(
        loopback(door.getPort()),
        "200",
        sayings -> sayings.http(paths, "Authorization: Bearer " + token + "\r\n"));
  }

  @Test
  @Order(3)
  void theSocketOfQueries() throws Exception {
    Path home = site.home().root();
    String token = Files.readString(home.resolve("etc/query.token")).strip();
    List<String> paths =
        List.of(
            "/v1/birth/*",
            "/v1/job/*",
            "/v1/dependents/*",
            "/v1/subjobs/*",
            "/v1/jobs",
            "/v1/reason?scheduler=*&class=*",
            "/v1/reason",
            "/v1/queues",
            "/v1/nodes",
            "/v1/schedulers",
            "/v1/reasons",
            "/v1/changes",
            "/*",
            "*");
    say(
        UnixDomainSocketAddress.of(home.resolve("run/query.sock")),
        "200",
        sayings -> sayings.http(paths, "X-Millrace-Token: " + token + "\r\n"));
  }

  @Test
  @Order(4)
  void theRegistry() throws Exception {
    List<String> paths =
        List.of(
            "/",
            "/subjects",
            "/subjects/*",
            "POST /subjects/*/versions",
            "/subjects/*/versions/*",
            "/subjects/io.millrace.schemas.state.Job/versions/*",
            "/schemas/types",
            "POST /subjects/io.millrace.schemas.state.Job",
            "/schemas/ids/*",
            "/schemas/ids/*/versions",
            "/subjects/io.millrace.schemas.state.Job/versions",
            "/schemas/ids/*/schema",
            "POST /compatibility/subjects/*/versions",
            "/compatibility/subjects/*/versions/*",
            "POST /compatibility/subjects/io.millrace.schemas.state.Job/versions/latest",
            "/config",
            "/config/*",
            "/mode",
            "/*");
    say(
        loopback(site.cluster().embedded().registry()),
        "200",
        sayings -> sayings.http(paths, "Accept: */*\r\n"));
  }

  @Test
  @Order(5)
  void thePortsOfTheBroker() throws Exception {
    ClusterSettings.EmbeddedPorts ports = site.cluster().embedded();
    // Of Kafka's protocol: which versions it speaks, and how a client would log in.
    byte[] versions = {0, 0, 0, 10, 0, 18, 0, 0, 0, 0, 0, 1, -1, -1};
    byte[] handshake = {
      0, 0, 0, 23, 0, 17, 0, 1, 0, 0, 0, 1, -1, -1, 0, 13, 'S', 'C', 'R', 'A', 'M', '-', 'S', 'H',
      'A', '-', '5', '1', '2'
    };
    for (int port : new int[] {ports.broker(), ports.controller()}) {
      say(
          loopback(port),
          "nothing",
          sayings ->
              new FuzzedConnections.Saying(sayings.garbage(versions, handshake), Optional.empty()));
    }
  }

  private void write(String topic, boolean decodable) throws Exception {
    long begin = System.nanoTime();
    for (long seed : new long[] {SEED, Seeds.TODAY}) {
      SplittableRandom random = new SplittableRandom(seed);
      HostileRecords hostile = new HostileRecords(random, names(topic));
      RecordCodec codec = Codecs.open(site.client(KafkaPrincipal.ADMIN));
      FuzzedTopics topics = new FuzzedTopics(site, codec, random, hostile);
      if (decodable) {
        topics.decodable(topic, COUNT / 2);
      } else {
        topics.undecodable(topic, COUNT / 2);
      }
    }
    works();
    tell((decodable ? "hostile " : "undecodable ") + topic, begin);
  }

  /**
   * Of this installation's own only what a user may name: by the password of a part its own shards,
   * hosts and engines can be spoken for. Orders for other hosts are not even looked at.
   */
  private Map<String, List<String>> names(String topic) throws java.io.IOException {
    List<String> none = List.of("mrnone", "mrnone2");
    String host = topic.equals(Topics.DISPATCH) ? HostName.untilDot() : "nohost";
    return Map.ofEntries(
        Map.entry("queue", List.of("workq", "none")),
        Map.entry("principal", none),
        Map.entry("owner", none),
        Map.entry("host", List.of(host)),
        Map.entry("node", List.of("nohost")),
        Map.entry("name", List.of("none", "comment", "ncpus")),
        Map.entry("scheduler", List.of("none")),
        Map.entry("holds", List.of("u", "o", "s", "n")),
        Map.entry("place", List.of("free", "pack", "scatter:excl")),
        Map.entry("query_address", List.of("unix:/nowhere")),
        Map.entry(
            "work", List.of("answers", "leaving", "lost-runs", "roll-call", "snapshot", "none")),
        Map.entry("value", List.of("True", "1", "12gb")));
  }

  @Test
  @Order(6)
  void topicsWithWhatIsNoRecord() throws Exception {
    for (String topic : FuzzedTopics.all()) {
      write(topic, false);
    }
  }

  @Test
  @Order(7)
  void topicsWithRecordsThatMakeNoSense() throws Exception {
    for (String topic : FuzzedTopics.all()) {
      if (!topic.equals(Topics.MESSAGES)) {
        write(topic, true);
      }
    }
  }

  /** What no other shard can have said is an incident, and nothing more. */
  @Test
  @Order(8)
  void messagesOfShardsThatMakeNoSense() throws Exception {
    incidents = true;
    write(Topics.MESSAGES, true);
  }
}
