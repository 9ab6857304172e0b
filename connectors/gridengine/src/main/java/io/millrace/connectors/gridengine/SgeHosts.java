package io.millrace.connectors.gridengine;

import io.millrace.connectors.bridge.command.OutsideAnswer;
import io.millrace.connectors.bridge.command.OutsideXml;
import io.millrace.connectors.bridge.system.OutsideHost;
import io.millrace.connectors.bridge.system.OutsideInventory;
import io.millrace.connectors.bridge.system.Told;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.stream.XMLStreamReader;

/** The hosts of {@code qhost -xml -q}, and their queues. */
final class SgeHosts {

  private static final Pattern SIZE =
      Pattern.compile("([0-9]{1,12})(?:\\.([0-9]))?[0-9]*([KMGT]?)");

  /** States of a queue instance in which it takes no jobs. */
  private static final Pattern CLOSED = Pattern.compile("[acdDuEosSC]");

  private static final String STATE = ".state_string";

  private SgeHosts() {}

  /**
   * Reads what the command has said.
   *
   * @param only the queue that counts, as {@code qsub -q} takes it; empty for all
   */
  static Told<OutsideInventory> read(OutsideAnswer answer, Optional<String> only) {
    return read(answer, new QhostElements(only, false));
  }

  /** The same where queues are suspended in turn: each host counts that tells its load. */
  static Told<OutsideInventory> alive(OutsideAnswer answer) {
    return read(answer, new QhostElements(Optional.empty(), true));
  }

  private static Told<OutsideInventory> read(OutsideAnswer answer, QhostElements taken) {
    if (!answer.isGood()) {
      return Told.nothing("qhost: " + answer.trouble());
    }
    Optional<String> trouble = OutsideXml.read(answer.text(), taken);
    if (trouble.isEmpty() && !taken.root.equals("qhost")) {
      trouble = Optional.of("<" + taken.root + "> in place of <qhost>");
    }
    return trouble.isPresent()
        ? Told.nothing("qhost: " + trouble.get())
        : Told.of(new OutsideInventory(taken.hosts, List.copyOf(taken.queues)));
  }

  /** Bytes of an amount such as 23.5G; -1 for none. */
  static long bytes(String text) {
    Matcher size = SIZE.matcher(text);
    if (!size.matches()) {
      return -1;
    }
    long tenths = Long.parseLong(size.group(1)) * 10;
    tenths += size.group(2) == null ? 0 : Long.parseLong(size.group(2));
    int shift = size.group(3).isEmpty() ? 0 : 10 * ("KMGT".indexOf(size.group(3)) + 1);
    return tenths > Long.MAX_VALUE >> shift ? -1 : (tenths << shift) / 10;
  }

  private static final class QhostElements implements OutsideXml.XmlElementHandler {
    private final List<OutsideHost> hosts = new ArrayList<>();
    private final Set<String> queues = new TreeSet<>();
    private String root = "";
    private String host = "";
    private String value = "";
    private Map<String, String> fields = new LinkedHashMap<>();
    private final String onlyQueue;
    private final String onlyHost;
    private final boolean closedToo;

    /** A queue may be given as NAME, NAME@HOST or NAME@@GROUP; who is in a group is not told. */
    QhostElements(Optional<String> only, boolean closedToo) {
      this.closedToo = closedToo;
      String[] given = only.orElse("").split("@", 2);
      onlyQueue = given[0];
      onlyHost = given.length > 1 && !given[1].startsWith("@") ? given[1] : "";
    }

    private boolean counts(String field) {
      return onlyQueue.isEmpty()
          ? field.endsWith(STATE)
          : field.equals("queue." + onlyQueue + STATE);
    }

    /** A host may be called with its domain in one place and without it in another. */
    private boolean isMeant() {
      String here = host.toLowerCase(Locale.ROOT);
      String meant = onlyHost.toLowerCase(Locale.ROOT);
      return meant.isEmpty()
          || here.equals(meant)
          || here.startsWith(meant + ".")
          || meant.startsWith(here + ".");
    }

    @Override
    public void begins(String name, XMLStreamReader at) {
      root = root.isEmpty() ? name : root;
      String called = String.valueOf(at.getAttributeValue(null, "name"));
      switch (name) {
        case "host" -> {
          host = called;
          fields = new LinkedHashMap<>();
        }
        case "queue" -> queues.add(called);
        case "hostvalue" -> value = called;
        case "queuevalue" -> value = "queue." + at.getAttributeValue(null, "qname") + "." + called;
        case "resourcevalue" -> value = "resource." + called;
        default -> value = name;
      }
    }

    @Override
    public void ends(String name, String text) {
      if (name.equals("host") && !host.equals("global")) {
        hosts.add(made());
      } else if (name.endsWith("value")) {
        fields.put(value, text);
      }
    }

    private OutsideHost made() {
      String cpus = fields.getOrDefault("num_proc", "-");
      boolean answers = !fields.getOrDefault("load_avg", "-").equals("-");
      boolean open =
          closedToo
              || isMeant()
                  && fields.entrySet().stream()
                      .filter(it -> counts(it.getKey()))
                      .anyMatch(it -> !CLOSED.matcher(it.getValue()).find());
      return new OutsideHost(
          host,
          answers && open,
          answers ? (open ? "up" : "no open queue") : "no load value",
          cpus.matches("[0-9]{1,6}") ? Integer.parseInt(cpus) : -1,
          bytes(fields.getOrDefault("mem_total", "-")),
          Map.copyOf(fields));
    }
  }
}
