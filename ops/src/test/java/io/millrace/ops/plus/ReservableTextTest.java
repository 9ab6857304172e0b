package io.millrace.ops.plus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.ops.gridengine.PolicyWord;
import io.millrace.ops.word.Console;
import io.millrace.schedulers.gridengine.language.options.ConfigurationRefused;
import io.millrace.schemas.program.GivenOptions;
import io.millrace.schemas.program.ProgramOptions;
import io.millrace.schemas.program.UsageException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code policy check} and {@code policy explain} say about a reservable.ad. */
class ReservableTextTest {

  private static final String TEXT =
      """
      [
        Limit = relTime("7d");
        Group = { "ann", "bob" };
        before = PLUS_RSV_START - absTime(time());
        part = member(PLUS_RSV_OWNER, Group) ? 50.0 : 25.0;
        PLUS_NODE_RESERVABLE =
            before < Limit && size(PLUS_ALLOCATED_NODES) + 1 <= size(PLUS_ALL_NODES) * 0.01 * part
            && PLUS_CANDIDATE_NODE.loadavg < 0.5 && PLUS_CANDIDATE_NODE.gpus >= 2;
      ]
      """;

  private static final Clock CLOCK =
      Clock.fixed(Instant.parse("2006-12-19T12:00:00Z"), ZoneId.of("Asia/Tokyo"));

  @TempDir Path folder;

  private static GivenOptions options(String... given) throws UsageException {
    return SampleQuestion.add(ProgramOptions.ofWord("policy", "a word").operands("FILE"))
        .parse(given);
  }

  private static List<String> explain(String... given) throws UsageException {
    return ReservableText.of("f", TEXT).explain(SampleQuestion.of(options(given), CLOCK));
  }

  private static String last(String... given) throws UsageException {
    List<String> lines = explain(given);
    return lines.get(lines.size() - 1);
  }

  @Test
  void checkSaysHowMuchThereIsAndWhatNobodyDefines() {
    assertEquals(
        List.of("f: which nodes may be reserved, as a ClassAd, 5 attributes, all valid"),
        ReservableText.of("f", TEXT).check());
    assertEquals(
        List.of(
            "f: which nodes may be reserved, as a ClassAd, 1 attributes, all valid",
            "f: Group in PLUS_NODE_RESERVABLE is defined nowhere: it is undefined"),
        ReservableText.of("f", "PLUS_NODE_RESERVABLE = member(PLUS_RSV_OWNER, Group)\n").check());
  }

  @Test
  void whatIsWrongIsSaidWithFileLineAndColumn() {
    assertEquals(
        "f:2: column 29: there is no function mebmer (nearest: member)",
        assertThrows(
                ConfigurationRefused.class,
                () ->
                    ReservableText.of("f", "[ a = 1;\n     PLUS_NODE_RESERVABLE = mebmer(1, {}) ]"))
            .getMessage());
  }

  @Test
  void explainShowsEachValueAndWhereItComesFrom() throws UsageException {
    List<String> lines =
        explain("--user", "ann", "--start", "+2h", "--node", "name=n7,gpus=2", "--nodes", "3,10");
    List<String> expected =
        List.of(
            "PLUS_RSV_OWNER = \"ann\": who asks for the reservation",
            "PLUS_RSV_START = absTime(\"2006-12-19T23:00:00+09:00\"): when the reservation begins",
            "PLUS_CANDIDATE_NODE = [ gpus = 2; name = \"n7\"; isAlive = true; loadavg = 0.0;"
                + " nRunJobs = 0; arch = \"x86_64\"; os = \"linux\"; ncpus = 1; mem = 1073741824 ]:"
                + " the node that is asked about",
            "Limit = relTime(\"7+00:00:00\")",
            "Group = { \"ann\", \"bob\" }",
            "before = relTime(\"02:00:00\")",
            "  by PLUS_RSV_START - absTime(time())",
            "  from PLUS_RSV_START (when the reservation begins)",
            "part = 50.0",
            "  from PLUS_RSV_OWNER (who asks for the reservation), Group",
            "PLUS_NODE_RESERVABLE = true: whether the node may be reserved",
            "the node may be reserved");
    List<String> missing = new ArrayList<>(expected);
    missing.removeAll(lines);
    assertEquals(List.of(), missing, () -> String.join("\n", lines));
    int group = lines.indexOf("Group = { \"ann\", \"bob\" }");
    assertTrue(lines.get(group + 1).startsWith("before"), lines.get(group + 1));
  }

