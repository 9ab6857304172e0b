package io.millrace.server.campaigns.rest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.campaign.AddTasks;
import io.millrace.schemas.common.CommandId;
import io.millrace.schemas.output.Reply;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Jobs are added to a campaign: gridsub -c with -F and -J, and its path. */
final class FurtherJobsTest extends CigriTrial {

  /** What happens before the next addition reaches the campaign server. */
  private String before;

  @Override
  public CompletableFuture<Reply> send(CommandId id, SpecificRecord command) {
    if (before != null && command instanceof AddTasks) {
      String list = before;
      before = null;
      try {
        add("ada", list).must(201);
      } catch (Exception e) {
        throw new AssertionError(e);
      }
    }
    return super.send(id, command);
  }

  private Said add(String user, String list) throws Exception {
    return ask(user, "POST /cigri/campaigns/1/jobs", list);
  }

  private String gridsub(String... words) throws Exception {
    return command("ada", "gridsub", words);
  }

  @Test
  void theyAreCountedAndShownBehindTheOthers() throws Exception {
    demo();
    Said said = add("ada", "[\"four -d\", \"five\"]").must(201);
    assertEquals("5", said.at("/total_jobs"));
    assertEquals("/cigri/campaigns/1", said.headers().get("Location"));
    assertEquals("5", ask("ada", "GET /cigri/campaigns/1/jobs").at("/total"));
    assertEquals("four -d", ask("ada", "GET /cigri/campaigns/1/jobs/3").at("/parameters"));
    assertTrue(ask("ada", "GET /cigri/campaigns/1/jdl").text().contains("\"three\",\"four -d\""));
    assertTrue(command("ada", "gridstat", "-c", "1").contains("Progress: 0/5 (0%)"));
    assertTrue(command("ada", "gridstat").contains(" 0/5 (0%)\n"));
  }

  @Test
  void gridsubAddsListsOfFilesAndOfArguments() throws Exception {
    files.put("more.json", "[\"six\",\n\"seven\"]\n".getBytes(StandardCharsets.UTF_8));
    String both = gridsub("-j", DEMO, "-c", "1", "-F", "more.json", "--jsonjob=[\"eight\"]");
    String added = "Jobs successfully added to campaign 1\n";
    assertEquals("Campaign successfully submitted\nCAMPAIGN_ID=1\n" + added + added, both);
    assertEquals("6", ask("ada", "GET /cigri/campaigns/1").at("/total_jobs"));
    String details = gridsub("--campaign=1", "-J", "[\"nine\"]", "-d");
    assertTrue(details.startsWith(added + "{\"id\":1,"), details);
    assertTrue(details.contains("\"total_jobs\":7"), details);
    String wrong = "gridsub: more.txt: is no JSON list\n 1";
    files.put("more.txt", new byte[0]);
    assertEquals(wrong, gridsub("-c", "1", "-F", "more.txt"));
    String first = gridsub("-c", "1", "-J", "[\"a\"]", "-J", "[7]", "-J", "[\"b\"]");
    assertEquals(added + "gridsub: JSON: /0: is a number, not text\n 1", first);
    assertEquals("8", ask("ada", "GET /cigri/campaigns/1").at("/total_jobs"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      value = {
        "-J []|-F and -J need -c CAMPAIGN_ID, to which they add jobs| 2",
        "-c 1|-c is for -F and -J, which add jobs to that campaign| 2",
        "-c 1 -j {}|-c is for -F and -J, which add jobs to that campaign| 2",
        "-c 1 -c 2 -J []|-c may be given once| 2",
        "-c 1 -J [] -t test|-t is for new campaigns| 2",
        "-c x -J []|'x' is no number of a campaign| 1",
        "-c 7 -J []|there is no campaign 7| 1",
        "-c 1 -J []|JSON: has nothing in it| 1",
      })
  void whatMeansNothingIsSaid(String words, String why, String status) throws Exception {
    demo();
    assertEquals("gridsub: " + why + "\n " + status.strip(), gridsub(words.split(" ")));
    assertTrue(gridsub("-c", "1", "-J", "[]", "x.json").startsWith("usage: gridsub"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{}||is an object, not a list",
        "||is no JSON list",
        "[1]|/0|is a number, not text",
        "['a', null]|/1|is null, not text",
        "['a', '']|/1|is empty",
        "[['a']]|/0|is a list, not text",
        "['a'] 1||something stands behind the end of the list",
        "['a'|/0|line 1: Unexpected end-of-input",
        "['\\u0000']|/0|has a control character, a line end or half a character",
      })
  void aWrongListIsRefusedWithThePlace(String list, String path, String why) throws Exception {
    demo();
    Said said = add("ada", list == null ? "" : list.replace('\'', '"')).must(400);
    assertEquals(path == null ? "" : path, said.at("/faults/0/path"), said.text());
    assertTrue(said.at("/faults/0/reason").startsWith(why), said.text());
    assertEquals("3", ask("ada", "GET /cigri/campaigns/1").at("/total_jobs"));
  }

  @Test
  void othersAddNone() throws Exception {
    server.put("query_other_jobs", "True");
    demo();
    for (String other : List.of("bob", "max")) {
      Said said = add(other, "[\"x\"]").must(403);
      assertEquals("campaign 1 is not yours", said.at("/message"));
      String told = command(other, "gridsub", "-c", "1", "-J", "[\"x\"]");
      assertEquals("gridsub: campaign 1 is not yours\n 159", told);
    }
    server.put("query_other_jobs", "False");
    add("bob", "[\"x\"]").must(404);
    String told = command("bob", "gridsub", "-c", "1", "-J", "[\"x\"]");
    assertEquals("gridsub: there is no campaign 1\n 1", told);
    assertEquals("3", ask("ada", "GET /cigri/campaigns/1").at("/total_jobs"));
  }

  /** Two who add at once have both added in the end, and each line is there once. */
  @Test
  void whoWasOvertakenTriesAgain() throws Exception {
    demo();
    before = "[\"four\", \"five\"]";
    add("ada", "[\"six\"]").must(201);
    List<String> names =
        ask("ada", "GET /cigri/campaigns/1/jobs").body().get("items").findValuesAsText("name");
    assertEquals(List.of("one", "two", "three", "four", "five", "six"), names);
    long tried = taken.stream().filter(AddTasks.class::isInstance).count();
    assertEquals(3, tried, "one of them twice");
  }

  @Test
  void thereIsAnAnswerForWhatWasDeleted() throws Exception {
    demo();
    ask("ada", "DELETE /cigri/campaigns/1").must(202);
    Said said = add("ada", "[\"x\"]").must(400);
    assertEquals("campaign 1 was deleted; submit another one", said.at("/message"));
  }
}
