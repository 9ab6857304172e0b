package io.millrace.server.campaigns.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.server.gateway.help.HelpText;
import io.millrace.server.gateway.session.OfflineInvocation;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

final class JdlCheckTest {

  private static final String RIGHT =
      "{\"name\": \"demo\", \"exec_file\": \"x\", \"clusters\": {\"a\": {}, \"b\": {}}, ";

  private final Map<String, String> files = new HashMap<>();
  private final StringBuilder out = new StringBuilder();
  private final StringBuilder err = new StringBuilder();

  private int check(String operand) {
    return new JdlCheck(new Invoked(), "gridsub").run(operand);
  }

  @Test
  void aDescriptionIsAFileStandardInputOrTheArgument() {
    files.put("d.json", RIGHT + "\"nb_jobs\": 300}");
    files.put("-", RIGHT + "\"params\": [\"1\"]}");
    assertEquals(0, check("d.json"));
    assertEquals(0, check("-"));
    assertEquals(0, check(RIGHT + "\"jobs_type\": \"desktop_computing\"}"));
    assertEquals(
        "demo: 300 tasks on a, b\ndemo: 1 task on a, b\ndemo: tasks without end on a, b\n",
        out.toString());
    assertEquals("", err.toString());
  }

  @Test
  void aFileOfParametersIsLookedAt() {
    String document = RIGHT + "\"param_file\": \"~/p.txt\"}";
    assertEquals(1, check(document));
    files.put("/home/ada/p.txt", "1 -x\n2 -y\n3");
    assertEquals(0, check(document));
    files.put("/home/ada/p.txt", "1 -x\n\n3\n");
    assertEquals(1, check(document));
    files.put("/home/ada/p.txt", "");
    assertEquals(1, check(document));
    assertEquals("demo: 3 tasks on a, b\n", out.toString());
    assertEquals(
        """
        gridsub: JSON: /param_file: /home/ada/p.txt: No such file or directory
        gridsub: JSON: /param_file: /home/ada/p.txt line 2 is empty
        gridsub: JSON: /param_file: /home/ada/p.txt has no line
        """,
        err.toString());
  }

  @Test
  void eachFaultIsALine() {
    files.put("d.json", "{\"name\": 1, \"nb_jobs\": 0}");
    assertEquals(1, check("d.json"));
    assertEquals(1, check("gone.json"));
    assertEquals(
        """
        gridsub: d.json: /name: is a number, not text
        gridsub: d.json: /nb_jobs: is not from 1 to 1000000
        gridsub: d.json: has no 'clusters'
        gridsub: gone.json: No such file or directory
        """,
        err.toString());
  }

  @Test
  void theCommandHasAPage() {
    String help = HelpText.of(new CampaignCommands().pages().get("gridsub"));
    assertTrue(help.startsWith("gridsub: "), help);
  }

  /** A caller with files of his own. */
  private final class Invoked extends OfflineInvocation {
    @Override
    public String command() {
      return "gridsub";
    }

    @Override
    public List<String> args() {
      return List.of();
    }

    @Override
    public Map<String, String> environment() {
      return Map.of("HOME", "/home/ada");
    }

    @Override
    public String directory() {
      return "/home/ada";
    }

    @Override
    public int umask() {
      return 022;
    }

    @Override
    public String user() {
      return "ada";
    }

    @Override
    public String group() {
      return "users";
    }

    @Override
    public UUID commandId() {
      return new UUID(1, 1);
    }

    @Override
    public void out(String text) {
      out.append(text);
    }

    @Override
    public void err(String text) {
      err.append(text);
    }

    @Override
    public byte[] readFile(String path, int maxBytes) throws IOException {
      return openFile(path).readAllBytes();
    }

    @Override
    public InputStream openFile(String path) throws IOException {
      if (!files.containsKey(path)) {
        throw new IOException("No such file or directory");
      }
      return new ByteArrayInputStream(files.get(path).getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public InputStream stdin() {
      return new ByteArrayInputStream(files.get("-").getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public void writeFile(String path, byte[] content, boolean append) {
      files.put(path, new String(content, StandardCharsets.UTF_8));
    }
  }
}
