package io.millrace.ops.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.ops.home.KafkaPrincipal;
import io.millrace.schemas.RecordCodec;
import io.millrace.schemas.Topics;
import io.millrace.schemas.fact.ReservationEnded;
import io.millrace.schemas.registry.Codecs;
import io.millrace.schemas.state.BookedNode;
import io.millrace.schemas.state.Reservation;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collector;
import java.util.stream.Collectors;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * All places in which a reservation can be read: {@code pbs_rstat -f}, {@code plus_status -x},
 * {@code qstat -Qf}, {@code pbsnodes}, accounting, and the topics {@code ledger} and {@code
 * reservations} by a consumer of its own. They are to say the same.
 */
final class ReservationViews {
  private static final Duration SOON = Duration.ofSeconds(60);
  private static final Pattern NODE = Pattern.compile("(?<=[(+])([\\w.\\[\\]-]+):");

  private final Site site;
  private final Account user;
  private final Path folder;

  /**
   * Views of a user.
   *
   * @param folder where his commands are typed
   */
  ReservationViews(Site site, Account user, Path folder) {
    this.site = site;
    this.user = user;
    this.folder = folder;
  }

  /** What one place says that differs from what it is to say. */
  private static final class Wrong {
    private final List<String> lines = new ArrayList<>();

    void check(String place, Object expected, Object told) {
      if (!expected.equals(told)) {
        lines.add(place + ": " + told + ", not " + expected);
      }
    }
  }

  /** Look at all places. */
  private interface Look {
    void at(Wrong wrong) throws Exception;
  }

  /** Waits until all places say this; fails with those that do not. */
  private static void all(Look look) throws Exception {
    List<Wrong> last = new ArrayList<>();
    Polling.within(
        SOON,
        () -> {
          last.clear();
          last.add(new Wrong());
          look.at(last.get(0));
          return last.get(0).lines.isEmpty();
        });
    assertEquals("", String.join("\n", last.get(0).lines));
  }

  /**
   * Reads it back from everywhere.
   *
   * @param name such as R7
   * @param state the name of a {@code ReservationState}
   */
  void readBack(String name, String state, String... nodes) throws Exception {
    Set<String> its = new TreeSet<>(List.of(nodes));
    all(wrong -> is(wrong, name, state, its));
  }

  private void is(Wrong wrong, String name, String state, Set<String> nodes) throws Exception {
    String full = told("pbs_rstat -f " + name);
    wrong.check("pbs_rstat -f state", "RESV_" + state, value(full, "reserve_state"));
    String where = value(full, "resv_nodes");
    wrong.check("pbs_rstat -f nodes", nodes, names(where));

    String xml = told("plus_status -x -r " + name);
    wrong.check("plus_status -x state", true, xml.contains(" state=\"" + state + "\""));
    wrong.check("plus_status -x nodes", nodes, found(xml, "<node name=\"([^\"]+)\""));

    String queue = told("qstat -Qf " + name);
    wrong.check("qstat -Qf", true, queue.startsWith("Queue: " + name + "\n"));
    boolean begun = state.equals("RUNNING");
    wrong.check("qstat -Qf started", begun ? "True" : "False", value(queue, "    started"));

    Set<String> marked = new TreeSet<>();
    for (String node : site.run("pbsnodes -av").must().split("\n(?=\\S)")) {
      if (value(node, "     resv").matches("(.*\\W)?" + name + "\\..*")) {
        marked.add(node.lines().findFirst().orElse("").strip());
      }
    }
    wrong.check("pbsnodes", true, marked.containsAll(nodes));

    String confirmed =
        accounted(name).stream()
            .filter(line -> line.split(";")[1].equals("Y"))
            .reduce((first, second) -> second)
            .orElse("");
    wrong.check("accounting, Y", nodes, names(confirmed.replaceAll(".* nodes=", "")));

    SpecificRecord fact = lastFact(name);
    Reservation record = fact == null ? null : of(fact);
    wrong.check("ledger", state + " " + nodes, shown(record));
    wrong.check("topic reservations", state + " " + nodes, shown(present().get(name)));
  }

  /** Reads from everywhere that it is no more. */
  void isGone(String name) throws Exception {
    all(
        wrong -> {
          wrong.check("pbs_rstat -f", "", told("pbs_rstat -f " + name));
          wrong.check("plus_status -x", false, told("plus_status -x").contains("\"" + name + "."));
          wrong.check("qstat -Q", "", site.told("qstat -Q | grep '^" + name + " '"));
          String nodes = site.run("pbsnodes -av").must();
          wrong.check("pbsnodes", false, nodes.matches("(?s).*\\b" + name + "\\..*"));
          List<String> accounts = accounted(name);
          String last = accounts.isEmpty() ? "" : accounts.get(accounts.size() - 1).split(";")[1];
          wrong.check("accounting, K or k", "k", last.toLowerCase(Locale.ROOT));
          wrong.check("ledger", true, lastFact(name) instanceof ReservationEnded);
          wrong.check("topic reservations", false, present().containsKey(name));
        });
  }

  private String told(String line) throws Exception {
    return site.run(user, folder, line).out();
  }

  private static String value(String text, String name) {
    return text.lines()
        .filter(line -> line.startsWith(name + " = "))
        .map(line -> line.substring(name.length() + 3))
        .findFirst()
        .orElse("");
  }

  private static Set<String> names(String shares) {
    return NODE.matcher(shares).results().map(it -> it.group(1)).collect(toSorted());
  }

  private static Set<String> found(String text, String pattern) {
    return Pattern.compile(pattern)
        .matcher(text)
        .results()
        .map(it -> it.group(1))
        .collect(toSorted());
  }

  private static Collector<String, ?, TreeSet<String>> toSorted() {
    return Collectors.toCollection(TreeSet::new);
  }

  private List<String> accounted(String name) {
    return AccountLines.all(site.home().accounting()).stream()
        .filter(line -> line.split(";", 4)[2].startsWith(name + "."))
        .toList();
  }

  private static String shown(Reservation record) {
    return record == null
        ? "none"
        : record.getState()
            + " "
            + record.getBooked().stream().map(BookedNode::getNode).collect(toSorted());
  }

  /** The reservation that a fact tells of; null for others. */
  private static Reservation of(SpecificRecord fact) {
    Schema.Field field = fact.getSchema().getField("reservation");
    return field != null && fact.get(field.pos()) instanceof Reservation its ? its : null;
  }

  private SpecificRecord lastFact(String name) throws Exception {
    SpecificRecord last = null;
    for (Object fact : TopicContents.read(site.client(KafkaPrincipal.MONITOR), Topics.LEDGER)) {
      Reservation its = fact instanceof SpecificRecord record ? of(record) : null;
      last = its != null && its.getQueue().equals(name) ? (SpecificRecord) fact : last;
    }
    return last;
  }

  /** What the compacted topic has, by its queue: of each key the last record. */
  private Map<String, Reservation> present() throws Exception {
    Map<String, Object> client = site.client(KafkaPrincipal.MONITOR);
    RecordCodec codec = Codecs.open(client);
    Map<String, Reservation> byKey = new HashMap<>();
    for (ConsumerRecord<byte[], byte[]> each :
        TopicContents.records(client, Topics.table("reservations"))) {
      String key = each.partition() + " " + HexFormat.of().formatHex(each.key());
      if (each.value() == null) {
        byKey.remove(key);
      } else if (codec.decode(each.value()) instanceof Reservation its) {
        byKey.put(key, its);
      }
    }
    return byKey.values().stream()
        .collect(Collectors.toMap(Reservation::getQueue, it -> it, (one, other) -> other));
  }
}
