package io.millrace.server.campaigns.rest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.campaign.SubmitCampaign;
import io.millrace.schemas.common.ObjectKind;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The type of a campaign, and the queues that it needs. */
final class ClusterTypesTest extends CigriTrial {

  private void queue(String name, String... pairs) {
    List<String> all = new ArrayList<>(List.of("queue_type", "Execution"));
    all.addAll(List.of("enabled", "True", "started", "True"));
    all.addAll(List.of(pairs));
    more.add(object(ObjectKind.QUEUE, name, all.toArray(String[]::new)));
  }

  @BeforeEach
  void queues() {
    queue("day", "night_window", "");
    queue("work", "night_window", "20:00-06:00");
    queue("be", "best_effort", "True", "night_window", "20:00-06:00", "night_queue", "work");
    queue("bare", "best_effort", "True");
    queue("lost", "best_effort", "True", "night_window", "20:00-06:00");
    queue("gone", "best_effort", "True", "night_window", "20:00-06:00", "night_queue", "nobody");
    queue("twice", "best_effort", "True", "night_window", "20:00-06:00", "night_queue", "bare");
    queue("far", "partition", "p2");
    queue("near", "best_effort", "True", "night_window", "20:00-06:00", "night_queue", "far");
  }

  private Said submit(String queue, String settings) throws Exception {
    String document = DEMO.replace("\"bag\"", "\"" + queue + "\"");
    return ask("ada", "POST /cigri/campaigns", document.replace("\"max_jobs\": 2", settings));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "be|normal||normal never goes to a queue with best_effort = True; name another one",
        "be|nightly|1:0:0|nightly never goes to a queue with best_effort = True; name another one",
        "day|nightly|1:0:0|nightly needs a queue with a night, which a manager sets:"
            + " set queue day night_window = 20:00-06:00",
        "work|nightly||nightly needs a walltime: a task begins where it is over before the night is",
        "work|nightly|10:00:01|nightly has tasks that may run longer than the night there,"
            + " 20:00-06:00",
        "work|semi-best-effort||semi-best-effort needs a queue with best_effort = True, whose jobs"
            + " give way by day",
        "bare|semi-best-effort||semi-best-effort needs a queue with a night, which a manager sets:"
            + " set queue bare night_window = 20:00-06:00",
        "lost|semi-best-effort||semi-best-effort needs a queue of the night, which a manager sets:"
            + " set queue lost night_queue = QUEUE",
        "gone|semi-best-effort||semi-best-effort needs another queue of the night than nobody,"
            + " which is not there",
        "twice|semi-best-effort||semi-best-effort needs another queue of the night than bare,"
            + " which is best effort, too",
        "near|semi-best-effort||semi-best-effort needs another queue of the night than far,"
            + " which has nodes of another partition",
      })
  void aQueueThatWillNotDoIsRefusedWithItsReason(
      String queue, String type, String walltime, String why) throws Exception {
    String settings = "\"type\": \"" + type + "\"";
    settings += walltime == null ? "" : ", \"walltime\": \"" + walltime + "\"";
    Said said = submit(queue, settings).must(400);
    assertEquals("/clusters/" + queue + ": type " + why, said.at("/message"));
    assertEquals("/clusters/" + queue, said.at("/faults/0/path"));
    assertEquals(List.of(), taken);
  }

  @Test
  void eachTypeHasAQueue() throws Exception {
    submit("be", "\"type\": \"best-effort\"").must(201);
    submit("day", "\"type\": \"normal\"").must(201);
    submit("work", "\"type\": \"nightly\", \"walltime\": \"10:00:00\"").must(201);
    Said said = submit("be", "\"type\": \"semi-best-effort\"").must(201);
    assertEquals("semi-best-effort, by night in work", said.at("/clusters/be/type"));
    SubmitCampaign semi = (SubmitCampaign) taken.get(3);
    assertEquals("work", semi.getClusters().get(0).getNight().getName());
    assertEquals("work", semi.getClusters().get(0).getNight().getJob().getQueue());
    String shown = command("ada", "gridstat", "-c", "4");
    assertTrue(shown.contains("      type: semi-best-effort, by night in work\n"), shown);
    assertTrue(!command("ada", "gridstat", "-c", "1").contains("type:"), "the usual one");
  }
}
