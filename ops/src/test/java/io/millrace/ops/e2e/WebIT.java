package io.millrace.ops.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.server.client.SignedRequest;
import io.millrace.server.web.credential.TokenFolder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The HTTP server of a whole installation, with the real MUNGE daemon where it is installed. */
@Order(2)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Shared(user = "mrweb")
class WebIT {

  private static final int BAD = Site.NIGHT ? 1000 : 20;
  private static final int GOOD = BAD / 10;

  /** Shorter remainders of a credential may occur in a line by chance. */
  private static final int TELLING_CHARACTERS = 16;

  private static final int TELLING_MIN = BAD * 8 / 10;

  /** Somewhat less than the time after which a daemon treats any credential as expired. */
  private static final Duration MUNGE_GOOD_FOR = Duration.ofMinutes(4);

  private static final long SEED = Long.getLong("millrace.seed", 20261122L);
  private static final String SUBMIT = "{\"arguments\":[\"-N\",\"web\",\"--\",\"/bin/true\"]}";

  /** Submission of a held job. */
  private static final String HELD = SUBMIT.replace("[\"-N\"", "[\"-h\",\"-N\"");

  private final ObjectMapper json = new ObjectMapper();
  private Site site;
  private Account user;
  private Path work;
  private MungeDaemon munged;
  private MungeDaemon stranger;
  private WebCaller web;
  private TokenFolder tokens;
  private String bearer;

  @BeforeAll
  void begin(Site shared, Account its, MungeDaemon daemon) throws Exception {
    site = shared;
    user = its;
    munged = daemon;
    if (munged == null) {
      System.out.println("WebIT: SKIPPED all of MUNGE: it is not installed (package munge)");
    } else {
      stranger = MungeDaemon.start(site.folder(), "stranger");
    }
    work = site.folderOf(user, "work");
    web = new WebCaller(Files.readString(site.home().ready("web")).strip());
    tokens = new TokenFolder(site.home().root());
    bearer = "Bearer " + site.launcher("token create", "--user " + user.name()).must().strip();
  }

  @AfterAll
  void end() throws Exception {
    if (stranger != null) {
      stranger.close();
    }
  }

  private static String key() {
    long now = System.currentTimeMillis();
    UUID random = UUID.randomUUID();
    long high = now << 16 | 0x7000 | random.getMostSignificantBits() & 0xfff;
    return new UUID(high, random.getLeastSignificantBits()).toString();
  }

  private JsonNode run(String command, String body) throws Exception {
    return WebCaller.patiently(() -> web.post("/v1/commands/" + command, bearer, "", body))
        .must(200)
        .body();
  }

  @Test
  void aJobGoesFromARequestToItsEnd() throws Exception {
    String body =
        json.createObjectNode()
            .put("directory", work.toString())
            .put("script", "#PBS -N far\npwd; echo from $PBS_JOBNAME; echo $GIVEN\n")
            .<com.fasterxml.jackson.databind.node.ObjectNode>set(
                "arguments", json.createArrayNode().add("-V").add("-o").add(work + "/far.out"))
            .<com.fasterxml.jackson.databind.node.ObjectNode>set(
                "environment", json.createObjectNode().put("GIVEN", "with it"))
            .toString();
    JsonNode said = run("qsub", body);
    assertEquals(0, said.path("exit_status").asInt(), said.toString());
    String id = said.path("stdout").asText().strip();
    site.awaitState(id, "F");
    JsonNode job = web.get("/v1/jobs/" + id, bearer).must(200).body();
    assertEquals(id, job.path("id").asText());
    assertTrue(job.path("why").asText().contains("exit status 0"), job.toString());
    assertEquals(user.name(), job.path("job").path("Job_Owner").asText().replaceAll("@.*", ""));
    assertTrue(Files.readString(work.resolve("far.out")).contains("from far\nwith it\n"));
  }

