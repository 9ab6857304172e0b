package io.millrace.connectors.oar;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.connectors.bridge.system.Controlled;
import io.millrace.connectors.bridge.system.OutsideCause;
import io.millrace.connectors.bridge.system.OutsideEnd;
import io.millrace.connectors.bridge.system.OutsideHost;
import io.millrace.connectors.bridge.system.OutsideInventory;
import io.millrace.connectors.bridge.system.OutsideJob;
import io.millrace.connectors.bridge.system.OutsideTag;
import io.millrace.connectors.bridge.system.Submitted;
import io.millrace.connectors.bridge.system.Told;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OarGoldenTest {

  private static <T> T value(Told<T> told) {
    assertInstanceOf(Told.Answered.class, told, told::toString);
    return ((Told.Answered<T>) told).value();
  }

  private static OarAnswer good(String name) {
    return OarFixtures.answer(200, OarFixtures.text(name));
  }

  private static OarAnswer resources(String from, String to) {
    return OarFixtures.answer(200, OarFixtures.text("resources.json").replace(from, to));
  }

  @Test
  void theQueue() {
    List<OutsideJob> jobs = value(OarQueue.read(good("jobs.json")));
    assertEquals(
        List.of(
            "1 alice RUNNING",
            "3 alice WAITING",
            "4 alice WAITING",
            "5 alice HELD",
            "6 alice HELD",
            "7 bob WAITING",
            "8 alice WAITING"),
        jobs.stream().map(it -> it.id() + " " + it.account() + " " + it.state()).toList());
    assertEquals(OutsideTag.read("mr.c1.4.1"), jobs.get(1).tag());
    assertEquals("toLaunch", jobs.get(1).word());
    assertEquals(Optional.of(Instant.ofEpochSecond(1795806980)), jobs.get(0).submitted());
    assertEquals(List.of(), value(OarQueue.read(good("jobs-empty.json"))));
  }

  /** What a job does in a state that no version has had says nothing about its end. */
  @Test
  void aStateOfALaterVersion() {
    String later = OarFixtures.text("jobs.json").replace("\"Running\"", "\"Migrating\"");
    assertEquals(
        "RUNNING", value(OarQueue.read(OarFixtures.answer(200, later))).get(0).state().toString());
  }

  @Test
  void whatIsNoQueue() {
    assertEquals(
        Told.nothing("jobs: status 500: Cannot connect to the database"),
        OarQueue.read(OarFixtures.answer(500, OarFixtures.text("jobs-nodb.json"))));
    assertEquals(
        Told.nothing("jobs: status 401: the name or the password is refused; see 'credentials'"),
        OarQueue.read(OarFixtures.answer(401, OarFixtures.text("401.html"))));
    assertEquals(
        Told.nothing("jobs: status 504: its web server got no answer from OAR"),
        OarQueue.read(OarFixtures.answer(504, OarFixtures.text("504.html"))));
    assertInstanceOf(
        Told.Nothing.class, OarQueue.read(OarFixtures.answer(200, OarFixtures.text("401.html"))));
    assertInstanceOf(Told.Nothing.class, OarQueue.read(good("version.json")));
    String whole = OarFixtures.text("jobs.json").strip();
    for (int length = 0; length < whole.length(); length += 1 + length % 13) {
      OarAnswer half = OarFixtures.answer(200, whole.substring(0, length));
      assertInstanceOf(Told.Nothing.class, OarQueue.read(half));
    }
    assertInstanceOf(Told.Nothing.class, OarQueue.read(OarFixtures.answer(200, whole + "{}")));
    String nobody = whole.replaceFirst("\"owner\": \"alice\"", "\"owner\": null");
    assertInstanceOf(Told.Nothing.class, OarQueue.read(OarFixtures.answer(200, nobody)));
  }

  /** A list that is as long as what was asked for goes on elsewhere. */
  @Test
  void aPageIsNoQueue() {
    List<JsonNode> items = new ArrayList<>();
    assertTrue(OarJson.items(good("jobs.json"), 7, items::add).isPresent());
    assertEquals(Optional.empty(), OarJson.items(good("jobs.json"), 8, items::add));
  }

  @Test
  void theEnds() {
    Map<Long, OutsideEnd> ends = new TreeMap<>();
    value(OarEnds.read(good("details.json")))
        .forEach(it -> ends.put(it.id().number(), it.end().orElseThrow()));
    assertEquals(9, ends.size());
    assertEquals(new OutsideEnd(-1, 12, OutsideCause.SIGNALLED, "OAR: Terminated"), ends.get(1L));
    assertEquals(new OutsideEnd(7, 0, OutsideCause.EXITED, "OAR: Terminated"), ends.get(2L));
    assertEquals(OutsideCause.TIME_LIMIT, ends.get(3L).cause());
    assertEquals(
        OutsideEnd.of(
            OutsideCause.CANCELLED, "OAR: BESTEFFORT_KILL [MetaSched] kill the besteffort job 4"),
        ends.get(4L));
    assertEquals(new OutsideEnd(0, 0, OutsideCause.EXITED, "OAR: Terminated"), ends.get(5L));
    // It waited, and never began.
    assertEquals(
        OutsideEnd.of(
            OutsideCause.CANCELLED, "OAR: FRAG_JOB_REQUEST User alice requested to frag the job 6"),
        ends.get(6L));
    assertEquals(
        OutsideEnd.of(
            OutsideCause.CANCELLED, "OAR: FRAG_JOB_REQUEST User alice requested to frag the job 9"),
        ends.get(9L));
    assertEquals("localhost", value(OarEnds.read(good("details.json"))).get(0).place());
  }

  /** Ends that were not recorded, by the events that OAR's source names. */
  @ParameterizedTest
  @CsvSource({
    "EXTERMINATE_JOB, NODE_LOST",
    "PING_CHECKER_NODE_SUSPECTED, NODE_LOST",
    "EXIT_VALUE_OAREXEC, NODE_LOST",
    "WORKING_DIRECTORY, NOT_BEGUN",
    "SEND_KILL_JOB, CANCELLED",
    "WALLTIME, TIME_LIMIT",
    "SOMETHING_ELSE, UNKNOWN",
  })
  void endsByTheirEvents(String type, OutsideCause cause) {
    ObjectNode job = OarFixtures.items("details.json").get(2).deepCopy();
    job.withArray("events").removeAll().addObject().put("type", type).put("description", "why");
    assertEquals(cause, OarEnds.job(job).orElseThrow().end().orElseThrow().cause());
    job.put("state", "Running");
    assertEquals(Optional.empty(), OarEnds.job(job));
  }

  /** One that has ended by itself has done so, whatever was ordered about it. */
  @Test
  void anExitCodeSaysMoreThanAnEvent() {
    ObjectNode job = OarFixtures.items("details.json").get(1).deepCopy();
    job.withArray("events").addObject().put("type", "WALLTIME");
    assertEquals(OutsideCause.EXITED, OarEnds.job(job).orElseThrow().end().orElseThrow().cause());
    job.putNull("exit_code");
    assertEquals(OutsideCause.UNKNOWN, OarEnds.job(job).orElseThrow().end().orElseThrow().cause());
  }

  @Test
  void theHosts() {
    OutsideHost host =
        value(OarHosts.read(good("resources.json"), "resource_id", false)).hosts().get(0);
    assertEquals("localhost", host.name());
    assertTrue(host.usable());
    assertEquals(3, host.cpus());
    assertEquals(-1, host.memoryBytes());
    assertEquals("Alive", host.word());
    assertEquals("YES", host.fields().get("besteffort"));
    // Three resources with one value are one processor.
    assertEquals(
        1, value(OarHosts.read(good("resources.json"), "cpuset", false)).hosts().get(0).cpus());
    assertEquals(
        Told.nothing("resources: resources have no property core; set 'slot' to one that is one"),
        OarHosts.read(good("resources.json"), "core", false));
  }

  @Test
  void hostsThatTakeNothing() {
    for (String[] change :
        new String[][] {
          {"\"Alive\"", "\"Suspected\""},
          {"\"drain\": \"NO\"", "\"drain\": \"YES\""},
          {"\"besteffort\": \"YES\"", "\"besteffort\": \"NO\""}
        }) {
      OutsideInventory found =
          value(OarHosts.read(resources(change[0], change[1]), "resource_id", true));
      assertFalse(found.hosts().get(0).usable(), change[1]);
      assertEquals(3, found.hosts().get(0).cpus());
    }
    String one = OarFixtures.text("resources.json").replaceFirst("\"Alive\"", "\"Absent\"");
    OutsideHost half =
        value(OarHosts.read(OarFixtures.answer(200, one), "resource_id", false)).hosts().get(0);
    assertTrue(half.usable());
    assertEquals(2, half.cpus());
    assertEquals("Absent,Alive", half.word());
    assertEquals(
        Told.nothing("resources: there are none that belong to a host"),
        OarHosts.read(resources("\"default\"", "\"licence\""), "resource_id", false));
  }

  @Test
  void whereJobsAre() {
    assertEquals(
        Map.of(9L, new OarQueue.OarPlace(Map.of("localhost", 2L))),
        value(OarQueue.places(good("places.json"))));
    assertEquals(Map.of(), value(OarQueue.places(good("places-empty.json"))));
    assertInstanceOf(Told.Nothing.class, OarQueue.places(good("jobs-empty.json")));
  }

  private static void each(
      String fields, String recorded, Function<JsonNode, Object> read, List<JsonNode> others) {
    for (Map.Entry<String, String> field : OarFixtures.fields(fields).entrySet()) {
      boolean counts = false;
      for (JsonNode item : OarFixtures.items(recorded)) {
        for (JsonNode other : others) {
          ObjectNode changed = item.deepCopy();
          changed.set(field.getKey(), other);
          counts |= !read.apply(changed).equals(read.apply(item));
        }
      }
      assertEquals(field.getValue().equals("used"), counts, field.getKey());
    }
  }

  @Test
  void eachUsedFieldCounts() {
    List<JsonNode> others =
        List.of(
            IntNode.valueOf(77),
            IntNode.valueOf(0),
            TextNode.valueOf("mr.c1.99.1"),
            TextNode.valueOf("/bin/bash /spool/mr.c1.99.1.0123abcd"),
            TextNode.valueOf("Error"),
            TextNode.valueOf("YES"),
            TextNode.valueOf("NO"),
            OarFixtures.items("details.json").get(3).path("events"),
            OarFixtures.items("places.json").get(0).path("jobs"));
    each("fields-jobs.txt", "jobs.json", OarQueue::job, others);
    ObjectNode quiet = OarFixtures.items("details.json").get(2).deepCopy();
    quiet.remove("events");
    assertTrue(OarEnds.job(quiet).toString().contains("R=1,W=0:0:5"), "the message");
    each(
        "fields-details.txt",
        "details.json",
        it -> {
          ObjectNode silent = it.deepCopy();
          silent.remove("events");
          // Of runs that were submitted together.
          ObjectNode together = it.deepCopy();
          together.put("name", "mr.c1.98.1+1");
          return OarEnds.job(it).toString() + OarEnds.job(silent) + OarEnds.job(together);
        },
        others);
    each(
        "fields-resources.txt",
        "resources.json",
        it -> {
          ObjectNode list = OarFixtures.items("details.json").get(0).deepCopy();
          list.removeAll().putArray("items").add(it);
          Told<OutsideInventory> told =
              OarHosts.read(OarFixtures.answer(200, list.toString()), "resource_id", true);
          Told<OutsideInventory> of =
              OarHosts.read(OarFixtures.answer(200, list.toString()), "network_address", true);
          // All fields are shown; what is made of them is of interest here.
          return without(told) + without(of) + it.path("id");
        },
        others);
  }

  private static String without(Told<OutsideInventory> told) {
    return told.toString().replaceFirst("fields=\\{.*", "");
  }

  @Test
  void eachRecordedFieldIsNamed() {
    for (String name : List.of("jobs", "details", "resources")) {
      Map<String, String> known = OarFixtures.fields("fields-" + name + ".txt");
      for (JsonNode item : OarFixtures.items(name + ".json")) {
        item.fieldNames().forEachRemaining(it -> assertTrue(known.containsKey(it), it));
      }
    }
  }

  /** A field that a later version adds is passed by. */
  @Test
  void aFieldThatIsAddedLater() {
    String later =
        OarFixtures.text("jobs.json").replace("\"queue\"", "\"new\": [{\"a\": {}}], \"queue\"");
    assertEquals(OarQueue.read(good("jobs.json")), OarQueue.read(OarFixtures.answer(200, later)));
    assertEquals(MissingNode.getInstance(), OarFixtures.items("jobs.json").get(0).path("new"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "201 | submit.json | Accepted[id=1]",
        "500 | submit-noqueue.json | SubmissionRefused[words=The queue nosuch does not exist]",
        "500 | submit-badtype.json |"
            + " SubmissionRefused[words=[ADMISSION RULE] Error: unknown job type: nosuch]",
        "400 | submit-toomany.json |"
            + " SubmissionRefused[words=There are not enough resources for your request]",
        "500 | submit-badres.json |"
            + " SubmissionRefused[words=Cannot recognize the resource description : what ever]",
        "401 | 401.html | NotSent[why=submission: status 401: the name or the password is refused;"
            + " see 'credentials']",
        "404 | 404.html | NotSent[why=submission: status 404: there is no API of OAR at this"
            + " address; see 'url']",
        "504 | 504.html | SubmissionUnclear[why=submission: status 504: its web server got no"
            + " answer from OAR, full=false]",
        "200 | 401.html | SubmissionUnclear[why=submission: no number in the answer, full=false]",
      })
  void answersToSubmissions(int status, String name, String said) {
    Submitted answer = OarWords.submitted(OarFixtures.answer(status, OarFixtures.text(name)));
    assertEquals(said, answer.toString());
  }

  /** Rules of a site say many things; by its exit status oarsub says that one has died. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "8 | [ADMISSION RULE] Your project has 40 hours left | SubmissionUnclear",
        "7 | [ADMISSION RULE] There are not enough resources now: it waits | SubmissionUnclear",
        "254 | [ADMISSION RULE] You have 40 hours left;Killed | SubmissionUnclear",
        "254 | [ADMISSION RULE] 40 hours left;[ADMISSION RULE] No jobs today |"
            + " SubmissionRefused[words=[ADMISSION RULE] No jobs today]",
        "8 | [ADMISSION RULE] 40 hours left;Bad resource request (x |"
            + " SubmissionRefused[words=Bad resource request (x]",
      })
  void whatAdmissionRulesSay(int status, String words, String said) {
    String message =
        "Oarsub command exited with status " + status + ": " + words.replace(";", "\\n");
    Submitted answer =
        OarWords.submitted(
            OarFixtures.answer(500, "{\"message\":\"" + message + "\\n\\nCmd:\\noarsub\"}"));
    assertTrue(answer.toString().startsWith(said), answer::toString);
  }

  /** OAR has written the job down, and its server does not know yet. */
  @Test
  void aJobWithANumberWasNotRefused() {
    OarAnswer answer = OarFixtures.answer(500, OarFixtures.text("submit-noalmighty.json"));
    assertInstanceOf(Submitted.SubmissionUnclear.class, OarWords.submitted(answer));
    // What an admission rule says by the way is no refusal.
    String other =
        OarFixtures.text("submit-noqueue.json").replace("ERROR : The queue nosuch does not", "");
    assertInstanceOf(
        Submitted.SubmissionUnclear.class, OarWords.submitted(OarFixtures.answer(500, other)));
    String database =
        OarFixtures.text("submit-badtype.json").replace("unknown job type", "DBD::Pg lost");
    assertInstanceOf(
        Submitted.SubmissionUnclear.class, OarWords.submitted(OarFixtures.answer(500, database)));
  }

  @ParameterizedTest
  @CsvSource({
    "202, delete-run.json, Done",
    "202, resume.json, Done",
    "400, delete-again.json, Done",
    "400, delete-other.json, ControlRefused",
    "400, delete-nosuch.json, ControlRefused",
    "400, hold-running.json, ControlRefused",
    "400, rhold-running.json, ControlRefused",
    "400, hold-nosuch.json, OutsideJobGone",
    "400, resume-nosuch.json, OutsideJobGone",
    "400, delete-noalmighty.json, ControlUnclear",
    "401, 401.html, ControlUnclear",
    "404, notthere.json, ControlUnclear",
    "504, 504.html, ControlUnclear",
    "202, 401.html, ControlUnclear",
  })
  void answersToOrders(int status, String name, String said) {
    Controlled answer = OarWords.controlled(OarFixtures.answer(status, OarFixtures.text(name)));
    assertEquals(said, answer.getClass().getSimpleName(), answer::toString);
  }

  @Test
  void whatIsSaidIsOneLine() {
    assertEquals(
        new Controlled.ControlRefused(
            "Deleting the job = 1 ...ERROR. Cannot frag 1 ; You are not the right user. ."),
        OarWords.controlled(OarFixtures.answer(400, OarFixtures.text("delete-other.json"))));
  }
}
