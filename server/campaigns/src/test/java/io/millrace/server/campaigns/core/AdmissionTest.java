package io.millrace.server.campaigns.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.campaign.AdmissionRule;
import io.millrace.schemas.campaign.CampaignCluster;
import io.millrace.schemas.campaign.CampaignScript;
import io.millrace.schemas.common.Role;
import io.millrace.schemas.output.Reply;
import io.millrace.server.campaigns.core.table.CampaignKeys;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which campaigns are taken, and which rules. */
final class AdmissionTest {

  private static final String JDL =
      "{\"name\": \"demo\", \"walltime\": \"01:00:00\", \"project\": \"free\", \"deep\": {\"n\": 1.5},"
          + " \"clusters\": {\"c1\": {}, \"c2\": {\"project\": \"paid\", \"max_jobs\": 3}}}";

  private final CampaignTrial trial = new CampaignTrial();

  private Reply submit(String json, List<String> groups) {
    CampaignCluster first = CampaignTrial.cluster("c1", 0);
    first.getJob().getRequest().setWalltimeS(3_600L);
    return trial.submit(json, groups, first, CampaignTrial.cluster("c2", 3)).answer().orElseThrow();
  }

  private Reply set(String expression) {
    return trial.admit(Role.MANAGER, new AdmissionRule(expression, "no"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiterString = "=>",
      quoteCharacter = '~',
      value = {
        "user == 'ada' => ",
        "user == 'bob' => c1: no (admission rule 1)",
        "'staff' in groups => ",
        "!('staff' in groups) => c1: no (admission rule 1)",
        "groups.exists(it, it.startsWith('st')) => ",
        "jdl.nb_jobs <= 2 && !jdl.test_mode => ",
        "jdl.nb_jobs < 2 => c1: no (admission rule 1)",
        "size(jdl.clusters) == 2 && jdl.deep.n > 1.0 => ",
        "cluster.project == 'free' => c2: no (admission rule 1)",
        "!has(cluster.max_jobs) || cluster.max_jobs > 3 => c2: no (admission rule 1)",
        "cluster.name != 'c1' || cluster.walltime_s <= 3600 && cluster.processors == 1 => ",
        "cluster.walltime_s <= 3600 => c2: no (admission rule 1)",
        "cluster.test_mode == jdl.test_mode => ",
        "cluster.name != 'c2' || jdl.walltime == '00:30:00' => c2: no (admission rule 1)",
        "jdl.none > 3 => c1: admission rule 1 cannot be decided: 3: key 'none' is not present in map.",
        "jdl.name => c1: admission rule 1 cannot be decided: it is neither true nor false",
        "cluster.processors / 0 > 1 => c1: admission rule 1 cannot be decided: 19: / by zero",
      })
  void aRuleIsAskedForEachCluster(String expression, String refusal) {
    assertEquals(0, set(expression).getCode(), expression);
    Reply reply = submit(JDL, List.of("users", "staff"));
    assertEquals(refusal == null ? "1" : refusal, reply.getLines().get(0));
    assertEquals(refusal == null ? 0 : 15007, reply.getCode());
    assertEquals(refusal != null, trial.table.get(CampaignKeys.campaign(1)) == null);
  }

  /** What has no limit is longer than all that has one; the longest of what runs there counts. */
  @ParameterizedTest
  @CsvSource({
    "3600, 60, 60, true",
    "-1, 60, 60, false",
    "3600, -1, 60, false",
    "3600, 60, -1, false",
    "60, 3601, 60, false",
    "60, 60, 3601, false",
    "3601, 60, 60, false"
  })
  void theLongestWalltimeOfTaskAndScriptsIsAskedFor(
      long task, long prologue, long epilogue, boolean taken) {
    assertEquals(0, set("cluster.name != 'c1' || cluster.walltime_s <= 3600").getCode());
    CampaignScript before = CampaignTrial.script(0, false);
    before.getJob().getRequest().setWalltimeS(prologue);
    CampaignScript after = CampaignTrial.script(0, true);
    after.getJob().getRequest().setWalltimeS(epilogue);
    trial.scripts = List.of(before, after);
    CampaignCluster first = CampaignTrial.cluster("c1", 0);
    first.getJob().getRequest().setWalltimeS(task);
    CampaignCluster second = CampaignTrial.cluster("c2", 0);
    Reply reply = trial.submit(JDL, List.of(), first, second).answer().orElseThrow();
    assertEquals(taken ? "1" : "c1: no (admission rule 1)", reply.getLines().get(0));
  }

  @Test
  void theFirstRuleThatDoesNotHoldIsTold() {
    AdmissionRule[] rules = {
      new AdmissionRule("true", "one"), new AdmissionRule("user != 'ada'", "you have had enough")
    };
    assertEquals(0, trial.admit(Role.MANAGER, rules).getCode());
    Reply reply = submit(JDL, List.of());
    assertEquals(List.of("c1: you have had enough (admission rule 2)"), reply.getLines());
    assertEquals(0, trial.admit(Role.MANAGER).getCode(), "no rules are rules too");
    assertEquals(0, submit(JDL, null).getCode());
  }

  @Test
  void managersSetThem() {
    for (Role role : List.of(Role.USER, Role.OPERATOR)) {
      Reply reply = trial.admit(role, new AdmissionRule("false", "no"));
      assertEquals(15007, reply.getCode());
    }
    assertEquals(null, trial.table.get(CampaignKeys.ADMISSION));
    assertEquals(0, submit(JDL, null).getCode());
  }

  @ParameterizedTest
  @CsvSource(
      delimiterString = "=>",
      quoteCharacter = '~',
      value = {
        "tru => rule 1: 1:1: undeclared reference to 'tru' (in container '')",
        "user == 1 => rule 1: 1:6: found no matching overload for '_==_' applied to '(string, int)'"
            + " (candidates: (%A0, %A0))",
        "user => rule 1: 1:1: expected type 'bool' but found 'string'",
        "user.matches(jdl.name) => rule 1: 1:13: undeclared reference to 'matches' (in container '')",
        "duration(jdl.long) == duration(jdl.long) => rule 1: 1:9: undeclared reference to 'duration'"
            + " (in container '')",
      })
  void aRuleThatMeansNothingIsRefused(String expression, String why) {
    Reply reply = set(expression);
    assertEquals(List.of(why), reply.getLines());
    assertEquals(15014, reply.getCode());
    assertEquals(null, trial.table.get(CampaignKeys.ADMISSION));
  }

  @Test
  void whatIsTooLargeIsRefused() {
    assertEquals(15014, set("(".repeat(2_000) + "true" + ")".repeat(1_990)).getCode());
    assertEquals(15014, set("true" + " || true".repeat(900)).getCode());
    AdmissionRule[] many = new AdmissionRule[51];
    Arrays.fill(many, new AdmissionRule("true", "no"));
    assertEquals(
        List.of("51 rules; at most 50 may be"), trial.admit(Role.MANAGER, many).getLines());
    for (String message : List.of("", "a\nb", "x".repeat(201))) {
      assertEquals(
          List.of("rule 1: its message is a line of 1 to 200 characters"),
          trial.admit(Role.MANAGER, new AdmissionRule("true", message)).getLines());
    }
  }

  /** Loops in loops over what a user has written, and texts that grow. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "jdl.many.all(a, jdl.many.all(b, jdl.many.all(c, a != b + c + \"\")))",
        "jdl.many.all(a, (jdl.long + jdl.long + jdl.long + jdl.long) != a)",
        "jdl.many.all(a, jdl.map == jdl.map)",
        "[1, 2, 3, 4, 5, 6, 7, 8].all(a, jdl.many.map(b, jdl.many + jdl.many).size() > a)",
      })
  void whatWouldRunForEverIsEnded(String expression) {
    assertEquals(0, set(expression).getCode());
    String many =
        IntStream.range(0, 999).mapToObj(i -> "\"" + i + "\"").collect(Collectors.joining(","));
    String map =
        IntStream.range(0, 30_000)
            .mapToObj(i -> "\"" + i + "\":" + i)
            .collect(Collectors.joining(","));
    String json =
        "{\"many\": ["
            + many
            + "], \"map\": {"
            + map
            + "}, \"long\": \""
            + "x".repeat(65_536)
            + "\"}";
    long before = System.nanoTime();
    Reply reply = submit(json, List.of());
    assertTrue(
        reply.getLines().get(0).startsWith("c1: admission rule 1 cannot be decided: "),
        reply.toString());
    assertEquals(15007, reply.getCode());
    assertTrue(System.nanoTime() - before < 5_000_000_000L, "it took long");
  }

  @Test
  void whoseGroupsNobodyHasLookedUpIsAskedToComeAgain() {
    set("true");
    assertEquals(
        List.of("admission rules were set just now; submit it again"),
        submit(JDL, null).getLines());
  }
}
