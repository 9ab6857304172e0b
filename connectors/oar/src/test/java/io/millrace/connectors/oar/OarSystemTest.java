package io.millrace.connectors.oar;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.connectors.bridge.command.OutsideAnswer;
import io.millrace.connectors.bridge.command.OutsideAnswer.ProcessEnding;
import io.millrace.connectors.bridge.command.OutsideCommand;
import io.millrace.connectors.bridge.system.Controlled;
import io.millrace.connectors.bridge.system.OutsideAction;
import io.millrace.connectors.bridge.system.OutsideCause;
import io.millrace.connectors.bridge.system.OutsideId;
import io.millrace.connectors.bridge.system.OutsideJob;
import io.millrace.connectors.bridge.system.OutsideSubmission;
import io.millrace.connectors.bridge.system.OutsideTag;
import io.millrace.connectors.bridge.system.SomeAmounts;
import io.millrace.connectors.bridge.system.Submitted;
import io.millrace.connectors.bridge.system.Told;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OarSystemTest {

  /** When version.json was made, and jobs-ended.json, by the clock of OAR's server. */
  private static final Instant VERSION = Instant.ofEpochSecond(1_795_806_979);

  private static final Instant LISTED = Instant.ofEpochSecond(1_795_807_040);

  @TempDir Path folder;

  private final List<OutsideCommand> commands = new ArrayList<>();
  private int status;
  private ProcessEnding ending = ProcessEnding.EXITED;
  private PlayedOar oar;

  @BeforeEach
  void play() throws Exception {
    OarFixtures.credentials(folder, "alice:ecila\nbob:wrong\n");
    oar = new PlayedOar();
  }

  @AfterEach
  void close() {
    oar.close();
  }

  private OarSystem system(String... more) throws Exception {
    var file = OarFixtures.file(folder, oar.url(), more);
    return new OarSystem(
        file,
        command -> {
          commands.add(command);
          return new OutsideAnswer(ending, status, "", "no room", Duration.ZERO);
        },
        new OarDoor(file));
  }

  private static OutsideSubmission order(String account, String word, Optional<Long> wall) {
    return order(account, word, wall, Map.of("WORD", word));
  }

  private static OutsideSubmission order(
      String account, String word, Optional<Long> wall, Map<String, String> variables) {
    return new OutsideSubmission(
        new OutsideTag("c1", "7", 2, "5.17.1"),
        account,
        word,
        new OutsideSubmission.OutsidePlace(Optional.of("night"), List.of()),
        SomeAmounts.of(3, 0, wall),
        new OutsideSubmission.SubmittedScript(
            ("#!/bin/sh\necho " + word).getBytes(StandardCharsets.UTF_8),
            List.of(word),
            variables,
            "/" + word));
  }

  private JsonNode sent() {
    return OarJson.object(new String(oar.last().body(), StandardCharsets.UTF_8)).orElseThrow();
  }

  @Test
  void aSubmission() throws Exception {
    Submitted said =
        system("as = sudo", "best_effort = yes", "slot = core", "project = grid")
            .submit(order("alice", "w", Optional.of(3_725L)));
    assertEquals(new Submitted.Accepted(OutsideId.of(1)), said);
    assertEquals(
        List.of(
            "/usr/bin/sudo -n -u alice -- /bin/mkdir -p -m 700 /spool/alice/scripts",
            "/usr/bin/sudo -n -u alice -- /usr/bin/dd of=FILE conv=excl,fsync status=none"),
        commands.stream()
            .map(it -> String.join(" ", it.words()).replaceFirst("of=\\S+", "of=FILE"))
            .toList());
    String path = commands.get(1).words().get(6).replaceFirst("^of=", "");
    assertTrue(
        path.matches("/spool/alice/scripts/mr\\.c1\\.7\\.2\\.5\\.17\\.1\\.[0-9a-f]{8}"), path);
    JsonNode job = sent();
    assertEquals("/bin/bash " + path, job.path("command").asText());
    assertEquals("/network_address=1/core=3,walltime=1:2:5", job.path("resource").asText());
    assertEquals("mr.c1.7.2.5.17.1", job.path("name").asText());
    assertEquals("night", job.path("queue").asText());
    assertEquals("besteffort", job.path("type").asText());
    assertEquals("grid", job.path("project").asText());
    assertEquals("/dev/null", job.path("stdout").asText());
    assertEquals(List.of("POST /oarapi/jobs.json"), oar.asked());
  }

  @Test
  void theTypeOfACampaignIsThatOfItsJobs() throws Exception {
    OarSystem system = system("best_effort = campaigns");
    for (String type : List.of("best-effort", "normal")) {
      system.submit(order("alice", "w", Optional.empty(), Map.of("CIGRI_TYPE", type)));
      assertEquals(type.equals("best-effort") ? "besteffort" : "", sent().path("type").asText());
    }
    system.submit(order("alice", "w", Optional.empty()));
    assertFalse(sent().has("type"), "a job of no campaign");
  }

  /** A second submission of a run leaves the file of the first one alone. */
  @Test
  void eachSubmissionHasAFileOfItsOwn() throws Exception {
    OarSystem system = system();
    system.submit(order("alice", "w", Optional.empty()));
    String first = sent().path("command").asText();
    assertEquals("/network_address=1/resource_id=3", sent().path("resource").asText());
    assertFalse(sent().has("type"));
    system.submit(order("alice", "w", Optional.empty()));
    assertFalse(first.equals(sent().path("command").asText()));
    assertEquals(3, commands.size());
    String script = new String(commands.get(2).input(), StandardCharsets.US_ASCII);
    assertTrue(script.startsWith("#!/bin/bash\n/bin/rm -f -- \"$0\"\n"), script);
  }

  /** OAR's API gives what it is sent to a shell. */
  @Test
  void noWordOfAUserIsSent() throws Exception {
    for (String word : List.of("$(id)", "`id`", "a'b\"c", "-x", "a\nb", "; rm -rf /", "häh")) {
      system().submit(order("alice", word, Optional.empty()));
      String body = new String(oar.last().body(), StandardCharsets.UTF_8);
      assertFalse(body.contains(word), body);
      assertFalse(String.join(" ", commands.get(commands.size() - 1).words()).contains(word));
    }
  }

  @Test
  void aScriptThatCannotBeWrittenIsNotSubmitted() throws Exception {
    status = 1;
    assertEquals(
        new Submitted.AccountRefused("/spool/alice/scripts cannot be written: no room"),
        system().submit(order("alice", "w", Optional.empty())));
    assertEquals(List.of(), oar.asked());
    ending = ProcessEnding.TIMED_OUT;
    assertInstanceOf(
        Submitted.NotSent.class, system().submit(order("alice", "w", Optional.empty())));
  }

  /** It was made once, and somebody has taken it away since. */
  @Test
  void theFolderOfScriptsIsMadeAgain() throws Exception {
    OarSystem system = system();
    system.submit(order("alice", "w", Optional.empty()));
    status = 1;
    system.submit(order("alice", "w", Optional.empty()));
    status = 0;
    commands.clear();
    assertInstanceOf(
        Submitted.Accepted.class, system.submit(order("alice", "w", Optional.empty())));
    assertTrue(commands.get(0).words().contains("/bin/mkdir"), commands::toString);
  }

  /** Of one account; where one password is used for all, it is that of all. */
  @Test
  void aPasswordThatIsRefused() throws Exception {
    OarFixtures.credentials(folder, "alice:ecila\nbob:wrong\n");
    String refused = "status 401: the name or the password is refused; see 'credentials'";
    OarSystem system = system("user.carol = carol");
    assertEquals(
        new Submitted.AccountRefused("submission: " + refused),
        system.submit(order("bob", "w", Optional.empty())));
    assertEquals(
        new Controlled.ControlRefused(refused),
        system.control(OutsideId.of(9), "bob", OutsideAction.DELETE));
    Submitted said = system.submit(order("carol", "w", Optional.empty()));
    assertInstanceOf(Submitted.AccountRefused.class, said);
    assertTrue(said.toString().contains("has no password of carol"), said::toString);
    OarFixtures.credentials(folder, "alice:wrong\n");
    assertInstanceOf(
        Submitted.NotSent.class,
        system("identity = header").submit(order("bob", "w", Optional.empty())));
  }

  /** The API would take a-b for a. */
  @Test
  void aNameThatTheApiCutsShort() throws Exception {
    assertInstanceOf(
        Submitted.SubmissionRefused.class,
        system().submit(order("alice-b", "w", Optional.empty())));
    assertEquals(List.of(), oar.asked());
    assertEquals(List.of(), commands);
  }

  private static List<OutsideJob> jobs(Told<List<OutsideJob>> told) {
    assertInstanceOf(Told.Answered.class, told, told::toString);
    return ((Told.Answered<List<OutsideJob>>) told).value();
  }

  /** One question for those that are there, one for those that are over; details once. */
  @Test
  void aSnapshot() throws Exception {
    oar.answer("GET /jobs.json?state=Terminated", 200, OarFixtures.text("jobs-ended.json"));
    OarSystem system = system();
    List<OutsideJob> jobs = jobs(system.snapshot());
    // 1 was shown as running, and has ended while the second question was asked.
    assertEquals(
        List.of(
            "1 ENDED", "2 ENDED", "3 ENDED", "4 ENDED", "5 ENDED", "6 ENDED", "7 ENDED", "8 ENDED"),
        jobs.stream().map(it -> it.id() + " " + it.state()).sorted().toList());
    assertEquals(
        OutsideCause.TIME_LIMIT,
        jobs.stream()
            .filter(it -> it.id().number() == 3)
            .findFirst()
            .flatMap(OutsideJob::end)
            .orElseThrow()
            .cause());
    String day = from(VERSION.minus(Duration.ofHours(24))) + "limit=100000";
    assertTrue(oar.asked().get(2).endsWith("?state=Terminated,Error" + day), oar.asked()::toString);
    assertTrue(oar.asked().get(3).contains("ids=8:7:6:5:4:3:2:1&"), oar.asked()::toString);
    assertEquals(4, oar.asked().size());
    assertEquals(8, jobs(system.snapshot()).size());
    assertTrue(oar.asked().get(5).contains(from(LISTED.minusSeconds(900))), oar.asked()::toString);
    assertEquals(6, oar.asked().size());
    assertEquals(8, jobs(system.tagged()).size());
  }

  private static String from(Instant moment) {
    return "&from=" + moment.getEpochSecond() + "&";
  }

  /** The API answers so when its database breaks off, and not when it is asked again. */
  @Test
  void anEmptyListIsNotBelievedAtOnce() throws Exception {
    String ended = "GET /jobs.json?state=Terminated";
    oar.answer(ended, 200, OarFixtures.text("jobs-ended.json"));
    oar.once("GET /jobs.json?state=Waiting", 200, OarFixtures.text("jobs-empty.json"));
    oar.once(ended, 200, OarFixtures.text("jobs-empty.json"));
    List<OutsideJob> jobs = jobs(system().snapshot());
    assertEquals(8, jobs.size(), jobs::toString);
  }

  /** Nor does the next question begin behind what it did not show. */
  @Test
  void anEmptyListMovesNoBeginning() throws Exception {
    String ended = "GET /jobs.json?state=Terminated";
    OarSystem system = system();
    assertEquals(7, jobs(system.snapshot()).size());
    oar.answer(ended, 200, OarFixtures.text("jobs-ended.json"));
    oar.once("GET /jobs/details", 200, OarFixtures.text("jobs-empty.json"));
    // Nor a list of which the details are not there.
    jobs(system.snapshot());
    assertEquals(8, jobs(system.snapshot()).size());
    List<String> asked = oar.asked().stream().filter(it -> it.contains("Terminated")).toList();
    assertEquals(4, asked.size(), asked::toString);
    String day = from(VERSION.minus(Duration.ofHours(24)));
    assertTrue(asked.stream().allMatch(it -> it.contains(day)), asked::toString);
    jobs(system.snapshot());
    assertTrue(oar.asked().get(oar.asked().size() - 1).contains(from(LISTED.minusSeconds(900))));
  }

  /** One whose end is not told yet was submitted all the same. */
  @Test
  void aSubmissionIsFoundWithoutItsEnd() throws Exception {
    oar.answer("GET /jobs.json?state=Terminated", 200, OarFixtures.text("jobs-ended.json"));
    oar.answer("GET /jobs/details", 200, OarFixtures.text("jobs-empty.json"));
    List<OutsideJob> jobs = jobs(system().tagged());
    assertTrue(jobs.stream().anyMatch(it -> it.id().number() == 2), jobs::toString);
  }

  /** A page, or a list that broke off while the API read it from its database. */
  @Test
  void aListThatIsNotAllThereIsNoSnapshot() throws Exception {
    String jobs = OarFixtures.text("jobs.json");
    oar.answer("GET /jobs.json?state=Waiting", 200, jobs.replace("\"total\": 7", "\"total\": 9"));
    assertEquals(
        Told.nothing("jobs: the list has 7 items and says that there are 9"), system().snapshot());
    oar.answer("GET /jobs.json?state=Waiting", 200, jobs);
    String none = OarFixtures.text("jobs-empty.json").replace("\"total\": 0", "\"total\": 8");
    oar.answer("GET /jobs.json?state=Terminated", 200, none);
    assertEquals(
        Told.nothing("jobs: the list has 0 items and says that there are 8"), system().snapshot());
  }

  /** Ends are written down by the clock of OAR's server, whatever that shows. */
  @Test
  void theBeginningIsByTheClockOfTheServer() throws Exception {
    oar.once("GET /version", 500, OarFixtures.text("jobs-nodb.json"));
    OarSystem system = system("ends_h = 2");
    assertEquals(
        Told.nothing("clock of OAR's server: status 500: Cannot connect to the database"),
        system.snapshot());
    oar.answer("GET /version", 200, "{\"api_timestamp\": 1000000}");
    jobs(system.snapshot());
    assertTrue(oar.asked().toString().contains("&from=992800&"), oar.asked()::toString);
  }

  /** Jobs of others, and of other clusters, are none of our ends. */
  @Test
  void endsOfOthers() throws Exception {
    String ended = OarFixtures.text("jobs-ended.json");
    oar.answer(
        "GET /jobs.json?state=Terminated",
        200,
        ended.replace("mr.c1.", "mr.c2.").replace("\"bob\"", "\"eve\""));
    assertEquals(7, jobs(system().snapshot()).size());
    assertEquals(3, oar.asked().size());
    assertFalse(oar.asked().toString().contains("details"), oar.asked()::toString);
  }

  /** The API answers so when its database breaks off. */
  @Test
  void noJobsCountOnlyWhereThereAreHosts() throws Exception {
    oar.answer("GET /jobs.json?state=Waiting", 200, OarFixtures.text("jobs-empty.json"));
    assertEquals(List.of(), jobs(system().snapshot()));
    oar.answer("GET /resources/network_address", 200, OarFixtures.text("jobs-empty.json"));
    assertEquals(
        Told.nothing("hosts: the list is empty; look whether its database answers"),
        system().snapshot());
    oar.answer("GET /resources/network_address", 500, OarFixtures.text("jobs-nodb.json"));
    assertEquals(
        Told.nothing("hosts: status 500: Cannot connect to the database"), system().snapshot());
  }

  @Test
  void anyQuestionThatIsNotAnsweredIsNoSnapshot() throws Exception {
    oar.answer("GET /jobs.json?state=Terminated", 200, OarFixtures.text("jobs-ended.json"));
    for (String begin :
        List.of(
            "GET /jobs/details",
            "GET /jobs.json?state=Terminated",
            "GET /jobs.json?state=Waiting")) {
      oar.answer(begin, 502, "<html>");
      assertInstanceOf(Told.Nothing.class, system().snapshot(), begin);
      // A submission is looked for in the lists alone.
      Class<?> tagged = begin.contains("details") ? Told.Answered.class : Told.Nothing.class;
      assertInstanceOf(tagged, system().tagged(), begin);
    }
  }

  /** Where a cluster is only looked at, jobs are shown where they are, and nothing of ours is. */
  @Test
  void whatIsObserved() throws Exception {
    oar.answer(
        "GET /resources/network_address", 200, OarFixtures.text("places.json").replace("9", "1"));
    List<OutsideJob> jobs = jobs(system("mode = observe").snapshot());
    assertEquals("localhost", jobs.get(0).place());
    assertEquals(2, jobs.get(0).slots());
    assertEquals("", jobs.get(1).place());
    assertFalse(oar.asked().toString().contains("Terminated"), oar.asked()::toString);
  }

  /** Whatever lists show: what OAR knows of a job stands under its number. */
  @Test
  void jobsByTheirNumbers() throws Exception {
    oar.once("GET /jobs/details", 200, OarFixtures.text("jobs-empty.json"));
    Told<Map<OutsideId, Optional<OutsideJob>>> told =
        system().byNumber("alice", List.of(OutsideId.of(6), OutsideId.of(77)));
    Map<OutsideId, Optional<OutsideJob>> jobs =
        ((Told.Answered<Map<OutsideId, Optional<OutsideJob>>>) told).value();
    assertEquals(2, jobs.size(), jobs::toString);
    assertEquals(
        OutsideCause.CANCELLED,
        jobs.get(OutsideId.of(6)).flatMap(OutsideJob::end).orElseThrow().cause());
    assertEquals(Optional.empty(), jobs.get(OutsideId.of(77)));
    assertEquals(2, oar.asked().size(), oar.asked()::toString);
    assertTrue(oar.asked().get(1).contains("ids=6:77&"), oar.asked()::toString);
    // It waits in a state that this version of OAR does not have.
    oar.answer(
        "GET /jobs/details", 200, OarFixtures.text("jobs.json").replace("toLaunch", "Frozen"));
    told = system().byNumber("alice", List.of(OutsideId.of(3)));
    assertTrue(told.toString().contains("word=Frozen"), told::toString);
    oar.once("GET /jobs/details", 500, OarFixtures.text("jobs-nodb.json"));
    assertInstanceOf(Told.Nothing.class, system().byNumber("alice", List.of(OutsideId.of(3))));
  }

  @Test
  void orders() throws Exception {
    for (Map.Entry<OutsideAction, String> each :
        Map.of(
                OutsideAction.HOLD, "holds",
                OutsideAction.RELEASE, "resumptions",
                OutsideAction.SUSPEND, "rholds",
                OutsideAction.RESUME, "resumptions",
                OutsideAction.DELETE, "deletions")
            .entrySet()) {
      assertInstanceOf(
          Controlled.Done.class, system().control(OutsideId.of(9), "alice", each.getKey()));
      assertEquals(
          "POST /oarapi/jobs/9/" + each.getValue() + "/new.json",
          oar.last().method() + " " + oar.last().target());
    }
  }

  private List<String> check(String... more) throws Exception {
    var file = OarFixtures.file(folder, oar.url(), more);
    return new OarCheck(file, new OarDoor(file), system(more))
        .lines().stream().map(it -> it.good() ? "ok" : it.text()).toList();
  }

  @Test
  void theCheck() throws Exception {
    oar.answer(
        "GET /version",
        200,
        OarFixtures.text("version.json")
            .replaceFirst("1795[0-9]+", Long.toString(Instant.now().getEpochSecond())));
    assertEquals(List.of("ok", "ok", "ok", "ok", "ok", "ok"), check("identity = header"));
    assertEquals(
        List.of(
            "ok",
            "ok",
            "ok",
            "ok",
            "ok",
            "the API does not know bob: status 401: the name or the password is refused; see"
                + " 'credentials'"),
        check());
    oar.answer("GET /whoami", 200, "{\"authenticated_user\":\"oar\"}");
    assertEquals("the API takes alice for 'oar'", check("identity = header").get(4));
    assertEquals(
        "OAR's API would take alice-b for another account",
        check("identity = header", "user.al = alice-b").get(6));
    assertEquals(4, check("mode = observe").size());
  }

  @Test
  void whatTheCheckFinds() throws Exception {
    oar.answer("GET /version", 200, OarFixtures.text("version.json").replace("2.5.9", "3.0.0"));
    oar.answer("GET /jobs.json?state=Waiting", 500, OarFixtures.text("jobs-nodb.json"));
    oar.answer("GET /resources/details", 500, OarFixtures.text("jobs-nodb.json"));
    List<String> found = check("mode = observe");
    assertEquals("OAR is 3.0.0 (Canicule), which was never tried", found.get(0));
    assertTrue(found.get(1).startsWith("the clock of OAR's server differs by "), found::toString);
    assertEquals(
        "the queue cannot be read: jobs: status 500: Cannot connect to the database", found.get(2));
    assertEquals(
        "the hosts cannot be read: resources: status 500: Cannot connect to the database",
        found.get(3));
    oar.answer("GET /version", 200, "<html>It works!</html>");
    assertEquals(
        List.of("the API does not answer: this is no answer of OAR's API"),
        check("mode = observe"));
  }

  /** Some versions have no such path. */
  @Test
  void whatItSaysOfItsStressIsRead() throws Exception {
    assertTrue(system().ownStress().isEmpty());
    for (String said : List.of("{\"GLOBAL_STRESS\": 0.25}", "{\"GLOBAL_STRESS\": \"0.25\"}")) {
      oar.answer("GET /stress_factor", 200, said);
      assertEquals(0.25, system().ownStress().orElseThrow());
    }
    for (String said : List.of("", "[]", "{}", "{\"GLOBAL_STRESS\": \"NaN\"}", "{\"GLOBAL")) {
      oar.answer("GET /stress_factor", 200, said);
      assertTrue(system().ownStress().isEmpty(), said);
    }
  }
}
