package io.millrace.server.campaigns.rest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.schemas.campaign.ClusterLoad;
import io.millrace.schemas.campaign.JobChange;
import io.millrace.schemas.campaign.NoteCluster;
import io.millrace.schemas.campaign.NoteJob;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** gridstat before a campaign server: CiGri's options. */
final class GridstatTest extends CigriTrial {

  private String run(String... words) throws Exception {
    return command("ada", "gridstat", words);
  }

  private JsonNode json(String... words) throws Exception {
    return JSON.readTree(run(words));
  }

  @Test
  void itDumpsWhatIsSaidOverHttp() throws Exception {
    demo();
    demo();
    assertEquals(ask("ada", "GET /cigri/campaigns").body(), json("-d"));
    assertEquals(ask("ada", "GET /cigri/campaigns/2").body(), json("-d", "2"));
    assertEquals(ask("ada", "GET /cigri/campaigns/2/events").body(), json("-d", "-e", "2"));
    assertEquals(ask("ada", "GET /cigri/campaigns/2/jobs").body(), json("-d", "-f", "-c", "2"));
    assertEquals(ask("ada", "GET /cigri/campaigns/2/jobs/1").body(), json("-d", "-j", "1", "2"));
    assertEquals("[2]", json("-d", "-o", "1").findValues("id").toString());
    assertEquals(1, json("-df", "-o", "2", "1").get("items").size());
    assertEquals(1, run("-d", "1").lines().count());
    assertTrue(run("-d", "-p", "1").lines().count() > 5, "on several lines");
    assertEquals("gridstat: there is no campaign 3\n 1", run("-d", "3"));
    assertEquals("gridstat: there is no job 3 of campaign 1\n 1", run("-d", "-j", "3", "1"));
  }

  private void note(JobChange change) {
    note(new NoteJob("1.1.1", change, "7.vm", 0, 0, 0L, "", nowMs, "", false));
  }

  /** Those that are done or wait are shown, too, with CiGri's lines. */
  @Test
  void itShowsTasksFromOneOn() throws Exception {
    demo();
    note(new NoteCluster(new ClusterLoad("bag", 1, 1, false, "", 0L, "", 0.0, 0L), nowMs, "", ""));
    assertTrue(run("-f", "1").endsWith("  2: 1.2,*,pending,*,three,three\n"));
    note(JobChange.STARTED);
    String shown = run("-f", "-o", "1", "1");
    String jobs = shown.substring(shown.indexOf(" Jobs:\n"));
    String last = "  2: 1.2,*,pending,*,three,three\n";
    assertEquals(" Jobs:\n  1: 1.1,7.vm,running,bag,two,two -b\n" + last, jobs);
    note(JobChange.FINISHED);
    note(new NoteCluster(new ClusterLoad("bag", 1, 0, false, "", 0L, "", 0.0, 0L), nowMs, "", ""));
    assertTrue(run("-f", "1").contains("  1: 1.1,7.vm,terminated,bag,two,two -b\n"));
    assertTrue(
        run("-j", "1.1").contains("Why: it is done, at bag, as 7.vm, attempt 1\n"),
        run("-j", "1.1"));
    String others = command("bob", "gridstat", "-f", "1");
    assertTrue(others.contains("  1: 1.1,7.vm,terminated,bag,*,*\n"), others);
    String thousands = DEMO.replaceFirst("\"params\": \\[.*?\\]", "\"nb_jobs\": 1250");
    ask("ada", "POST /cigri/campaigns", thousands).must(201);
    List<String> page = run("-f", "-o", "100", "2").lines().toList();
    String more = "gridstat: there are more: -o 1200 shows the next ones";
    assertEquals(more, page.get(page.size() - 1));
    assertEquals("  1199: 2.1199,*,pending,*,1199,1199", page.get(page.size() - 2));
    assertTrue(run("-f", "-o", "1200", "2").endsWith("  1249: 2.1249,*,pending,*,1249,1249\n"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "-O -E -j 1.0|one of -O, -E and -C may be given",
        "-C -E -j 0 1|one of -O, -E and -C may be given",
        "-J -e 1|-J is given without -e and -f",
        "-J -f 1|-J is given without -e and -f",
        "-j 0 -H 1|-j is given without -u and -H",
        "-j 1.0 -u ada|-j is given without -u and -H",
        "-c 1 -c 2|-c may be given once",
        "-j 1.0 -j 1.1|-j may be given once",
        "-u ada -u bob|-u may be given once",
      })
  void whatWouldBePassedOverIsRefusedInOneLine(String line, String why) throws Exception {
    demo();
    assertEquals("gridstat: " + why + "\n 2", run(line.split(" ")));
  }

  @Test
  void aUserThatIsNotItsOwnerShowsNothing() throws Exception {
    demo();
    assertEquals("", run("-u", "bob", "1"));
    assertEquals(run("1"), run("-u", "ada", "-H", "1"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "-p",
        "-p 1",
        "-o 1",
        "-o 1 1",
        "-d -u ada",
        "-d -H",
        "-d -J 1",
        "-d -e",
        "-d -j 1",
        "-d -e -f 1",
        "-d -j 1 -o 2 1",
        "-d -o 2 1",
        "-f",
        "-e",
        "-j 1",
        "1 2",
        "-c 1 1"
      })
  void whatDoesNotBelongTogetherIsRefused(String line) throws Exception {
    demo();
    String said = run(line.split(" "));
    assertTrue(said.startsWith("usage: gridstat [-H] [-u USER]\n") && said.endsWith("\n 2"), said);
  }

  /** As over HTTP: who may not see a job's arguments does not see them here. */
  @Test
  void parametersOfOthersAreNotShown() throws Exception {
    demo();
    assertTrue(command("ada", "gridstat", "-c", "1", "-j", "0").contains("Parameters: one -a"));
    String others = command("bob", "gridstat", "-c", "1", "-j", "0");
    assertTrue(others.contains("Why: it waits") && !others.contains("one -a"), others);
    assertTrue(command("max", "gridstat", "-c", "1", "-j", "0").contains("one -a"));
    server.put("query_other_jobs_in_full", "True");
    assertTrue(command("bob", "gridstat", "-c", "1", "-j", "0").contains("one -a"));
  }

  @Test
  void anOffsetIsANumber() throws Exception {
    demo();
    for (String wrong : List.of("x", "-1", "1000001", "1e3")) {
      assertEquals(
          "gridstat: -o: '" + wrong + "' is no number from 0 to 1000000\n 1",
          run("-d", "-o", wrong));
    }
  }
}