  @Test
  void whatIsAskedAgainUnderItsKeyIsDoneOnce() throws Exception {
    String key = key();
    WebCaller.Answer first = web.post("/v1/commands/qsub", bearer, key, HELD).must(200);
    WebCaller.Answer again = web.post("/v1/commands/qsub", bearer, key, HELD).must(200);
    assertEquals(first.body(), again.body());
    assertEquals(key, again.key());
    JsonNode other = run("qsub", HELD);
    assertNotEquals(first.body().path("stdout"), other.path("stdout"));
    assertEquals(400, web.post("/v1/commands/qsub", bearer, "12", HELD).status());
    assertEquals(400, web.post("/v1/commands/qsub", bearer, UUID.randomUUID() + "", HELD).status());
  }

  @Test
  void theGreatestAmountsAreTheSameHere() throws Exception {
    for (String least : List.of("mem=8191pb", "ncpus=9223372036854775807")) {
      JsonNode taken = run("qsub", HELD.replace("[\"-h\"", "[\"-h\",\"-l\",\"" + least + "\""));
      assertEquals(0, taken.path("exit_status").asInt(), taken.toString());
    }
    for (String above : List.of("mem=8192pb", "ncpus=9223372036854775808")) {
      JsonNode refused = run("qsub", HELD.replace("[\"-h\"", "[\"-h\",\"-l\",\"" + above + "\""));
      assertEquals(166, refused.path("exit_status").asInt(), refused.toString());
      String why = "Illegal attribute or resource value Resource_List.";
      assertTrue(refused.path("stderr").asText().contains(why), refused.toString());
    }
  }

  @Test
  void listsComeInPages() throws Exception {
    for (int i = 0; i < 10; i++) {
      run("qsub", HELD);
    }
    List<String> few = pages(2, 5);
    List<String> many = pages(1000, Integer.MAX_VALUE);
    assertEquals(10, few.size());
    assertEquals(many.subList(0, few.size()), few);
    assertEquals(new TreeSet<>(many).size(), many.size(), "none comes twice");
  }

  /** Jobs of so many pages, or of all there are; other classes may have left thousands. */
  private List<String> pages(int limit, int most) throws Exception {
    List<String> jobs = new ArrayList<>();
    String next = "/v1/jobs?history=true&limit=" + limit;
    for (int i = 0; i < most && !next.isEmpty(); i++) {
      JsonNode page = web.get(next, bearer).must(200).body();
      assertTrue(page.path("jobs").size() <= limit);
      page.path("jobs").fieldNames().forEachRemaining(jobs::add);
      String more = page.path("next_page").asText();
      next = more.isEmpty() ? "" : more + "&history=true&limit=" + limit;
    }
    return jobs;
  }

  @Test
  void theObjectsAreShown() throws Exception {
    JsonNode queues = web.get("/v1/queues", bearer).must(200).body().path("queues");
    assertEquals("Execution", queues.path("workq").path("queue_type").asText());
    JsonNode queue = web.get("/v1/queues/workq", bearer).must(200).body();
    assertEquals(queues.path("workq").path("queue_type"), queue.path("queue").path("queue_type"));
    String host = web.get("/v1/nodes", bearer).must(200).body().path("nodes").fieldNames().next();
    JsonNode node = web.get("/v1/nodes/" + host, bearer).must(200).body().path("node");
    assertEquals(8, node.path("resources_available").path("ncpus").asInt());
    JsonNode server = web.get("/v1/server", bearer).must(200).body().path("server");
    assertEquals("workq", server.path("default_queue").asText());
    assertTrue(web.get("/openapi.json", null).must(200).body().has("paths"));
  }

