package io.millrace.ops.gridengine;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.schedulers.dialects.gridengine.cluster.Cluster;
import io.millrace.schedulers.dialects.gridengine.cluster.ClusterText;
import io.millrace.schedulers.dialects.gridengine.cluster.Complexes;
import io.millrace.schedulers.dialects.gridengine.cluster.ExecHost;
import io.millrace.schedulers.dialects.gridengine.options.HostOptions;
import io.millrace.schedulers.dialects.gridengine.options.Refused;
import io.millrace.schedulers.dialects.gridengine.options.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The cluster of a recorded session: the texts in {@code config/} ({@code complex}, {@code hgrp*},
 * {@code queue.*}, {@code pe.*}, {@code host.*}), and what cluster.json says about hosts.
 */
final class CaseCluster {

  private final Path config;
  private final JsonNode described;
  private final CaseCommands typed;

  /**
   * @param described cluster.json
   * @param typed what hosts offer that neither a text nor cluster.json speaks of
   */
  CaseCluster(Path config, JsonNode described, CaseCommands typed) {
    this.config = config;
    this.described = described;
    this.typed = typed;
  }

  Cluster read() throws IOException {
    if (!Files.isDirectory(config)) {
      throw new Refused(config.toString(), 0, "there is no such folder");
    }
    Path complex = config.resolve("complex");
    if (!Files.exists(complex)) {
      throw new Refused(complex.toString(), 0, "there is no such file: the complex");
    }
    Complexes complexes = Complexes.parse(complex.toString(), PolicyText.read(complex));
    ClusterText texts = new ClusterText(complexes);
    for (Path file : files()) {
      String name = file.getFileName().toString();
      if (!List.of("complex", "sched", "conf").contains(name)) {
        texts.take(file.toString(), name, PolicyText.read(file));
      }
    }
    offers(texts, texts.hosts());
    return texts.cluster();
  }

  /**
   * In the order of their names; queues and environments in the order of cluster.json, which is the
   * one in which they were created: it counts where several suit a job equally well.
   */
  private List<Path> files() throws IOException {
    List<String> created = new ArrayList<>();
    described.path("queues").fieldNames().forEachRemaining(name -> created.add("queue." + name));
    described.path("pe").fieldNames().forEachRemaining(name -> created.add("pe." + name));
    try (Stream<Path> files = Files.list(config)) {
      return files
          .sorted(
              Comparator.comparingInt((Path file) -> place(created, file))
                  .thenComparing(Comparator.naturalOrder()))
          .toList();
    }
  }

  private static int place(List<String> created, Path file) {
    int place = created.indexOf(file.getFileName().toString());
    return place < 0 ? created.size() : place;
  }

  /** What cluster.json says about hosts that have no text of their own. */
  private void offers(ClusterText texts, Set<String> hosts) {
    Map<String, String> offers = new TreeMap<>(typed.offers());
    JsonNode consumables = described.path("host_consumables");
    consumables.fieldNames().forEachRemaining(n -> offers.put(n, pairs(consumables.get(n))));
    if (described.has("global")) {
      offers.put(ExecHost.GLOBAL, pairs(described.get("global")));
    }
    JsonNode loads = described.path("load_values");
    loads.fieldNames().forEachRemaining(name -> offers.putIfAbsent(name, "NONE"));
    offers.keySet().removeAll(hosts);
    offers.forEach((name, values) -> texts.host(host(name, values, loads.get(name))));
  }

  private static Settings host(String name, String values, JsonNode loads) {
    String text =
        "hostname " + name + "\ncomplex_values " + values + "\nload_values " + pairs(loads) + "\n";
    return HostOptions.TABLE.parse("cluster.json", text);
  }

  private static String pairs(JsonNode values) {
    if (values == null || values.isEmpty()) {
      return "NONE";
    }
    List<String> pairs = new ArrayList<>();
    values.fieldNames().forEachRemaining(name -> pairs.add(name + "=" + values.get(name).asText()));
    return String.join(",", pairs);
  }
}
