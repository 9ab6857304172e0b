package io.millrace.ops.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.ops.home.KafkaPrincipal;
import io.millrace.schemas.CommandFamily;
import io.millrace.schemas.Topics;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Invalid input is refused in one line and affects nothing else. */
@Order(2)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Shared(user = "mrinput", site = SharedSite.OTHER_HOSTS)
class InputIT {

  private static final Duration SOON = Duration.ofSeconds(180);
  private static final long FIVE_SECONDS_MS = 5_000;

  private Site site;
  private Account user;
  private Path work;

  @BeforeAll
  void begin(Site shared, Account its) throws Exception {
    site = shared;
    user = its;
    work = site.folderOf(user, "work");
  }

  private Shell.Answer as(String line) throws Exception {
    return site.run(user, work, line);
  }

  /** The user's own job still runs from submission to end. */
  private void works() throws Exception {
    String id = as("qsub -N works -- /bin/true").must().strip();
    site.awaitState(id, "F");
    assertEquals(0, site.job(id).path("Exit_status").asInt());
  }

  private KafkaProducer<byte[], byte[]> producer(KafkaPrincipal principal) throws Exception {
    Map<String, Object> config = new HashMap<>(site.client(principal));
    config.put("acks", "all");
    config.put("max.block.ms", 10_000);
    return new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());
  }

  @Test
  void garbageGoesToTheDeadLettersWithItsCoordinates() throws Exception {
    byte[] fact =
        TopicContents.records(site.client(KafkaPrincipal.ADMIN), Topics.LEDGER).get(0).value();
    byte[] unknownSchema = {0, 0x7f, 0x7f, 0x7f, 0x7f, 1, 2, 3};
    byte[] cut = Arrays.copyOf(fact, 6);
    List<byte[]> garbage = new ArrayList<>();
    garbage.add(new byte[0]);
    garbage.add("drop all jobs".getBytes(StandardCharsets.UTF_8));
    garbage.add(unknownSchema);
    garbage.add(fact);
    garbage.add(cut);
    garbage.add(null);
    Set<String> sent = new TreeSet<>();
    try (KafkaProducer<byte[], byte[]> producer = producer(KafkaPrincipal.ADMIN)) {
      for (int shard = 0; shard < site.cluster().shards(); shard++) {
        for (byte[] value : garbage) {
          for (CommandFamily family : CommandFamily.values()) {
            RecordMetadata at =
                producer.send(new ProducerRecord<>(family.topic(), shard, null, value)).get();
            sent.add(at.topic() + "-" + at.partition() + "@" + at.offset());
          }
        }
      }
    }
    works();
    Site.await(SOON, "dead letters of " + sent, () -> deadLetters().containsAll(sent));
    assertEquals(sent, deadLetters());
    String status = site.launcher("status", "").must();
    assertEquals(-1, status.indexOf("nobody"), status);
  }

  private Set<String> deadLetters() throws IOException {
    Set<String> coordinates = new TreeSet<>();
    for (ConsumerRecord<byte[], byte[]> letter :
        TopicContents.records(site.client(KafkaPrincipal.ADMIN), Topics.DEAD_LETTERS)) {
      assertNotEquals("", header(letter, "why"));
      coordinates.add(
          header(letter, "topic")
              + "-"
              + header(letter, "partition")
              + "@"
              + header(letter, "offset"));
    }
    return coordinates;
  }

  private static String header(ConsumerRecord<byte[], byte[]> record, String name) {
    Header header = record.headers().lastHeader(name);
    return header == null ? "" : new String(header.value(), StandardCharsets.UTF_8);
  }

  @Test
  void anOrdinaryUserCannotWriteCommands() throws Exception {
    site.assumeOpenTo(user, "a console producer of an ordinary user");
    Path properties = work.resolve("monitor.properties");
    if (Account.superuser()) {
      Path kept = site.home().client(KafkaPrincipal.MONITOR);
      assertEquals(1, as("cat " + kept).status(), kept + " is for its group only");
    }
    // As an administrator would give it to somebody who may read the topics.
    Files.copy(site.home().client(KafkaPrincipal.MONITOR), properties);
    user.own(site.folder(), properties);
    String java = Path.of(System.getProperty("java.home"), "bin/java").toString();
    Shell.Answer console =
        as(
            "echo hello | "
                + java
                + " -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -cp '"
                + site.libraries()
                + "/*' org.apache.kafka.tools.ConsoleProducer --bootstrap-server "
                + site.cluster().bootstrapServers()
                + " --command-config "
                + properties
                + " --topic commands");
    assertTrue(console.err().contains("TopicAuthorizationException"), console.toString());
    try (KafkaProducer<byte[], byte[]> producer = producer(KafkaPrincipal.MONITOR)) {
      ExecutionException refused =
          assertThrows(
              ExecutionException.class,
              () -> producer.send(new ProducerRecord<>(Topics.COMMANDS, new byte[] {1})).get());
      assertInstanceOf(TopicAuthorizationException.class, refused.getCause());
    }
    if (Account.superuser()) {
      Shell.Answer stolen = as("cat " + site.home().client(KafkaPrincipal.GATEWAY));
      assertEquals(1, stolen.status(), stolen.toString());
    }
    // Shards write ticks to themselves; none of the new commands may come from this test.
    for (ConsumerRecord<byte[], byte[]> record :
        TopicContents.records(site.client(KafkaPrincipal.ADMIN), Topics.COMMANDS)) {
      assertNotEquals(
          "hello",
          record.value() == null ? "" : new String(record.value(), StandardCharsets.ISO_8859_1));
    }
  }

  @Test
  void aTooLargeScriptIsRefusedInOneLine() throws Exception {
    int jobs = site.jobs().size();
    as("{ echo '#!/bin/sh'; yes '# filler' | head -c 1048576; } >large.sh").must();
    Shell.Answer file = as("qsub large.sh");
    oneLine(file);
    Shell.Answer stdin = as("qsub <large.sh");
    oneLine(stdin);
    assertEquals(jobs, site.jobs().size());
    as("head -c 1048576 large.sh >fits.sh").must();
    as("qdel $(qsub -h fits.sh)").must();
  }

  private static void oneLine(Shell.Answer answer) {
    assertNotEquals(0, answer.status(), answer.toString());
    assertEquals("", answer.out());
    assertEquals(1, answer.err().lines().count(), answer.toString());
  }

  private void refusedWithinFiveSeconds(String line) throws Exception {
    Shell.Answer answer =
        Shell.within(
            FIVE_SECONDS_MS,
            () -> {
              Shell.Answer refused = as(Site.SOON_REFUSED + line);
              oneLine(refused);
              return refused;
            });
    assertTrue(answer.tookMs() < FIVE_SECONDS_MS, answer.tookMs() + " ms: " + answer);
  }

  @Test
  @Tag("night")
  void withoutABrokerOneLineWithinFiveSeconds() throws Exception {
    int jobs = site.jobs().size();
    Site.kill(List.of(site.processes().get("broker")));
    // What is sent before the gateway has noticed may be open: it is waited for longer.
    site.run("qmgr -c 'set server scheduling = True'");
    refusedWithinFiveSeconds("qsub -N nobroker -- /bin/true");
    site.up("").must();
    assertEquals(jobs, site.jobs().size());
    works();
    assertEquals(jobs + 1, site.jobs().size());
  }

  @Test
  @Tag("night")
  void withoutAGatewayOneLineWithinFiveSeconds() throws Exception {
    Site.kill(List.of(site.processes().get("gateway")));
    refusedWithinFiveSeconds("qsub -N nogateway -- /bin/true");
    site.up("").must();
    works();
  }

  @Test
  @Tag("night")
  void aFullSpoolIsSaidAndNothingIsLost() throws Exception {
    if (!Account.superuser()) {
      Assumptions.abort("the full disk: mounting a small one takes root");
    }
    Path spool = Files.createDirectory(site.folder().resolve("small"));
    Shell.Answer mounted = site.run("mount -t tmpfs -o size=1m,mode=755 millrace-small " + spool);
    if (mounted.status() != 0) {
      Assumptions.abort("the full disk: " + mounted);
    }
    try (Hosts hosts = new Hosts(site.folder(), false)) {
      site.run("qmgr -c 'create node small'").must();
      hosts.connect("small");
      hosts.start(site, "small", "ncpus=4", spool);
      Path script = work.resolve("small.sh");
      Files.writeString(
          script,
          "cd $PBS_O_WORKDIR; echo $PBS_JOBNAME; touch begun-$1\n"
              + "n=0; while [ ! -e go ] && [ $n -lt 600 ]; do n=$((n+1)); sleep 0.1; done\n"
              + "touch ended-$1; exit 7\n");
      user.own(site.folder(), script);
      String running = small("running");
      Site.await(SOON, running + " runs", () -> Files.exists(work.resolve("begun-running")));
      fill(spool);
      String waiting = small("waiting");
      Site.await(
          SOON, "the full disk is said", () -> hosts.said("small").contains("No space left"));
      Files.createFile(work.resolve("go"));
      Site.await(SOON, running + " ended", () -> Files.exists(work.resolve("ended-running")));
      assertNotEquals("F", site.state(waiting));
      Files.delete(spool.resolve("filler"));
      for (String id : List.of(running, waiting)) {
        site.awaitState(id, "F");
        assertEquals(7, site.job(id).path("Exit_status").asInt(), id);
        assertEquals(1, site.job(id).path("run_count").asInt(), id);
      }
      for (String name : List.of("running", "waiting")) {
        assertEquals(name + "\n", Files.readString(work.resolve("out-" + name)));
      }
      site.run("qmgr -c 'delete node small'").must();
    } finally {
      site.run("umount -l " + spool); // what failed before is not to be hidden by this
    }
  }

  private String small(String name) throws Exception {
    return as("qsub -N "
            + name
            + " -o out-"
            + name
            + " -l select=1:ncpus=1:host=small -- /bin/sh "
            + work.resolve("small.sh")
            + " "
            + name)
        .must()
        .strip();
  }

  private void fill(Path spool) throws Exception {
    Shell.Answer filled = site.run("dd if=/dev/zero of=" + spool + "/filler bs=4k; sync");
    assertTrue(filled.err().contains("No space left"), filled.toString());
  }
}