  @Test
  void whatIsNotThereIsSaidInJsonWithTheCodeOfPbs() throws Exception {
    assertEquals(15001, code(web.get("/v1/jobs/999999", bearer).must(404)));
    assertEquals(15018, code(web.get("/v1/queues/none", bearer).must(404)));
    assertEquals(15062, code(web.get("/v1/nodes/none", bearer).must(404)));
    assertEquals(15004, code(web.get("/v1/jobs?limit=0", bearer).must(400)));
    assertEquals(15004, code(web.get("/v1/jobs/none", bearer).must(400)));
    assertEquals(15004, code(web.post("/v1/commands/qsub", bearer, "", "{").must(400)));
    assertEquals(15004, code(web.post("/v1/commands/rm", bearer, "", "{}").must(404)));
    JsonNode refused = run("qdel", "{\"arguments\":[\"999999\"]}");
    assertEquals(153, refused.path("exit_status").asInt());
    assertTrue(refused.path("stderr").asText().startsWith("qdel: Unknown Job Id 999999"));
  }

  private static int code(WebCaller.Answer answer) {
    assertFalse(answer.body().path("error").path("message").asText().isEmpty());
    return answer.body().path("error").path("code").asInt();
  }

  @Test
  void aUserIsNobodyElse() throws Exception {
    JsonNode refused = run("qmgr", "{\"arguments\":[\"-c\",\"set server scheduling = False\"]}");
    assertNotEquals(0, refused.path("exit_status").asInt());
    assertTrue(refused.path("stderr").asText().contains("Unauthorized Request"));
  }

  /** Runs a line of shell as on another host: without the socket and Millrace's home. */
  private Shell.Answer far(String credential, String line) throws Exception {
    String shell =
        "unset MILLRACE_HOME MILLRACE_SOCKET; export MILLRACE_CLIENT_TIMEOUT_S=60 MILLRACE_URL="
            + Files.readString(site.home().ready("web")).strip()
            + " "
            + credential
            + "; ";
    return site.run(user, work, shell + line);
  }

  @Test
  @Tag("night")
  void theCommandLineReachesAGatewayOfAnotherHost() throws Exception {
    site.assumeOpenTo(user, "commands on another host");
    Path token = work.resolve("token");
    Files.writeString(token, bearer.substring("Bearer ".length()) + "\n");
    Files.setPosixFilePermissions(token, PosixFilePermissions.fromString("rw-------"));
    user.own(site.folder(), token);
    farFromTheShell("MILLRACE_TOKEN_FILE=" + token, "byToken");
    Shell.Answer refused = far("MILLRACE_TOKEN=none", "qstat");
    assertEquals(1, refused.status(), refused.toString());
    assertTrue(refused.err().contains("does not take our token"), refused.toString());
    if (munged != null) {
      farFromTheShell("MILLRACE_MUNGE_SOCKET=" + munged.socket(), "byMunge");
      Shell.Answer stranger = far("MILLRACE_MUNGE_SOCKET=" + this.stranger.socket(), "qstat");
      assertTrue(stranger.err().contains("does not take our MUNGE credential"), stranger + "");
    }
  }

  private void farFromTheShell(String credential, String name) throws Exception {
    String text = "#PBS -N " + name + "\necho done by $PBS_JOBNAME $GIVEN\n";
    user.own(site.folder(), Files.writeString(work.resolve(name + ".sh"), text));
    String id = far(credential, "GIVEN=here qsub -V " + name + ".sh").must().strip();
    String piped = far(credential, "echo sleep 100 | qsub -h").must().strip();
    site.awaitState(id, "F");
    String number = id.replaceAll("[.].*", "");
    assertEquals(
        "done by " + name + " here\n", Files.readString(work.resolve(name + ".o" + number)));
    assertTrue(far(credential, "qstat " + piped).must().contains(piped.replaceAll("[.].*", "")));
    far(credential, "qdel " + piped).must();
    Shell.Answer gone = far(credential, "qdel " + piped);
    assertNotEquals(0, gone.status());
    assertTrue(gone.err().startsWith("qdel: "), gone.toString());
    assertEquals(site.run("qstat -xf " + id).must(), far(credential, "qstat -xf " + id).must());
    Shell.Answer missing = far(credential, "qsub missing.sh");
    assertTrue(missing.err().contains("No such file or directory"), missing.toString());
    // The token must not become part of the job's environment.
    assertFalse(site.run("qstat -xf " + id).must().contains("MILLRACE_TOKEN="));
  }

