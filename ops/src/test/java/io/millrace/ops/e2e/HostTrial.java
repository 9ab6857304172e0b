package io.millrace.ops.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.ops.home.ClientSettings;
import io.millrace.ops.home.KafkaPrincipal;
import io.millrace.schemas.Topics;
import io.millrace.schemas.command.ReportNodeUp;
import io.millrace.schemas.common.CommandId;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.common.Role;
import io.millrace.schemas.hostkey.HostKey;
import io.millrace.schemas.hostkey.HostProof;
import io.millrace.schemas.registry.Codecs;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** What a host that is lost to somebody, or was revoked, can do to the others. */
final class HostTrial {
  private static final Duration SOON = Duration.ofSeconds(180);
  private static final String REFUSED = "refused family=executor";

  private final Site site;
  private final Hosts hosts;

  HostTrial(Site site, Hosts hosts) {
    this.site = site;
    this.hosts = hosts;
  }

  /**
   * Has a host attack another one, from its own network.
   *
   * @param job whose run is on the other host
   * @param words of that job
   */
  void attack(String host, String victim, String job, List<String> words) throws Exception {
    List<String> arguments = Stream.concat(Stream.of(victim, job), words.stream()).toList();
    String said = hosts.runTest(site, host, HostileHost.class, arguments.toArray(String[]::new));
    List<String> other = ids(said, "sent other ");
    List<String> unproven = ids(said, "sent unproven ");
    assertEquals(8, other.size(), said);
    assertEquals(6, unproven.size(), said);
    String from = REFUSED + " host=" + host;
    Site.await(
        SOON,
        "an entry for each",
        () ->
            audited(from + " reason=host", other) == other.size()
                && audited(REFUSED + " reason=proof", unproven) == unproven.size());
    // Those for the shard that has the job; the other one knows nothing of such a run.
    assertEquals(3, audited(from + " reason=run", ids(said, "sent own ")), said);
    String beat = "refused heartbeat host=" + host + " reason=host claims=" + victim;
    Site.await(SOON, "an entry of the heartbeat", () -> audit("server").contains(beat));

    assertTrue(said.contains("\nmine true\n"), said);
    assertTrue(said.matches("(?s).*\norders others=[1-9]\\d* opened=0 told=0\n.*"), said);
    assertFalse(said.contains("\nread "), said);
    assertEquals(10, said.lines().filter(line -> line.startsWith("refused ")).count(), said);
  }

  private static List<String> ids(String said, String kind) {
    return said.lines()
        .filter(line -> line.startsWith(kind))
        .map(line -> line.substring(kind.length()))
        .toList();
  }

  private String audit(String part) {
    try {
      return Files.readString(site.home().log(part + "-audit"));
    } catch (IOException e) {
      return "";
    }
  }

  /** How many of these commands were refused so. */
  private long audited(String how, List<String> ids) {
    List<String> lines = audit("server").lines().filter(line -> line.contains(how)).toList();
    return ids.stream()
        .filter(id -> lines.stream().anyMatch(line -> line.contains(" id=" + id + " ")))
        .count();
  }

  /** Revokes a host; the other one is served as before. */
  void revoke(String host, String other) throws Exception {
    String key = ClientSettings.read(site.home().hostClient(host)).get(HostKey.PROPERTY).toString();
    site.launcher("keys", "host revoke " + host).must();
    String listed = site.launcher("keys", "host list").must();
    assertTrue(
        listed.matches("(?s).*" + other + " +admitted .* executor-" + other + "\n.*"), listed);
    assertTrue(listed.matches("(?s).*" + host + " +revoked .* executor-" + host + "\n.*"), listed);
    String denied = "User:executor-" + host + " is Denied";
    Site.await(SOON, "the broker denies it all", () -> audit("broker").contains(denied));
    // Nor is its key good for anything to who has another password.
    String id = unheard(host, key);
    Site.await(SOON, "an entry", () -> audited(REFUSED + " reason=proof", List.of(id)) == 1);
    Site.await(SOON, "its node is down", () -> nodeState(host).contains("down"));
    assertFalse(nodeState(other).contains("down"));
    // Whoever is not sure that it went through says it again.
    site.launcher("keys", "host revoke " + host).must();
  }

  /** Sends a report with the password of the executors here and the key of a host; its id. */
  private String unheard(String host, String key) throws Exception {
    Map<String, Object> kafka = site.client(KafkaPrincipal.EXECUTOR);
    kafka.put("enable.idempotence", false);
    byte[] id = ByteBuffer.allocate(16).putLong(System.currentTimeMillis() << 16).array();
    CommandMeta meta =
        new CommandMeta(new CommandId(id), "executor", "", host, Role.EXECUTOR, -1, 0L);
    ReportNodeUp up =
        new ReportNodeUp(meta, host, "boot", Map.of("ncpus", 8L), "spool", 1L, true, 2);
    byte[] value = Codecs.open(kafka).encode(up);
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(kafka, new ByteArraySerializer(), new ByteArraySerializer())) {
      HostKey its = HostKey.of(host, key);
      producer.send(HostProof.record(its, Topics.REPORTS, 0, new byte[0], value)).get();
    }
    return HexFormat.of().formatHex(id);
  }

  /** What pbsnodes shows; empty when it shows nothing. */
  String nodeState(String host) throws IOException, InterruptedException {
    return site.run("pbsnodes " + host)
        .must()
        .lines()
        .filter(line -> line.startsWith("     state = "))
        .map(line -> line.substring("     state = ".length()))
        .findFirst()
        .orElse("");
  }
}
