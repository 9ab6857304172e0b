package io.millrace.ops.origin2000;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.schedulers.dialects.origin2000.config.OriginType;
import io.millrace.schedulers.dialects.origin2000.state.OriginHostState;
import io.millrace.schedulers.dialects.origin2000.state.OriginJob;
import io.millrace.schedulers.dialects.origin2000.state.OriginQueueState;
import io.millrace.schedulers.dialects.origin2000.state.OriginQueueState.RequestBound;
import io.millrace.schedulers.gridengine.language.options.ConfigurationRefused;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The jobs, queues and hosts of a case, as server and hosts would tell them. */
final class OriginCaseServer {

  /** Objects of a change that hold several attributes. */
  private static final Set<String> GROUPS =
      Set.of("set", "attributes", "changes", "values", "attrs");

  private final String file;
  private final Map<String, ObjectNode> jobs = new LinkedHashMap<>();
  private final Map<String, ObjectNode> queues = new LinkedHashMap<>();
  private final Map<String, ObjectNode> hosts = new LinkedHashMap<>();

  /**
   * @param file for messages
   */
  OriginCaseServer(String file, JsonNode state) {
    this.file = file;
    fill(jobs, state, "jobs", "id");
    fill(queues, state, "queues", "name");
    fill(hosts, state, "hosts", "name");
  }

  private void fill(Map<String, ObjectNode> table, JsonNode state, String list, String key) {
    for (JsonNode each : state.path(list)) {
      if (!each.isObject() || !each.path(key).isTextual()) {
        throw refused(list + " holds " + each + ", which is no object with '" + key + "'");
      }
      table.put(each.get(key).asText(), each.deepCopy());
    }
  }

  private ConfigurationRefused refused(String why) {
    return new ConfigurationRefused(file, 0, why);
  }

  ObjectNode job(String id) {
    return known(jobs, id, "job");
  }

  ObjectNode host(String name) {
    return known(hosts, name, "host");
  }

  private ObjectNode known(Map<String, ObjectNode> table, String name, String what) {
    ObjectNode found = table.get(name);
    if (found == null) {
      throw refused("there is no " + what + " '" + name + "'");
    }
    return found;
  }

  Iterable<ObjectNode> allJobs() {
    return jobs.values();
  }

  void remove(String job) {
    jobs.remove(job);
  }

  /** Carries out a change between two cycles. */
  void change(JsonNode change) {
    String op = change.path("op").asText();
    switch (op) {
      case "finish" -> {
        job(change.path("job").asText());
        remove(change.path("job").asText());
      }
      case "submit_or_change" -> merge(jobs, change.path("job"), "id");
      case "set" -> set(jobs, change, "job", "id");
      case "host" -> set(hosts, change, "host", "name");
      case "queue" -> set(queues, change, "queue", "name");
      default -> throw refused("there is no change '" + op + "'");
    }
  }

  private void merge(Map<String, ObjectNode> table, JsonNode object, String key) {
    if (!object.isObject() || !object.path(key).isTextual()) {
      throw refused(object + " is no object with '" + key + "'");
    }
    String name = object.get(key).asText();
    ObjectNode copy = object.deepCopy();
    table.merge(name, copy, (old, changed) -> old.setAll(changed));
  }

  private void set(Map<String, ObjectNode> table, JsonNode change, String what, String key) {
    JsonNode about = change.has(what) ? change.get(what) : change.path(key);
    if (about.isObject()) {
      merge(table, about, key);
      return;
    }
    ObjectNode object = known(table, about.asText(), what);
    if (change.has("attribute")) {
      object.set(change.get("attribute").asText(), change.path("value"));
      return;
    }
    change
        .properties()
        .forEach(
            field -> {
              if (GROUPS.contains(field.getKey()) && field.getValue().isObject()) {
                object.setAll((ObjectNode) field.getValue().deepCopy());
              } else if (!Set.of("op", what, key).contains(field.getKey())) {
                object.set(field.getKey(), field.getValue());
              }
            });
  }

