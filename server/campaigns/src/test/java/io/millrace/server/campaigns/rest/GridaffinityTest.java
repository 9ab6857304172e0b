package io.millrace.server.campaigns.rest;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

/** gridaffinity before a campaign server: who sets what, who sees what, and what is refused. */
final class GridaffinityTest extends CigriTrial {

  private static final String HEAD =
      "User             Cluster         Affinity\n---------------- --------------- --------\n";

  private String run(String user, String... words) throws Exception {
    return command(user, "gridaffinity", words);
  }

  @Test
  void managersSetAndAllSee() throws Exception {
    assertEquals(HEAD, run("ada"));
    assertEquals("", run("max", "ada", "bag", "-2"));
    assertEquals("", run("max", "eve", "bag", "+7"));
    String ada = "ada              bag                   -2\n";
    String eve = "eve              bag                    7\n";
    assertEquals(HEAD + eve + ada, run("bob"));
    server.put("query_other_jobs", "False");
    assertEquals(HEAD + ada, run("ada"));
    assertEquals(HEAD, run("bob"));
    assertEquals(HEAD + eve + ada, run("max"));
    assertEquals("", run("max", "eve", "bag", "0"));
    assertEquals(HEAD + ada, run("max"));
  }

  @Test
  void othersMayStepBack() throws Exception {
    assertEquals(
        "gridaffinity: only managers set the affinity of another user\n 159",
        run("ada", "eve", "bag", "1"));
    assertEquals(
        "gridaffinity: your affinity there is 0; only managers raise it\n 159",
        run("ada", "ada", "bag", "1"));
    assertEquals("", run("ada", "ada", "bag", "-1"));
  }

  @Test
  void wrongWordsAreRefusedInOneLine() throws Exception {
    String usage = "usage: gridaffinity [USER CLUSTER N]\n 2";
    assertEquals(usage, run("max", "ada"));
    assertEquals(usage, run("max", "ada", "bag", "1", "2"));
    String form = "' is no affinity; it is a whole number from -1000 to 1000\n 2";
    for (String wrong : List.of("", "x", "1.5", "--1", "9999999999", "NaN", "1e3")) {
      assertEquals("gridaffinity: '" + wrong + form, run("max", "ada", "bag", wrong));
    }
    assertEquals(
        "gridaffinity: an affinity is from -1000 to 1000\n 166", run("max", "ada", "bag", "1001"));
    assertEquals(
        "gridaffinity: there is no cluster nowhere\n 1", run("max", "ada", "nowhere", "1"));
    assertEquals(
        "gridaffinity: there is no cluster way\n 1", run("max", "ada", "way", "1"), "a route");
    for (String user : List.of("", "a b", "a/b", "a\u0000b", "x".repeat(256))) {
      assertEquals(
          "gridaffinity: a name of a user or cluster has 1 to 255 characters, and no blank\n 166",
          run("max", user, "bag", "1"));
    }
    assertEquals(HEAD, run("max"), "nothing is stored");
  }
}
