package io.millrace.ops.gridengine;

import io.millrace.schedulers.gridengine.language.cluster.Cluster;
import io.millrace.schedulers.gridengine.language.cluster.ClusterText;
import io.millrace.schedulers.gridengine.language.cluster.Complexes;
import io.millrace.schedulers.gridengine.language.cluster.ExecHost;
import io.millrace.schedulers.gridengine.language.options.ConfigurationRefused;
import io.millrace.schedulers.gridengine.language.options.HostOptions;
import io.millrace.schedulers.gridengine.language.options.OptionValues;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The cluster of a recorded session: the texts in {@code config/} ({@code complex}, {@code hgrp*},
 * {@code queue.*}, {@code pe.*}, {@code host.*}), and what cluster.json says about hosts.
 */
final class CaseCluster {

  /**
   * Keys of cluster.json that are read. Hosts, queues and environments are described in config/; of
   * the environments here only the order counts.
   */
  static final Set<String> KEYS =
      Set.of("hosts", "queues", "sched", "pe", "global", "host_consumables", "load_values");

  private static final String NONE = "NONE";

  private final Path config;
  private final CaseValue described;
  private final CaseCommands typed;

  /**
   * @param described cluster.json
   * @param typed complex_values of hosts that neither a text nor cluster.json describes
   */
  CaseCluster(Path config, CaseValue described, CaseCommands typed) {
    this.config = config;
    this.described = described;
    this.typed = typed;
  }

  Cluster read() throws IOException {
    if (!Files.isDirectory(config)) {
      throw new ConfigurationRefused(config.toString(), 0, "there is no such folder");
    }
    Path complex = config.resolve("complex");
    if (!Files.exists(complex)) {
      throw new ConfigurationRefused(complex.toString(), 0, "there is no such file: the complex");
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
   * The files in the order of their names; queues and environments in the order of cluster.json,
   * which is the order of their creation and decides where several suit a job equally well.
   */
  private List<Path> files() throws IOException {
    List<String> created = new ArrayList<>();
    values("queues").keySet().forEach(name -> created.add("queue." + name));
    values("pe").keySet().forEach(name -> created.add("pe." + name));
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

  /** Adds hosts that have no text of their own, as cluster.json describes them. */
  private void offers(ClusterText texts, Set<String> hosts) {
    Map<String, String> offers = new TreeMap<>(typed.offers());
    values("host_consumables").forEach((name, of) -> offers.put(name, pairs(of)));
    described.find("global").ifPresent(of -> offers.put(ExecHost.GLOBAL, pairs(of)));
    Map<String, CaseValue> loads = values("load_values");
    loads.keySet().forEach(name -> offers.putIfAbsent(name, NONE));
    offers.keySet().removeAll(hosts);
    offers.forEach(
        (name, values) -> {
          String load = Optional.ofNullable(loads.get(name)).map(CaseCluster::pairs).orElse(NONE);
          texts.host(host(name, values, load));
        });
  }

  private Map<String, CaseValue> values(String key) {
    return described.find(key).map(CaseValue::values).orElse(Map.of());
  }

  private static OptionValues host(String name, String values, String loads) {
    String text =
        "hostname " + name + "\ncomplex_values " + values + "\nload_values " + loads + "\n";
    return HostOptions.TABLE.parse("cluster.json", text);
  }

  private static String pairs(CaseValue values) {
    if (values.isNull()) {
      return NONE;
    }
    List<String> pairs = new ArrayList<>();
    values.values().forEach((name, value) -> pairs.add(name + "=" + value.amount()));
    return pairs.isEmpty() ? NONE : String.join(",", pairs);
  }
}