  List<OriginJob> jobs(long now) {
    List<OriginJob> all = new ArrayList<>();
    jobs.values().forEach(it -> all.add(job(it, now)));
    return all;
  }

  private OriginJob job(ObjectNode node, long now) {
    char state = node.path("state").asText("Q").charAt(0);
    return new OriginJob(
        node.get("id").asText(),
        node.path("owner").asText(),
        truth(node, "no_group") ? "" : text(node, "group"),
        node.path("queue").asText(),
        text(node, "origin_queue"),
        state == 'R' ? text(node, "exec_host") : "",
        state,
        number(node, "ncpus", 0),
        memory(node, "mem", 0),
        time(node, "walltime", 0),
        state == 'R' ? now - number(node, "start", now) : 0,
        number(node, "ctime", now),
        truth(node, "no_etime") ? 0 : number(node, "etime", 0),
        number(node, "mtime", 0),
        truth(node, "interactive"),
        truth(node, "hpm"),
        node.hasNonNull("comment") ? node.get("comment").asText() : null);
  }

  Map<String, OriginQueueState> queues() {
    Map<String, OriginQueueState> all = new LinkedHashMap<>();
    queues.forEach((name, node) -> all.put(name, queue(name, node)));
    return all;
  }

  private OriginQueueState queue(String name, ObjectNode node) {
    return new OriginQueueState(
        name,
        truth(node, "started"),
        truth(node, "enabled"),
        number(node, "max_running", -1),
        number(node, "max_user_run", -1),
        users(node),
        bound(node.path("resources_max")),
        bound(node.path("resources_min")));
  }

  /** Names of the access list without their hosts; null when there is none. */
  private static List<String> users(ObjectNode queue) {
    if (!truth(queue, "acl_user_enable") || !queue.hasNonNull("acl_users")) {
      return null;
    }
    List<String> users = new ArrayList<>();
    for (String each : queue.get("acl_users").asText().split(",")) {
      users.add(each.split("@", 2)[0]);
    }
    return users;
  }

  private RequestBound bound(JsonNode node) {
    return new RequestBound(
        number(node, "ncpus", -1), memory(node, "mem", -1), time(node, "walltime", -1));
  }

  /** The hosts that answer. */
  Map<String, OriginHostState> hosts() {
    Map<String, OriginHostState> all = new LinkedHashMap<>();
    hosts.forEach(
        (name, node) -> {
          if (!truth(node, "down")) {
            all.put(
                name,
                new OriginHostState(
                    name,
                    number(node, "ncpus", 0),
                    memory(node, "physmem", 0),
                    node.path("loadave").asDouble(0),
                    node.path("hpm_mode").asText("global")));
          }
        });
    return all;
  }

  private static String text(JsonNode node, String key) {
    return node.hasNonNull(key) ? node.get(key).asText() : "";
  }

  static boolean truth(JsonNode node, String key) {
    return node.path(key).asBoolean(false) || node.path(key).asLong(0) != 0;
  }

  private static boolean isSet(JsonNode node, String key) {
    return node.hasNonNull(key) && !node.get(key).asText().isEmpty();
  }

  private long number(JsonNode node, String key, long otherwise) {
    JsonNode value = node.path(key);
    if (!isSet(node, key)) {
      return otherwise;
    }
    if (!value.canConvertToLong() && !value.asText().matches("-?\\d{1,15}")) {
      throw refused("'" + key + "' is " + value + ", but must be a whole number");
    }
    return value.asLong();
  }

  private long time(JsonNode node, String key, long otherwise) {
    if (!isSet(node, key)) {
      return otherwise;
    }
    try {
      return OriginType.timespec(node.get(key).asText());
    } catch (IllegalArgumentException e) {
      throw refused("'" + key + "' is " + node.get(key) + ": " + e.getMessage());
    }
  }

  private long memory(JsonNode node, String key, long otherwise) {
    if (!isSet(node, key)) {
      return otherwise;
    }
    return CaseMemory.bytes(node.get(key).asText())
        .orElseThrow(() -> refused("'" + key + "' is " + node.get(key) + ", but must be as 512mb"));
  }
}
