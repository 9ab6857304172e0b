package io.millrace.schedulers.dialects.gridengine.cluster;

import io.millrace.schedulers.dialects.gridengine.options.Settings;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A cluster queue on one host.
 *
 * @param settings the queue's options with the values that hold on this host
 */
public record QueueInstance(
    String queue, String host, Settings settings, Offers offers, Access access) {

  public String name() {
    return queue + "@" + host;
  }

  public int slots() {
    return Integer.parseInt(settings.get("slots"));
  }

  public int sequence() {
    return Integer.parseInt(settings.get("seq_no"));
  }

  public boolean batch() {
    return settings.get("qtype").toUpperCase(Locale.ROOT).contains("BATCH");
  }

  public boolean interactive() {
    return settings.get("qtype").toUpperCase(Locale.ROOT).contains("INTERACTIVE");
  }

  public boolean disabled() {
    return settings.get("initial_state").equalsIgnoreCase("disabled");
  }

  public boolean offers(ParallelEnvironment environment) {
    return List.of(settings.get("pe_list").split("[,\\s]+")).contains(environment.name());
  }

  /** Limit of the runtime of its jobs in seconds. */
  public long runtimeLimit() {
    return settings.seconds("h_rt");
  }

  public Map<String, String> loadThresholds() {
    return Offers.pairs(settings.get("load_thresholds"));
  }
}