  @Test
  void theAnswerFollowsTheSample() throws UsageException {
    String no = "the node may not be reserved: PLUS_NODE_RESERVABLE is ";
    assertEquals("the node may be reserved", last("--user=bob", "--node=gpus=2", "--nodes=4,10"));
    assertEquals(no + "false", last("--user=bob", "--node=gpus=2", "--nodes=5,10"));
    assertEquals(no + "false", last("--user=eve", "--node=gpus=2", "--nodes=4,10"));
    assertEquals(no + "undefined", last("--user=bob", "--nodes=4,10"));
    assertEquals(no + "false", last("--user=bob", "--node=gpus=2,loadavg=0.7", "--nodes=4,10"));
    assertEquals(
        no + "false",
        last("--user=bob", "--node=gpus=2", "--nodes=4,10", "--start=2006-12-27T00:00:00+09:00"));
  }

  private static String wrong(String... given) {
    return assertThrows(UsageException.class, () -> explain(given)).getMessage();
  }

  @Test
  void aSampleThatMakesNoSenseIsRefused() {
    assertTrue(
        wrong("--start", "soon")
            .contains("--start takes a time as 2026-11-24T18:00:00+09:00 or +2h30m, not 'soon'"));
    assertTrue(
        wrong("--now", "+1h")
            .contains("--now takes a time as 2026-11-24T18:00:00+09:00, not '+1h'"));
    assertTrue(wrong("--end", "+0").contains("--end is not after the begin of the reservation"));
    assertTrue(wrong("--nodes", "3,2").contains("--nodes takes how many nodes it has"));
    assertTrue(wrong("--used", "1").contains("--used takes a number of reservations"));
    assertTrue(wrong("--node", "n1").contains("--node takes facts as name=node1"));
    assertTrue(wrong("--node", "isAlive=yes").contains("isalive is true or false, not 'yes'"));
    assertTrue(wrong("--node", "loadavg=high").contains("loadavg is a number such as 0.25"));
    assertTrue(wrong("--node", "mem=4gb").contains("mem is a whole number of bytes, not '4gb'"));
  }

  private String policy(String... args) throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    int status =
        new PolicyWord()
            .run(
                List.of(args),
                new Console(new PrintStream(out, true, StandardCharsets.UTF_8), false));
    return status + " " + out.toString(StandardCharsets.UTF_8).lines().findFirst().orElse("");
  }

  @Test
  void theWordPolicyRecognisesTheText() throws Exception {
    String file = Files.writeString(folder.resolve("reservable.ad"), TEXT).toString();
    assertEquals(
        "0 " + file + ": which nodes may be reserved, as a ClassAd, 5 attributes, all valid",
        policy("check", file));
    assertEquals(
        "0 PLUS_RSV_OWNER = \"ann\": who asks for the reservation",
        policy("explain", file, "--user", "ann"));
    Files.writeString(folder.resolve("wrong.ad"), "[ PLUS_NODE_RESERVABLE = ]");
    assertEquals("1 ", policy("check", folder.resolve("wrong.ad").toString()));
  }

  @Test
  void optionsOfASampleAreForExplainOfAClassAd() throws IOException {
    String ad = Files.writeString(folder.resolve("reservable.ad"), TEXT).toString();
    String queue = Files.writeString(folder.resolve("queue"), "qname all.q\n").toString();
    for (List<String> each :
        List.of(List.of("check", ad), List.of("explain", queue), List.of("show", "ge"))) {
      List<String> args = new ArrayList<>(each);
      args.addAll(List.of("--user", "ann"));
      UsageException wrong =
          assertThrows(UsageException.class, () -> policy(args.toArray(String[]::new)));
      assertTrue(wrong.getMessage().contains("--user is for explain of a ClassAd"));
    }
  }
}
