package io.millrace.schedulers.dialects.schedconfig.replay;

import io.millrace.schedulers.core.model.ShardFollower;
import io.millrace.schedulers.gridengine.language.options.ConfigurationRefused;
import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.pbs.attributes.AttributeTable;
import io.millrace.schemas.pbs.resources.ResourceTable;
import io.millrace.schemas.state.Node;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The server, queues, nodes and resources of a session, as lines of qmgr make them. */
final class SiteObjects {

  private static final Pattern LINE =
      Pattern.compile("(create|set|unset|delete)\\s+(\\w+)(?:\\s+(\\S+))?(?:\\s+(.*))?");

  private static final String SERVER = "server";
  private static final String AVAILABLE = "resources_available.";
  private static final String DEFAULT_QUEUE = "workq";

  private final ShardFollower facts;
  private final Map<String, TreeMap<String, String>> attributes = new LinkedHashMap<>();
  private final Map<String, Long> created = new TreeMap<>();
  private long changes;
  private final Set<String> up = new HashSet<>();

  /** Resources of which what the server has bounds what runs. */
  private Set<String> bounding = Set.of();

  SiteObjects(ShardFollower facts) {
    this.facts = facts;
    put(ObjectKind.SERVER, SERVER, Map.of("default_queue", DEFAULT_QUEUE));
    put(ObjectKind.SCHEDULER, "default", Map.of("scheduling", "True"));
    put(ObjectKind.QUEUE, DEFAULT_QUEUE, Map.of("queue_type", "Execution", "started", "True"));
  }

  /**
   * Runs a line of qmgr.
   *
   * @param where the line stands, for the refusal
   */
  void run(String line, String where) {
    String text = line.strip();
    if (text.isEmpty() || text.charAt(0) == '#') {
      return;
    }
    Matcher matcher = LINE.matcher(text);
    if (!matcher.matches()) {
      throw new ConfigurationRefused(
          where, 0, "'" + text + "' is no line of qmgr: create, set, unset or delete OBJECT NAME");
    }
    ObjectKind kind = kind(matcher.group(2), where);
    String name = matcher.group(3) == null ? "" : matcher.group(3);
    String values = matcher.group(4) == null ? "" : matcher.group(4);
    if (kind == ObjectKind.SERVER) {
      values = name + " " + values;
      name = SERVER;
    }
    switch (matcher.group(1)) {
      case "delete" -> delete(kind, name);
      case "unset" -> {
        of(kind, name).remove(values.strip());
        write(kind, name);
      }
      default -> set(kind, name, values, where);
    }
  }

  private static ObjectKind kind(String word, String where) {
    return switch (word) {
      case "server", "s" -> ObjectKind.SERVER;
      case "queue", "q" -> ObjectKind.QUEUE;
      case "node", "n" -> ObjectKind.NODE;
      case "sched" -> ObjectKind.SCHEDULER;
      case "resource", "r" -> ObjectKind.RESOURCE;
      default -> throw new ConfigurationRefused(where, 0, "there are no objects '" + word + "'");
    };
  }

  private void set(ObjectKind kind, String name, String values, String where) {
    TreeMap<String, String> of = of(kind, name);
    for (String pair : pairs(values)) {
      int equals = pair.indexOf('=');
      if (equals < 0) {
        throw new ConfigurationRefused(where, 0, "'" + pair + "' is not ATTRIBUTE = VALUE");
      }
      String attribute = pair.substring(0, equals).strip();
      String spelling =
          AttributeTable.find(kind, attribute)
              .map(known -> AttributeTable.spelling(known, attribute))
              .orElse(attribute);
      of.put(spelling, unquoted(pair.substring(equals + 1).strip()));
    }
    write(kind, name);
  }

  /** Splits {@code a=1,b="x, y"}; a comma within quotes, or in a value alone, is no end. */
  private static List<String> pairs(String values) {
    List<String> pairs = new ArrayList<>();
    for (String part : values.split(",(?=(?:[^\"]*\"[^\"]*\")*[^\"]*$)")) {
      if (!part.isBlank()) {
        if (part.indexOf('=') < 0 && !pairs.isEmpty()) {
          pairs.set(pairs.size() - 1, pairs.get(pairs.size() - 1) + "," + part);
        } else {
          pairs.add(part);
        }
      }
    }
    return pairs;
  }

