package io.millrace.ops.origin2000;

import static io.millrace.schedulers.dialects.origin2000.config.OriginOption.BATCH_QUEUES;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.schedulers.dialects.origin2000.calendar.OriginHolidays;
import io.millrace.schedulers.dialects.origin2000.calendar.OriginPrimeTime;
import io.millrace.schedulers.dialects.origin2000.config.OriginConfig;
import io.millrace.schedulers.dialects.origin2000.config.OriginPlace;
import io.millrace.schedulers.dialects.origin2000.config.OriginType;
import io.millrace.schedulers.dialects.origin2000.plan.Fragmentation;
import io.millrace.schedulers.dialects.origin2000.plan.OriginHostRule;
import io.millrace.schedulers.dialects.origin2000.plan.PrimeRule;
import io.millrace.schedulers.dialects.origin2000.usage.Allocations;
import io.millrace.schedulers.gridengine.language.options.ConfigurationRefused;
import java.util.Optional;

/** Calls of single functions, a row each: a name and its arguments as words. */
final class OriginCalls {

  private final OriginConfig config;
  private final OriginPlace place;
  private final OriginPrimeTime prime;

  OriginCalls(OriginConfig config, OriginHolidays holidays, OriginPlace place) {
    this.config = config;
    this.place = place;
    prime = new OriginPrimeTime(config, place.zone(), holidays);
  }

  ObjectNode result(JsonNode call) {
    ObjectNode result = CaseJson.MAPPER.createObjectNode();
    result.put("fn", call.path(0).asText()).put("arg", word(call, 1));
    try {
      switch (call.path(0).asText()) {
        case "timespec" -> timespec(result, word(call, 1));
        case "boolean" -> truth(result, word(call, 1), false);
        case "booldate" -> truth(result, word(call, 1), true);
        case "prime" -> prime(result, number(call, 1));
        case "primelimit" -> primeLimit(result, call);
        case "fragment" -> fragment(result, call);
        case "evalsys" -> evaluate(result, call);
        case "overalloc" -> overAllocation(result, call);
        default -> throw new NumberFormatException("there is no function of this name");
      }
    } catch (NumberFormatException e) {
      throw new ConfigurationRefused("state.json", 0, "call " + call + ": " + e.getMessage());
    }
    return result;
  }

  private static String word(JsonNode call, int place) {
    return call.path(place).asText();
  }

  private static long number(JsonNode call, int place) {
    return Long.parseLong(word(call, place));
  }

  private static double real(JsonNode call, int place) {
    return Double.parseDouble(word(call, place));
  }

  private static void timespec(ObjectNode result, String text) {
    try {
      result.put("seconds", OriginType.timespec(text));
    } catch (IllegalArgumentException e) {
      result.put("refused", e.getMessage());
    }
  }

  private void truth(ObjectNode result, String text, boolean date) {
    try {
      long value = date ? OriginType.booleanOrDate(text, place) : OriginType.booleanOf(text);
      result.put("ok", 1).put("value", value);
    } catch (IllegalArgumentException e) {
      result.put("ok", 0).put("value", -1);
    }
  }

  private void prime(ObjectNode result, long time) {
    result.put("prime", prime.at(time) ? 1 : 0);
    result.put("til_prime", prime.untilBegin(time));
    result.put("til_nonprime", prime.untilEnd(time));
  }

  private void primeLimit(ObjectNode result, JsonNode call) {
    Optional<String> refusal =
        new PrimeRule(config, prime).refusal(number(call, 1), number(call, 2), number(call, 3));
    result.put("nodes", number(call, 2)).put("walltime", number(call, 3));
    result.put("refused", refusal.isPresent() ? 1 : 0).put("reason", refusal.orElse(""));
  }

  private void fragment(ObjectNode result, JsonNode call) {
    String queue = config.queues(BATCH_QUEUES).get(0).name();
    Fragmentation pieces =
        new Fragmentation(
            queue,
            number(call, 4),
            number(call, 5),
            number(call, 6),
            number(call, 7),
            number(call, 8));
    Optional<String> refusal = pieces.refusal(number(call, 2), number(call, 3));
    result.put("nodes", number(call, 2)).put("walltime", number(call, 3));
    result.put("nodes_max", pieces.nodesMax()).put("max_running", pieces.maxRunning());
    result.put("nodes_assigned", pieces.assigned()).put("running", pieces.running());
    result.put("empty_in", pieces.emptyInS());
    result.put("okay", refusal.isPresent() ? 0 : 1).put("reason", refusal.orElse(""));
  }

  private void evaluate(ObjectNode result, JsonNode call) {
    OriginHostRule.HostFigures load =
        new OriginHostRule.HostFigures(
            number(call, 1), number(call, 2), number(call, 3), real(call, 4), number(call, 5) != 0);
    OriginHostRule.HostVerdict verdict = new OriginHostRule(config).evaluate(load);
    result.put("nodes_total", load.nodes()).put("nodes_alloc", load.allocated());
    result.put("njobs", load.jobs()).put("loadave", load.load());
    result.put("idle", number(call, 5));
    result.put("start_ok", verdict.start() ? 1 : 0).put("reason", verdict.reason());
  }

  private static void overAllocation(ObjectNode result, JsonNode call) {
    result.put("allocation", word(call, 2));
    result.put("percent_returned", Allocations.overPercent(real(call, 1), real(call, 2)));
  }
}
