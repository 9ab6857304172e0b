package io.millrace.connectors.oar;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.connectors.bridge.command.OutsideAnswer;
import io.millrace.connectors.bridge.command.OutsideAnswer.ProcessEnding;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs that are submitted together, as an array of OAR's. */
class OarTogetherTest {

  private static final OutsideTag FIRST = new OutsideTag("c1", "7", 1, "5.17.1");
  private static final OutsideTag SECOND = new OutsideTag("c1", "8", 1, "5.18.1");
  private static final String NAME = "mr.c1.7.1.5.17.1+1";

  @TempDir Path folder;

  private PlayedOar oar;
  private final List<String> paths = new ArrayList<>();

  @BeforeEach
  void play() throws Exception {
    OarFixtures.credentials(folder, "alice:ecila\n");
    oar = new PlayedOar();
  }

  @AfterEach
  void close() {
    oar.close();
  }

  private OarSystem system() throws Exception {
    var file = OarFixtures.file(folder, oar.url(), "best_effort = yes");
    return new OarSystem(
        file,
        command -> {
          command.words().stream()
              .filter(it -> it.startsWith("of="))
              .forEach(it -> paths.add(it.substring(3)));
          return new OutsideAnswer(ProcessEnding.EXITED, 0, "", "", Duration.ZERO);
        },
        new OarDoor(file));
  }

  private static OutsideSubmission order(OutsideTag tag) {
    return new OutsideSubmission(
        tag,
        "alice",
        "w",
        new OutsideSubmission.OutsidePlace(Optional.empty(), List.of()),
        SomeAmounts.of(1, 0, Optional.of(60L)),
        new OutsideSubmission.SubmittedScript(
            "#!/bin/sh\n".getBytes(StandardCharsets.UTF_8), List.of(), Map.of(), "/"));
  }

  private static String item(long id, String name, String command, String state) {
    return "{\"id\": "
        + id
        + ", \"name\": \""
        + name
        + "\", \"owner\": \"alice\", \"state\": \""
        + state
        + "\", \"submission\": 1795806980"
        + (command.isEmpty() ? "" : ", \"command\": \"" + command + "\"")
        + (state.equals("Terminated") ? ", \"exit_code\": 0" : "")
        + "}";
  }

  private static String list(String... items) {
    return "{\"items\": ["
        + String.join(", ", items)
        + "], \"total\": "
        + items.length
        + ", \"offset\": 0, \"api_timestamp\": 1795806990, \"links\": []}";
  }

  private static String command(OutsideTag tag) {
    return "/bin/bash /spool/alice/scripts/" + tag + ".0123abcd";
  }

  private static List<OutsideJob> jobs(Told<List<OutsideJob>> told) {
    return assertInstanceOf(Told.Answered.class, told).value() instanceof List<?> list
        ? list.stream().map(OutsideJob.class::cast).toList()
        : List.of();
  }

  private void answersTwo() {
    oar.answer(
        "POST /jobs.json",
        201,
        "{\"id\": 41, \"cmd_output\": \"Simple array job submission is used\\n"
            + "OAR_JOB_ID=41\\nOAR_JOB_ID=43\\nOAR_ARRAY_ID=41\\n\"}");
    oar.answer(
        "GET /jobs/details",
        200,
        list(
            item(43, NAME, command(FIRST), "Waiting"), item(41, NAME, command(SECOND), "Waiting")));
  }

  private long questions() {
    return oar.asked().stream().filter(it -> it.contains("/jobs/details")).count();
  }

  /** Numbers are told with the runs by what each job starts, not by an order of theirs. */
  @Test
  void oneSubmissionBringsSeveralRuns() throws Exception {
    answersTwo();
    Submitted said = system().submitTogether(List.of(order(FIRST), order(SECOND)));
    assertEquals(
        new Submitted.AcceptedTogether(Map.of(FIRST, OutsideId.of(43), SECOND, OutsideId.of(41))),
        said);
    assertEquals(1, oar.asked().stream().filter(it -> it.startsWith("POST")).count());
    JsonNode job =
        OarJson.object(new String(oar.body("POST"), StandardCharsets.UTF_8)).orElseThrow();
    assertEquals("/bin/bash", job.path("command").asText());
    assertEquals(String.join("\n", paths) + "\n", job.path("param_file").asText());
    assertEquals(2, paths.size());
    assertTrue(paths.get(0).startsWith("/spool/alice/scripts/" + FIRST + "."), paths.get(0));
    assertTrue(paths.get(1).startsWith("/spool/alice/scripts/" + SECOND + "."), paths.get(1));
    assertEquals(NAME, job.path("name").asText());
    assertEquals("besteffort", job.path("type").asText());
  }

  @Test
  void aListTellsThemApartWithOneQuestion() throws Exception {
    answersTwo();
    oar.answer(
        "GET /jobs.json?state=Waiting",
        200,
        list(
            item(41, NAME, "", "Waiting"),
            item(43, NAME, "", "Running"),
            item(44, "x", "", "Running")));
    OarSystem system = system();
    for (int i = 0; i < 2; i++) {
      List<OutsideJob> shown = jobs(system.tagged());
      assertEquals(2, shown.size());
      assertEquals(Optional.of(SECOND), shown.get(0).tag());
      assertEquals(Optional.of(FIRST), shown.get(1).tag());
    }
    assertEquals(1, questions());
  }

  /** A run that would be missing in a picture would count as one that is not there. */
  @Test
  void withoutDetailsThereIsNoPicture() throws Exception {
    answersTwo();
    oar.answer("GET /jobs.json?state=Waiting", 200, list(item(41, NAME, "", "Waiting")));
    OarSystem system = system();
    for (String lie : List.of(list(), "{", list(item(43, NAME, command(FIRST), "Waiting")))) {
      oar.once("GET /jobs/details", 200, lie);
      assertInstanceOf(Told.Nothing.class, system.tagged(), lie);
    }
    assertEquals(Optional.of(SECOND), jobs(system.tagged()).get(0).tag());
  }

  @Test
  void withoutDetailsASubmissionIsUnclear() throws Exception {
    answersTwo();
    oar.once("GET /jobs/details", 200, list());
    assertInstanceOf(
        Submitted.SubmissionUnclear.class,
        system().submitTogether(List.of(order(FIRST), order(SECOND))));
  }

  /** Somebody can call his job so; it is asked for once, and is nobody's run. */
  @Test
  void aJobThatStartsNothingOfOursIsNoRun() throws Exception {
    oar.answer("GET /jobs.json?state=Waiting", 200, list(item(41, NAME, "", "Waiting")));
    oar.answer("GET /jobs/details", 200, list(item(41, NAME, "/bin/bash -c true", "Waiting")));
    OarSystem system = system();
    assertEquals(List.of(), jobs(system.tagged()));
    assertEquals(List.of(), jobs(system.tagged()));
    assertEquals(1, questions());
  }

  @Test
  void oneThatIsOverHasItsMark() throws Exception {
    oar.answer("GET /jobs.json?state=Waiting", 200, list(item(44, "x", "", "Running")));
    oar.answer("GET /jobs.json?state=Terminated", 200, list(item(41, NAME, "", "Terminated")));
    oar.answer("GET /jobs/details", 200, list(item(41, NAME, command(FIRST), "Terminated")));
    OutsideJob over =
        jobs(system().snapshot()).stream()
            .filter(it -> it.id().equals(OutsideId.of(41)))
            .findFirst()
            .orElseThrow();
    assertEquals(Optional.of(FIRST), over.tag());
    assertTrue(over.end().isPresent());
  }
}