  @Test
  void changesComeAsEventsAndGoOnWhereTheyWereLeft() throws Exception {
    String id;
    String last;
    try (WebEvents events = web.events("/v1/events?kinds=job", bearer, "")) {
      events.await("ready", it -> true);
      id = run("qsub", SUBMIT).path("stdout").asText().strip();
      WebEvents.Event queued = events.await("job", it -> it.path("id").asText().equals(id));
      assertEquals("web", queued.data().path("job").path("Job_Name").asText());
      last = queued.id();
    }
    site.awaitState(id, "F");
    try (WebEvents events = web.events("/v1/events", bearer, last)) {
      WebEvents.Event finished =
          events.await(
              "job",
              it ->
                  it.path("id").asText().equals(id)
                      && it.path("job").path("job_state").asText().equals("F"));
      assertEquals(0, finished.data().path("job").path("Exit_status").asInt());
      events.await("ready", it -> true);
      String held = run("qsub", HELD).path("stdout").asText();
      events.await("queue", it -> it.path("queue").path("state_count").asText().contains("Held"));
      events.await("job", it -> it.path("id").asText().equals(held.strip()));
    }
    web.get("/v1/events", null).must(401);
    web.get("/v1/events?kinds=all", bearer).must(400);
    web.get("/v1/events?from=none", bearer).must(400);
  }

  @Test
  void badCredentialsAreRefusedAndWrittenDownAndGoodOnesAreTaken() throws Exception {
    byte[] body = HELD.getBytes(StandardCharsets.UTF_8);
    Path scratch = Files.createDirectory(site.folder().resolve("scratch"));
    BadCredentials generator = new BadCredentials(SEED, user, site.home().root(), scratch, body);
    int before = jobsNamedWeb();
    int good = 0;
    List<BadCredentials.Bad> bad = new ArrayList<>();
    if (munged != null) {
      int[] used = {0};
      bad.addAll(
          generator.munge(
              BAD / 2,
              new BadCredentials.Daemons(munged, stranger),
              credential -> {
                WebCaller.patiently(() -> submit("MUNGE " + credential.make())).must(200);
                used[0]++;
              }));
      good += used[0];
    }
    bad.addAll(generator.tokens(BAD - bad.size()));
    int telling = 0;
    Map<String, Integer> kinds = new TreeMap<>();
    long begin = System.nanoTime();
    for (BadCredentials.Bad each : bad) {
      int[] audited = {0};
      WebCaller.Answer answer =
          WebCaller.patiently(
              () -> {
                audited[0] = audit().size();
                return submit(each.header());
              });
      assertEquals(401, answer.status(), each + " " + answer);
      assertEquals(15019, code(answer));
      List<String> lines = audit();
      assertEquals(audited[0] + 1, lines.size(), each.toString());
      String line = lines.get(audited[0]);
      assertTrue(line.contains(" refused kind=" + each.audited() + " reason="), each + " " + line);
      String reason = line.replaceAll(".* reason=([^ ]*) .*", "$1");
      boolean old = System.nanoTime() - begin > MUNGE_GOOD_FOR.toNanos();
      assertTrue(each.reasons().contains(reason) || old && reason.equals("expired"), each + line);
      String secret = each.header().substring(each.header().indexOf(' ') + 1);
      if (secret.length() >= TELLING_CHARACTERS) {
        assertFalse(line.contains(secret), line);
        telling++;
      }
      kinds.merge(each.kind() + " -> " + reason, 1, Integer::sum);
    }
    good += takesGoodOnes(body);
    System.out.println("WebIT: seed " + SEED + ", " + bad.size() + " refused, " + good + " taken");
    kinds.forEach((kind, count) -> System.out.printf("WebIT: %5d %s%n", count, kind));
    assertEquals(BAD, bad.size());
    assertTrue(telling >= TELLING_MIN, telling + " credentials were long enough to be looked for");
    assertEquals(before + good, jobsNamedWeb());
  }

