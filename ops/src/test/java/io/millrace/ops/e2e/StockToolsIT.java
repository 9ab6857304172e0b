package io.millrace.ops.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.ops.broker.ThreeBrokers;
import io.millrace.ops.home.ClientSettings;
import io.millrace.ops.home.KafkaPrincipal;
import io.millrace.schemas.Topics;
import io.millrace.server.http.TestCertificate;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * Tools that know nothing of Millrace read every topic of a home that has joined three brokers with
 * TLS, SCRAM and access rules: by the lines of the page on topics, and as many records each.
 */
@Beside
@Tag("night")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class StockToolsIT {

  private static final Duration PATIENCE = Duration.ofMinutes(10);
  private static final int RECORDS = 10_000;
  private static final int SHARDS = 2;
  private static final int JOBS = 150;
  private static final int SUBJOBS = 1_600;
  private static final int TASKS = 60;
  private static final DateTimeFormatter FORM = DateTimeFormatter.ofPattern("yyyyMMddHHmm.ss");

  private static final String CONSOLE = "With Kafka's console consumer";
  private static final String KCAT = "With kcat";
  private static final String READER = "With a reader of Confluent's registry";
  private static final String SETTINGS = "M=var/etc/kafka/monitor.properties";

  /** Nothing is written to them here: no cluster is observed, and no other installation asked. */
  private static final Set<String> EMPTY =
      Set.of(
          Topics.OUTSIDE_JOBS, Topics.OUTSIDE_NODES, Topics.SITE_REPORTS, Topics.table("wholes"));

  private static final Pattern LIBRARY = Pattern.compile("librdkafka (\\d+)\\.(\\d+)\\.(\\d+)");

  /** The first librdkafka whose SCRAM present brokers take. */
  private static final int[] WITH_SCRAM = {2, 6, 1};

  private final ObjectMapper json = new ObjectMapper();
  private Site site;
  private ThreeBrokers brokers;
  private Account user;
  private PageBlocks page;
  private TestCertificate certificate;
  private String registry;

  /** Folder with settings of the tools, by the file of client settings that they are made from. */
  private final Map<Path, Path> folders = new HashMap<>();

  /** How many records there are that were committed. */
  private final Map<String, Integer> counts = new TreeMap<>();

  @BeforeAll
  void work() throws Exception {
    site = Site.prepare("stocktools");
    page = new PageBlocks(site.checkout().resolve("docs/topics.md"));
    needs("kcat -V", "kcat", "apt-get install kcat");
    needs("node --version", "node", "apt-get install nodejs");
    needs("npm --version", "npm", "apt-get install npm");
    // Before anything is started: it waits for other runs of tests.
    user = site.user("mrstock");
    Path packages = packages();
    brokers = new ThreeBrokers(site.folder().resolve("brokers"));
    brokers.start();
    up();
    Path monitor = site.home().client(KafkaPrincipal.MONITOR);
    for (Path settings : List.of(monitor, brokers.admin())) {
      Path folder = Files.createDirectory(site.folder().resolve("tools" + folders.size()));
      Files.createSymbolicLink(folder.resolve("node_modules"), packages.resolve("node_modules"));
      Files.writeString(folder.resolve("read.mjs"), page.block(READER, "import fs "));
      folders.put(settings, folder);
    }
    load();
    stop();
    Map<String, Object> admin = admin();
    for (String topic : topics()) {
      counts.put(topic, TopicContents.records(admin, topic).size());
    }
  }

  @AfterAll
  void end() throws Exception {
    try {
      if (site != null) {
        site.close();
      }
    } finally {
      if (brokers != null) {
        brokers.close();
      }
    }
  }

  /** Where changes are let in nothing is left out, for whatever reason. */
  private void needs(String line, String program, String cure) throws Exception {
    there(site.run(line), "there is no " + program + " here: " + cure);
  }

  private static void there(Shell.Answer answer, String why) {
    String said = "SKIPPED: stock tools are not tried: " + why;
    if (answer.status() != 0 && System.getenv("CI") != null) {
      fail(said + "\n" + answer);
    }
    assumeTrue(answer.status() == 0, () -> said + "\n" + answer);
  }

  /** Folder with the packages that the page names. */
  private Path packages() throws Exception {
    Path folder =
        Files.createDirectories(site.checkout().resolve("ops/target/stock-tools").normalize());
    Files.writeString(folder.resolve("package.json"), "{\"private\": true}\n");
    String line = page.block(READER, "npm install ").strip() + " --no-audit --no-fund";
    there(
        new Shell(site.folder()).run(folder, PATIENCE, line),
        "the registry of npm does not give these packages");
    return folder;
  }

  private void up() throws Exception {
    Path join = site.folder().resolve("millrace.join");
    String init =
        "./millrace cluster init --bootstrap-servers %s --admin-properties %s --join-file %s"
            + " --shards %d";
    new Shell(site.folder())
        .with("MILLRACE_NO_BUILD", "1")
        .run(
            site.checkout(),
            PATIENCE,
            init.formatted(brokers.servers(), brokers.admin(), join, SHARDS))
        .must();
    certificate = TestCertificate.of(site.folder().resolve("tls"), "dns:localhost,ip:127.0.0.1");
    String http = "127.0.0.1:" + freePort();
    String schemas = "127.0.0.1:" + freePort();
    registry = "https://" + schemas;
    site.up(
            "--no-keeper --join " + join + " --parts server,gateway,executor,accounting,web",
            "--campaigns --apart-engine --executor null --resources ncpus=64,mem=64gb",
            page.block(READER, "./millrace up ")
                .strip()
                .replace("./millrace up ", "")
                .replace("0.0.0.0:8443", http)
                .replace("0.0.0.0:8444", schemas)
                .replace("chain.pem", certificate.chain().toString())
                .replace("key.pem", certificate.key().toString()))
        .must();
  }

  private static int freePort() throws IOException {
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return free.getLocalPort();
    }
  }

  /** Jobs, an array, a reservation, a campaign, and what is no command. */
  private void load() throws Exception {
    Path work = site.folderOf(user, "work");
    String sub = "qsub -j oe -o /dev/null ";
    String many = "for i in $(seq %d); do %s -- /bin/true >/dev/null || exit; done";
    site.run(user, work, sub + "-J 1-" + SUBJOBS + " -- /bin/true").must();
    site.run(user, work, PATIENCE, many.formatted(JOBS, sub)).must();
    site.run(user, work, "qdel $(" + sub + "-h -- /bin/true)").must();
    String at = LocalDateTime.now().plusHours(2).format(FORM);
    site.run(user, work, "pbs_rsub -R " + at + " -D 600 -l select=1:ncpus=1").must();
    String campaign =
        "gridsub '{\"name\": \"read\", \"exec_file\": \"/bin/true\", \"exec_directory\": \"%s\","
            + " \"nb_jobs\": %d, \"clusters\": {\"workq\": {\"walltime\": \"00:10:00\"}}}'";
    String said = site.run(user, work, campaign.formatted(work, TASKS)).must();
    String id = said.replaceFirst("(?s).*CAMPAIGN_ID=", "").strip();
    try (KafkaProducer<byte[], byte[]> stranger =
        new KafkaProducer<>(admin(), new ByteArraySerializer(), new ByteArraySerializer())) {
      stranger.send(new ProducerRecord<>(Topics.COMMANDS, 0, null, "nonsense".getBytes())).get();
    }
    Site.await(
        PATIENCE,
        "the campaign is over",
        () -> site.run(user, work, "gridstat " + id).must().contains("terminated"));
    Site.await(PATIENCE, "all jobs are over", () -> site.run("qselect").must().isBlank());
  }

  /** All but the web part end in order, so that no topic changes any more. */
  private void stop() throws Exception {
    Map<String, ProcessHandle> parts = site.processes();
    parts.remove("web");
    parts.values().forEach(ProcessHandle::destroy);
    Site.await(
        PATIENCE,
        "they have ended: " + parts,
        () -> parts.values().stream().allMatch(Machine::gone));
    Site.await(PATIENCE, "no transaction is open", () -> ends(true).equals(ends(false)));
  }

  private Map<String, Object> admin() throws IOException {
    return ClientSettings.read(brokers.admin());
  }

  private Set<String> topics() throws Exception {
    try (Admin admin = Admin.create(admin())) {
      return new TreeSet<>(admin.listTopics().names().get());
    }
  }

  private Map<TopicPartition, Long> ends(boolean committed) throws Exception {
    IsolationLevel level =
        committed ? IsolationLevel.READ_COMMITTED : IsolationLevel.READ_UNCOMMITTED;
    Map<TopicPartition, OffsetSpec> asked = new HashMap<>();
    Map<TopicPartition, Long> ends = new HashMap<>();
    try (Admin admin = Admin.create(admin())) {
      for (TopicDescription topic : admin.describeTopics(topics()).allTopicNames().get().values()) {
        topic
            .partitions()
            .forEach(
                it ->
                    asked.put(
                        new TopicPartition(topic.name(), it.partition()), OffsetSpec.latest()));
      }
      admin
          .listOffsets(asked, new ListOffsetsOptions(level))
          .all()
          .get()
          .forEach((partition, end) -> ends.put(partition, end.offset()));
    }
    return ends;
  }

  /** Whether the monitor's account may read a topic, as the page says. */
  private static boolean isMonitored(String topic) {
    return topic.startsWith(Topics.APPLICATION + "-")
        || Set.of(
                Topics.LEDGER,
                Topics.CAMPAIGN_LEDGER,
                Topics.CYCLES,
                Topics.SCHEMAS,
                Topics.OUTSIDE_JOBS,
                Topics.OUTSIDE_NODES)
            .contains(topic);
  }

  private Map<String, Integer> counts(Path settings) {
    boolean monitors = !settings.equals(brokers.admin());
    return counts.entrySet().stream()
        .filter(it -> isMonitored(it.getKey()) == monitors && it.getValue() > 0)
        .collect(
            Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue, (a, b) -> a, TreeMap::new));
  }

  /** Runs a block of the page in the folder of these settings. */
  private Shell.Answer run(Path settings, String block) throws Exception {
    String line =
        block
            .replace(SETTINGS, "M=" + settings)
            .replace("ops/target/dist/", site.checkout() + "/ops/target/dist/");
    return new Shell(site.folder()).run(folders.get(settings), PATIENCE, line);
  }

  private List<JsonNode> lines(Shell.Answer answer) throws IOException {
    List<JsonNode> lines = new ArrayList<>();
    for (String line : answer.must().lines().toList()) {
      lines.add(json.readTree(line));
    }
    return lines;
  }

  private static Map<String, Integer> byTopic(List<JsonNode> lines, Predicate<JsonNode> wanted) {
    Map<String, Integer> found = new TreeMap<>();
    lines.stream()
        .filter(wanted)
        .forEach(line -> found.merge(line.path("topic").asText(), 1, Integer::sum));
    return found;
  }

  @Test
  @Order(1)
  void eachTopicStandsOnThePageAndHasRecords() throws Exception {
    String text = Files.readString(site.checkout().resolve("docs/topics.md"));
    Set<String> unnamed = new TreeSet<>(counts.keySet());
    unnamed.removeIf(it -> text.contains("`" + it + "`"));
    unnamed.removeIf(it -> text.contains("`" + it.replaceAll("^millrace|changelog$", "") + "`"));
    assertEquals(Set.of(), unnamed);
    Set<String> empty = new TreeSet<>(counts.keySet());
    empty.removeIf(it -> counts.get(it) > 0);
    assertEquals(new TreeSet<>(EMPTY), empty);
    int all = sum(counts);
    System.out.println("e2e: stock tools: " + all + " records: " + counts);
    assertTrue(all >= RECORDS, counts::toString);
  }

  @Test
  @Order(2)
  void kafkasConsoleConsumerReadsEachWithTheFormatter() throws Exception {
    for (Path settings : folders.keySet()) {
      Map<String, Integer> due = counts(settings);
      String block =
          page.block(CONSOLE, SETTINGS)
              .replace("--topic ledger", "--timeout-ms 30000 --include '" + any(due) + "'");
      List<JsonNode> lines = lines(run(settings, block));
      assertEquals(due, byTopic(lines, line -> true));
      Map<String, Integer> undecoded = byTopic(lines, line -> line.has("undecodable"));
      undecoded.keySet().removeAll(plain());
      assertEquals(planted(settings), undecoded);
    }
  }

  /** What is no command among commands. */
  private Map<String, Integer> planted(Path settings) {
    return settings.equals(brokers.admin()) ? Map.of(Topics.COMMANDS, 1) : Map.of();
  }

  private static int sum(Map<String, Integer> counts) {
    return counts.values().stream().mapToInt(it -> it).sum();
  }

  private static String any(Map<String, Integer> topics) {
    return String.join("|", topics.keySet());
  }

  private Set<String> plain() {
    return page.rows("| topic | values that are no Avro |").stream()
        .map(it -> it.replace("`", ""))
        .collect(Collectors.toSet());
  }

  @Test
  @Order(3)
  void kcatReadsAsMany() throws Exception {
    for (Path settings : folders.keySet()) {
      run(settings, page.block(KCAT, SETTINGS)).must();
      Map<String, Integer> found = new TreeMap<>();
      for (String topic : counts(settings).keySet()) {
        String printed = run(settings, withLogin(settings, kcat(topic))).must();
        assertTrue(printed.lines().allMatch(it -> it.startsWith(topic + " ")), topic);
        found.put(topic, (int) printed.lines().count());
      }
      assertEquals(counts(settings), found);
    }
  }

  private String kcat(String topic) {
    return page.block(KCAT, "kcat ").replace("-t ledger", "-t " + topic);
  }

  /** The line with SCRAM, or where this kcat is too old for it with a certificate. */
  private String withLogin(Path settings, String line) throws Exception {
    Matcher version = LIBRARY.matcher(site.told("kcat -V"));
    assertTrue(version.find(), "kcat tells its library's version");
    int[] is = new int[WITH_SCRAM.length];
    for (int i = 0; i < is.length; i++) {
      is[i] = Integer.parseInt(version.group(i + 1));
    }
    if (Arrays.compare(is, WITH_SCRAM) >= 0) {
      return line;
    }
    Path certified = folders.get(settings).resolve("certified.conf");
    if (!Files.exists(certified)) {
      Shell.Answer refused = run(settings, line);
      assertTrue(refused.err().contains("invalid credentials"), refused::toString);
      Files.writeString(
          certified,
          page.block(KCAT, "bootstrap.servers=")
              .replace("k1:9094", brokers.certified())
              .replace("client.pem", brokers.key().toString()));
    }
    return line.replace("kcat.conf", certified.toString());
  }

  @Test
  @Order(4)
  void theMonitorReadsNothingElse() throws Exception {
    Path monitor = site.home().client(KafkaPrincipal.MONITOR);
    for (String topic : counts(brokers.admin()).keySet()) {
      Shell.Answer refused = run(monitor, read(List.of(topic)));
      assertNotEquals(0, refused.status(), refused::toString);
      assertTrue(refused.err().contains("Not authorized to access topics"), refused::toString);
    }
  }

  private String read(Collection<String> topics) {
    return page.block(READER, "NODE_EXTRA_CA_CERTS")
        .replace("chain.pem", certificate.chain().toString())
        .replace("https://head.example.org:8444", registry)
        .replace(" ledger", " " + String.join(" ", topics));
  }

  @Test
  @Order(5)
  void aReaderOfConfluentsRegistryDecodesAll() throws Exception {
    int all = 0;
    for (Path settings : folders.keySet()) {
      Map<String, Integer> due = counts(settings);
      Shell.Answer read = run(settings, read(due.keySet()));
      List<JsonNode> lines = lines(read);
      System.out.println("e2e: stock tools: " + read.err().strip() + ", " + read.tookMs() + " ms");
      assertEquals(due, byTopic(lines, it -> true), read::err);
      Map<String, Integer> undecoded = byTopic(lines, it -> it.has("undecoded"));
      Set<String> why =
          lines.stream()
              .filter(it -> it.has("undecoded"))
              .map(it -> it.path("topic") + ": " + it.path("undecoded").asText())
              .collect(Collectors.toCollection(TreeSet::new));
      undecoded.keySet().removeAll(plain());
      assertEquals(planted(settings), undecoded, why::toString);
      due.keySet().removeAll(plain());
      all += sum(due) - sum(planted(settings));
    }
    System.out.println("e2e: stock tools: " + all + " Avro records, 0 undecoded");
    assertTrue(all >= RECORDS, all + " records");
  }
}
