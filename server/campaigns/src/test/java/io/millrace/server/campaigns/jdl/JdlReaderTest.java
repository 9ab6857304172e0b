package io.millrace.server.campaigns.jdl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion.VersionFlag;
import io.millrace.schemas.Seeds;
import io.millrace.server.campaigns.jdl.CampaignDocument.TaskSupply;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Documents that describe a campaign and many that do not; another's judge agrees about each. */
final class JdlReaderTest {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final JsonSchema SCHEMA =
      JsonSchemaFactory.getInstance(VersionFlag.V202012).getSchema(JdlSchema.text());

  private static final long SLOW_NS = 1_000_000_000;

  private static final String INSERTED = "{}[]\",:\\u0e1-.~/\u0000\ud800";

  static List<JdlCases> right() throws IOException {
    return JdlCases.of("right.txt");
  }

  static List<JdlCases> wrong() throws IOException {
    return JdlCases.of("wrong.txt");
  }

  static List<JdlCases> broken() throws IOException {
    return JdlCases.of("broken.txt");
  }

  private static CampaignDocument read(String text, List<String> tasks)
      throws JdlRefused, IOException {
    return JdlReader.read(
        new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), tasks::add);
  }

  private static JdlRefused refused(String text) {
    return assertThrows(JdlRefused.class, () -> read(text, new ArrayList<>()));
  }

  @ParameterizedTest
  @MethodSource("right")
  void whatIsRightIsTaken(JdlCases right) throws Exception {
    read(right.document(), new ArrayList<>());
    assertEquals(List.of(), List.copyOf(SCHEMA.validate(JSON.readTree(right.document()))));
  }

  @ParameterizedTest
  @MethodSource("wrong")
  void whatIsWrongIsRefusedWithItsPlaceAndWhy(JdlCases wrong) throws Exception {
    assertEquals(wrong.said(), refused(wrong.document()).getMessage());
    assertTrue(!SCHEMA.validate(JSON.readTree(wrong.document())).isEmpty(), "the schema takes it");
  }

  @ParameterizedTest
  @MethodSource("broken")
  void whatIsNoJsonIsRefusedWithItsLine(JdlCases broken) {
    String said = refused(broken.document()).getMessage();
    assertTrue(said.startsWith(broken.said()), said);
  }

  @Test
  void thereAreAHundredWrongOnes() throws IOException {
    assertTrue(wrong().size() >= 100, wrong().size() + " documents");
  }

  @Test
  void allFaultsAreToldOfAtOnceUpToTwenty() {
    JdlRefused refused = refused("{\"nb_jobs\": 0, \"walltime\": 1, \"exec_file\": \"x\"}");
    assertEquals(
        List.of(
            "/nb_jobs: is not from 1 to 1000000",
            "/walltime: is a number, not text",
            "has no 'name'",
            "has no 'clusters'"),
        refused.faults().stream().map(Object::toString).toList());
    StringBuilder many = new StringBuilder("{");
    for (int i = 0; i < 50; i++) {
      many.append("\"field").append(i).append("\": 1, ");
    }
    assertEquals(20, refused(many.append("\"name\": 1}").toString()).faults().size());
  }

  @Test
  void aLongLineIsRefused() {
    String line = "x".repeat(2 << 20);
    String said = refused("{\"params\": [\"" + line + "\"]}").getMessage();
    assertTrue(said.startsWith("/params/0: line 1: String value length"), said);
  }

  @Test
  void settingsOfAClusterGoBeforeThoseOfTheCampaign() throws Exception {
    List<String> tasks = new ArrayList<>();
    CampaignDocument document = read(right().get(1).document(), tasks);
    assertEquals(List.of("1 -a", "2 -b"), tasks);
    assertEquals(TaskSupply.PARAMS, document.supply());
    assertEquals(2, document.tasks());
    assertEquals(List.of("luke", "cecic"), List.copyOf(document.clusters().keySet()));
    Map<String, Object> luke = document.clusters().get("luke");
    assertEquals("00:5:00", luke.get("walltime"));
    assertEquals("core=1", luke.get("resources"));
    assertEquals(false, luke.get("test_mode"));
    assertEquals(false, luke.get("temporal_grouping"));
    assertEquals(true, document.clusters().get("cecic").get("temporal_grouping"));
    assertEquals(3L, document.clusters().get("cecic").get("max_jobs"));
    assertEquals(List.of("rm -rf ~/demo"), luke.get("epilogue"));
  }

  @Test
  void tasksComeFromOnePlace() throws Exception {
    CampaignDocument number = read(right().get(0).document(), new ArrayList<>());
    assertEquals(TaskSupply.NUMBER, number.supply());
    assertEquals("{HOME}", number.clusters().get("my.cluster.fr").get("exec_directory"));
    CampaignDocument file = read(right().get(2).document(), new ArrayList<>());
    assertEquals(TaskSupply.FILE, file.supply());
    assertEquals(Optional.of("~/p.txt"), file.paramFile());
  }

  /** Whatever comes, it is a campaign or it is refused; the schema never takes more than we do. */
  @Test
  void documentsThatWereChangedAtRandomAreTakenOrRefused() throws Exception {
    long seed = Long.getLong("millrace.day", 20261126L);
    Random random = new Random(seed);
    List<String> from = new ArrayList<>();
    right().forEach(it -> from.add(it.document()));
    int refused = 0;
    int all = Seeds.NIGHT ? 1_000_000 : 20_000;
    for (int i = 0; i < all; i++) {
      String text = changed(from.get(random.nextInt(from.size())), random);
      try {
        long begin = System.nanoTime();
        refused += isRefused(text) ? 1 : 0;
        // What is slow because the machine is busy is not so twice.
        if (System.nanoTime() - begin > SLOW_NS) {
          begin = System.nanoTime();
          isRefused(text);
          assertTrue(System.nanoTime() - begin < SLOW_NS, "seed " + seed + ", slow: " + text);
        }
      } catch (RuntimeException e) {
        throw new AssertionError("seed " + seed + ", document " + i + ": " + text, e);
      }
    }
    assertTrue(refused > all / 2, refused + " were refused, seed " + seed);
  }

  private static boolean isRefused(String text) throws IOException {
    try {
      read(text, new ArrayList<>());
      return false;
    } catch (JdlRefused e) {
      return true;
    }
  }

  private static String changed(String text, Random random) {
    StringBuilder changed = new StringBuilder(text);
    for (int n = random.nextInt(4); n >= 0; n--) {
      int at = random.nextInt(changed.length());
      switch (random.nextInt(4)) {
        case 0 -> changed.deleteCharAt(at);
        case 1 -> changed.insert(at, INSERTED.charAt(random.nextInt(INSERTED.length())));
        case 2 -> changed.insert(at, text, 0, random.nextInt(text.length()));
        default -> changed.setCharAt(at, (char) random.nextInt(0x250));
      }
    }
    return changed.toString();
  }
}