  /**
   * Sends good credentials as a control: if all were refused, or all accepted, the test would prove
   * nothing.
   */
  private int takesGoodOnes(byte[] body) throws Exception {
    int good = 0;
    String cluster = web.get("/v1/about", null).must(200).body().path("cluster").asText();
    for (int i = 0; i < GOOD; i++) {
      String token = tokens.create(user.name(), Duration.ofMinutes(5), Instant.now()).text();
      WebCaller.patiently(() -> submit("Bearer " + token)).must(200);
      good++;
      if (munged != null) {
        byte[] request = SignedRequest.bytes(cluster, "POST", "/v1/commands/qsub", "", body);
        JsonNode said =
            WebCaller.patiently(() -> submit("MUNGE " + munged.credential(user, request, 0)))
                .must(200)
                .body();
        assertEquals(0, said.path("exit_status").asInt(), said.toString());
        good++;
      }
    }
    return good;
  }

  private WebCaller.Answer submit(String authorization) throws Exception {
    return web.post("/v1/commands/qsub", authorization, "", HELD);
  }

  private List<String> audit() throws Exception {
    return Files.readAllLines(site.home().root().resolve("log/web-audit.log"));
  }

  private int jobsNamedWeb() throws Exception {
    int count = 0;
    for (JsonNode job : site.jobs().values()) {
      count += job.path("Job_Name").asText().equals("web") ? 1 : 0;
    }
    return count;
  }

  @Test
  void rootIsNotRootFromAfar() throws Exception {
    if (munged == null || !Account.superuser()) {
      Assumptions.abort("root from afar: not root, or no MUNGE");
    }
    String cluster = web.get("/v1/about", null).must(200).body().path("cluster").asText();
    byte[] request = SignedRequest.bytes(cluster, "GET", "/v1/server", "", new byte[0]);
    WebCaller.patiently(
            () -> web.get("/v1/server", "MUNGE " + munged.credential(Account.own(), request, 0)))
        .must(401);
    List<String> lines = audit();
    assertTrue(lines.get(lines.size() - 1).contains("kind=munge reason=root "));
  }

  @Test
  void whoShowsNothingIsToldSo() throws Exception {
    assertEquals(15019, code(web.get("/v1/jobs", null).must(401)));
    assertEquals(15019, code(web.get("/v1/jobs", "Basic cm9vdDpyb290").must(401)));
    List<String> lines = audit();
    assertTrue(lines.get(lines.size() - 1).contains("kind=none reason=unknown-scheme "));
    assertTrue(lines.get(lines.size() - 2).contains("kind=none reason=absent "));
  }

  @Test
  void aRevokedTokenIsGoodNoMore() throws Exception {
    String token = site.launcher("token create", "--user " + user.name()).must().strip();
    web.get("/v1/server", "Bearer " + token).must(200);
    String id = tokens.list(Instant.now()).get(tokens.list(Instant.now()).size() - 1).id();
    site.launcher("token revoke " + id, "").must();
    web.get("/v1/server", "Bearer " + token).must(401);
    assertTrue(site.launcher("token list", "").must().contains(id));
  }

  @Test
  void anOrdinaryUserMakesNoTokens() throws Exception {
    site.assumeOpenTo(user, "an ordinary user's launcher");
    assertEquals(1, site.run(user, work, refusedLine()).status());
  }

  private String refusedLine() {
    return site.checkout() + "/millrace token create --home " + site.home().root();
  }
}
