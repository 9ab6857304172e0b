package io.millrace.server.campaigns.jdl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What is kept of a document is the document, its parameters put back. */
final class JdlTextTest {

  private static final ObjectMapper JSON = new ObjectMapper();

  static List<JdlCases> right() throws IOException {
    return JdlCases.of("right.txt");
  }

  static List<JdlCases> wrong() throws IOException {
    List<JdlCases> all = JdlCases.of("wrong.txt");
    all.addAll(JdlCases.of("broken.txt"));
    return all;
  }

  private static JdlText kept(String document, List<String> tasks) throws Exception {
    JdlText text = new JdlText();
    byte[] bytes = document.getBytes(StandardCharsets.UTF_8);
    JdlReader.read(new ByteArrayInputStream(bytes), tasks::add, text);
    return text;
  }

  private static String written(byte[] packed, boolean pretty, List<List<String>> blocks)
      throws IOException {
    Deque<List<String>> left = new ArrayDeque<>(blocks);
    StringWriter out = new StringWriter();
    JdlText.write(packed, pretty, () -> left.isEmpty() ? List.of() : left.remove(), out);
    return out.toString();
  }

  @ParameterizedTest
  @MethodSource("right")
  void whatWasSentIsShown(JdlCases right) throws Exception {
    List<String> tasks = new ArrayList<>();
    byte[] packed = kept(right.document(), tasks).packed();
    for (boolean pretty : List.of(false, true)) {
      String text = written(packed, pretty, List.of(tasks));
      assertEquals(JSON.readTree(right.document()), JSON.readTree(text));
      assertEquals(pretty, text.strip().contains("\n"));
    }
  }

  @Test
  void parametersAreNotKeptButPutBack() throws Exception {
    String document =
        "{\"params\": [\"first\", \"a ] b\"], \"name\": \"params\", \"exec_file\": \"x\","
            + " \"prologue\": [\"params\"], \"clusters\": {\"params\": {\"prologue\": [\"a\"]}}}";
    byte[] packed = kept(document, new ArrayList<>()).packed();
    ObjectNode without = (ObjectNode) JSON.readTree(document);
    without.putArray("params");
    assertEquals(without, JSON.readTree(written(packed, false, List.of())));
    String text = written(packed, false, List.of(List.of("1", "2"), List.of("é \"3\"")));
    assertEquals("[\"1\",\"2\",\"é \\\"3\\\"\"]", JSON.readTree(text).get("params").toString());
  }

  @ParameterizedTest
  @MethodSource("wrong")
  void keepingChangesNothingOfARefusal(JdlCases wrong) {
    byte[] bytes = wrong.document().getBytes(StandardCharsets.UTF_8);
    JdlRefused plain =
        assertThrows(
            JdlRefused.class, () -> JdlReader.read(new ByteArrayInputStream(bytes), line -> {}));
    JdlRefused kept =
        assertThrows(JdlRefused.class, () -> kept(wrong.document(), new ArrayList<>()));
    assertEquals(plain.faults(), kept.faults());
  }

  @Test
  void whatIsTooLongIsNotKept() throws Exception {
    String head = "{\"name\": \"n\", \"exec_file\": \"x\", \"nb_jobs\": 1, \"clusters\": {";
    StringBuilder clusters = new StringBuilder();
    for (int i = 0; i < 20; i++) {
      String project = "x".repeat(60_000);
      clusters.append(i == 0 ? "" : ", ").append("\"c").append(i);
      clusters.append("\": {\"project\": \"").append(project).append("\"}");
    }
    assertTrue(kept(head + clusters + "}}", new ArrayList<>()).tooLong());
    String params = "\"p\", ".repeat(300_000) + "\"p\"";
    String many = head.replace("\"nb_jobs\": 1", "\"params\": [" + params + "]") + "\"c\": {}}}";
    List<String> tasks = new ArrayList<>();
    assertEquals(false, kept(many, tasks).tooLong());
    assertEquals(300_001, tasks.size());
  }
}
