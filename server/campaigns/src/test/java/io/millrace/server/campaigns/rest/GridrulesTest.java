package io.millrace.server.campaigns.rest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Rules are set by managers, whom the gateway knows, and by nobody else. */
final class GridrulesTest extends CigriTrial {

  private static final String RULES = "[{\"rule\": \"user == 'eve'\", \"message\": \"only eve\"}]";

  private String run(String user, String... words) throws Exception {
    return command(user, "gridrules", words);
  }

  private void file(String text) {
    files.put("rules.json", text.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void aManagerSetsThemAndTheyCount() throws Exception {
    file(RULES);
    assertEquals("admission rules: 1\n", run("max", "rules.json"));
    assertTrue(run("max").contains("\"rule\" : \"user == 'eve'\""), run("max"));
    server.put("operators", "bob@*");
    assertTrue(run("bob").contains("only eve"), run("bob"));
    Said said = ask("nobody", "POST /cigri/campaigns", DEMO).must(400);
    assertTrue(said.at("/message").contains("only eve"), said.text());
    file("[]");
    assertEquals("admission rules: 0\n", run("max", "rules.json"));
    demo();
  }

  @Test
  void othersAreRefused() throws Exception {
    file(RULES);
    assertEquals("gridrules: managers set admission rules\n 159", run("ada", "rules.json"));
    server.put("operators", "bob@*");
    assertEquals("gridrules: managers set admission rules\n 159", run("bob", "rules.json"));
    assertEquals("gridrules: managers and operators see the admission rules\n 1", run("ada"));
    assertEquals(0, table.size());
    demo();
  }

  @Test
  void whatIsNoFileOfRulesIsRefusedInOneLine() throws Exception {
    assertEquals("gridrules: rules.json: No such file or directory\n 1", run("max", "rules.json"));
    for (String wrong : List.of("", "{}", "[1]", "[{\"rule\": \"true\"}]", RULES + "x")) {
      file(wrong);
      String said = run("max", "rules.json");
      assertTrue(said.startsWith("gridrules: rules.json: ") && said.endsWith("\n 1"), said);
      assertEquals(2, said.lines().count(), said);
    }
    file("[{\"rule\": \"1 +\", \"message\": \"no\"}]");
    assertTrue(run("max", "rules.json").startsWith("gridrules: rule 1: "));
    file(" ".repeat((1 << 20) + 1));
    assertEquals("gridrules: rules.json has more than 1 MiB\n 1", run("max", "rules.json"));
    assertEquals("usage: gridrules [FILE|-]\n 2", run("max", "a", "b"));
    assertEquals(0, table.size());
  }
}
