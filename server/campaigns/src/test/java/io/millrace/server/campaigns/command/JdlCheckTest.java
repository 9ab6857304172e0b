package io.millrace.server.campaigns.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.server.gateway.command.FakeInvocation;
import io.millrace.server.gateway.help.HelpText;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

final class JdlCheckTest {

  private static final String RIGHT =
      "{\"name\": \"demo\", \"exec_file\": \"x\", \"clusters\": {\"a\": {}, \"b\": {}}, ";

  private final Map<String, byte[]> files = new HashMap<>();
  private final FakeInvocation invocation =
      new FakeInvocation("ada", List.of("gridsub"), files, new UUID(1, 1));

  private int check(String operand) {
    return new JdlCheck(invocation, "gridsub").run(operand);
  }

  private void put(String path, String text) {
    files.put(path, text.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void aDescriptionIsAFileStandardInputOrTheArgument() {
    put("d.json", RIGHT + "\"nb_jobs\": 300}");
    invocation.stdin(RIGHT + "\"params\": [\"1\"]}");
    assertEquals(0, check("d.json"));
    assertEquals(0, check("-"));
    assertEquals(0, check(RIGHT + "\"jobs_type\": \"normal\", \"nb_jobs\": 2}"));
    assertEquals(
        "demo: 300 tasks on a, b\ndemo: 1 task on a, b\ndemo: 2 tasks on a, b\n",
        invocation.output());
    assertEquals("", invocation.errors());
  }

  @Test
  void aFileOfParametersIsLookedAt() {
    String document = RIGHT + "\"param_file\": \"~/p.txt\"}";
    assertEquals(1, check(document));
    put("/home/ada/p.txt", "1 -x\n2 -y\n3");
    assertEquals(0, check(document));
    put("/home/ada/p.txt", "1 -x\n\n3\n");
    assertEquals(1, check(document));
    put("/home/ada/p.txt", "");
    assertEquals(1, check(document));
    assertEquals("demo: 3 tasks on a, b\n", invocation.output());
    assertEquals(
        """
        gridsub: JSON: /param_file: /home/ada/p.txt: No such file or directory
        gridsub: JSON: /param_file: /home/ada/p.txt line 2 is empty
        gridsub: JSON: /param_file: /home/ada/p.txt has no line
        """,
        invocation.errors());
  }

  @Test
  void eachFaultIsALine() {
    put("d.json", "{\"name\": 1, \"nb_jobs\": 0}");
    assertEquals(1, check("d.json"));
    assertEquals(1, check("gone.json"));
    assertEquals(
        """
        gridsub: d.json: /name: is a number, not text
        gridsub: d.json: /nb_jobs: is not from 1 to 1000000
        gridsub: d.json: has no 'clusters'
        gridsub: gone.json: No such file or directory
        """,
        invocation.errors());
  }

  @Test
  void theCommandHasAPage() {
    String help = HelpText.of(new CampaignCommands().pages().get("gridsub"));
    assertTrue(help.startsWith("gridsub: "), help);
  }
}
