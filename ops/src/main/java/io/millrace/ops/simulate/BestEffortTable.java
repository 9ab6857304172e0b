package io.millrace.ops.simulate;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.ops.word.Console;
import io.millrace.schedulers.simulator.BestEffortTrial;
import io.millrace.schedulers.simulator.BestEffortTrial.TrialResult;
import io.millrace.schedulers.simulator.SimulatedPolicy;
import io.millrace.schedulers.simulator.Workload;
import io.millrace.schemas.program.GivenOptions;
import io.millrace.schemas.program.UsageException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * {@code simulate --best-effort}: how many runs of a trace start at another second when all that
 * they leave is full of best-effort jobs.
 */
final class BestEffortTable {

  static final String OPTION = "--best-effort";

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final List<String> OTHERS = List.of("--csv", "--report", "--zone");

  private final GivenOptions options;
  private final Console console;
  private final List<String> policies = new ArrayList<>();
  private final int seed;

  BestEffortTable(GivenOptions options, Console console) throws UsageException {
    this.options = options;
    this.console = console;
    this.seed = options.number(OPTION, 1, 1, Integer.MAX_VALUE);
    for (String other : OTHERS) {
      if (options.has(other)) {
        throw options.wrong(other + " does not go with " + OPTION);
      }
    }
    String words =
        options.get("--policy").orElse("easy")
            + options.get("--compare").map(it -> "," + it).orElse("");
    for (String word : words.split(",", -1)) {
      policies.add(policy(word.strip().toLowerCase(Locale.ROOT)));
    }
  }

  private String policy(String word) throws UsageException {
    boolean known =
        SimulatedPolicy.named(word)
            .filter(it -> it.gridEngine().isEmpty() && !it.recorded())
            .isPresent();
    if (!known && !word.equals(BestEffortTrial.PREEMPTION)) {
      throw options.wrong(
          OPTION + " is for policies by name, without gridengine, and for preemption; not " + word);
    }
    return word;
  }

  /**
   * @return exit status: 0 when all start at the same second
   */
  int run(String title, Workload workload) {
    ObjectNode json = JSON.createObjectNode().put("trace", title).put("seed", seed);
    ArrayNode all = json.putArray("policies");
    int differences = 0;
    for (String policy : policies) {
      console.busy(policy);
      TrialResult without = BestEffortTrial.without(workload, policy);
      TrialResult with = BestEffortTrial.with(workload, policy, seed);
      int differ = with.differences(without);
      differences += differ;
      all.addObject()
          .put("policy", policy)
          .put("starts", without.starts().size())
          .put("differences", differ)
          .put("gave_way", with.gaveWay());
      if (!options.has("--json")) {
        console.say(
            String.format(
                Locale.ROOT,
                "%s: %d starts, %d differ beside best effort, %d runs of which gave way",
                policy,
                without.starts().size(),
                differ,
                with.gaveWay()));
      }
    }
    if (options.has("--json")) {
      console.say(json.toPrettyString());
    }
    return differences == 0 ? 0 : 1;
  }
}