  private static String unquoted(String value) {
    return value.length() > 1 && value.startsWith("\"") && value.endsWith("\"")
        ? value.substring(1, value.length() - 1)
        : value;
  }

  private TreeMap<String, String> of(ObjectKind kind, String name) {
    String key = kind + "/" + name;
    if (!attributes.containsKey(key)) {
      changes++;
      created.put(key, changes);
      attributes.put(key, new TreeMap<>());
    }
    return attributes.get(key);
  }

  private void put(ObjectKind kind, String name, Map<String, String> values) {
    of(kind, name).putAll(values);
    write(kind, name);
  }

  /** Sets an attribute of an object that is there. */
  void put(ObjectKind kind, String name, String attribute, String value) {
    put(kind, name, Map.of(attribute, value));
  }

  private void write(ObjectKind kind, String name) {
    facts.written(object(kind, name));
    if (kind == ObjectKind.NODE && up.add(name)) {
      // A vnode is a host of its own name, and up as soon as it is made.
      facts.node(
          Node.newBuilder()
              .setName(name)
              .setHost(name)
              .setUp(true)
              .setMeasured(Map.of())
              .setHoldings(List.of())
              .build());
    } else if (kind == ObjectKind.NODE) {
      facts.nodeUp(name, name, Map.of());
    }
  }

  /** Sets the resources of which what the server has bounds what runs. */
  void bounding(Set<String> resources) {
    bounding = Set.copyOf(resources);
    write(ObjectKind.SERVER, SERVER);
  }

  private boolean counts(ObjectKind kind, String attribute) {
    return kind != ObjectKind.SERVER
        || !attribute.startsWith(AVAILABLE)
        || bounding.contains(attribute.substring(AVAILABLE.length()));
  }

  private ClusterObject object(ObjectKind kind, String name) {
    List<Attribute> list = new ArrayList<>();
    of(kind, name)
        .forEach(
            (attribute, value) -> {
              if (counts(kind, attribute)) {
                list.add(new Attribute(attribute, value));
              }
            });
    return new ClusterObject(kind, name, ++changes, list, created.get(kind + "/" + name));
  }

  private void delete(ObjectKind kind, String name) {
    attributes.remove(kind + "/" + name);
    up.remove(name);
    created.remove(kind + "/" + name);
    facts.deleted(kind, name);
  }

  /** An attribute of the server. */
  String ofServer(String attribute, String otherwise) {
    return of(ObjectKind.SERVER, SERVER).getOrDefault(attribute, otherwise);
  }

  String ofScheduler(String attribute, String otherwise) {
    return of(ObjectKind.SCHEDULER, "default").getOrDefault(attribute, otherwise);
  }

  /** True when a queue has an attribute that is a number above 0. */
  boolean anyQueue(String attribute) {
    return attributes.entrySet().stream()
        .filter(it -> it.getKey().startsWith(ObjectKind.QUEUE + "/"))
        .map(it -> it.getValue().getOrDefault(attribute, "0"))
        .anyMatch(it -> it.matches("\\d{0,9}[1-9]\\d{0,9}"));
  }

  /** Names of the nodes. */
  List<String> nodes() {
    return attributes.keySet().stream()
        .filter(key -> key.startsWith(ObjectKind.NODE + "/"))
        .map(key -> key.substring(key.indexOf('/') + 1))
        .toList();
  }

  /** All resources that exist. */
  ResourceTable resources() {
    List<ClusterObject> objects = new ArrayList<>();
    for (String key : List.copyOf(attributes.keySet())) {
      if (key.startsWith(ObjectKind.RESOURCE + "/")) {
        objects.add(object(ObjectKind.RESOURCE, key.substring(key.indexOf('/') + 1)));
      }
    }
    return ResourceTable.of(objects);
  }
}
