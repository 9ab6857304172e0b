package io.millrace.server.gateway.plus;

import io.millrace.reservations.window.ReservedTime;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.state.SiteWish;
import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.command.Failure;
import io.millrace.server.gateway.link.LinkException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Option --at: how many nodes in which partition, here or in another installation.
 *
 * @param nodes by partition of this installation, in the order of the option
 * @param elsewhere in others
 */
record PlusParts(Map<String, Integer> nodes, List<SiteNodes> elsewhere) {

  /** Nodes of a partition in another installation. */
  record SiteNodes(String site, String partition, int nodes) {}

  static final String WORD = "--at";

  /** The shard answers when it is decided, and all parts have been told. */
  private static final long WAIT_S = -20;

  /** The same with other installations, which are asked twice. */
  private static final long SITES_WAIT_S = -60;

  private static final int PARTS_MAX = 64;
  private static final Pattern PART =
      Pattern.compile("(?:([A-Za-z0-9][A-Za-z0-9_.-]{0,62}):)?([^=,:]+)=([0-9]{1,9})");

  /** Options that say what each node must have, the same everywhere. */
  private static final List<String> OF_NODES =
      List.of("-mem", "-ncpu", "-arch", "-os", "-l", "-sn");

  static PlusParts read(Call call, PlusOptions options)
      throws Failure, LinkException, InterruptedException {
    refuse(options, "-n", "it says how many nodes in which partition");
    refuse(options, "-sgeq", "it names the partitions");
    PlusParts parts = new PlusParts(new LinkedHashMap<>(), new ArrayList<>());
    for (String text : options.value(WORD).split(",", -1)) {
      parts.add(options, text);
    }
    int count = parts.nodes.size() + parts.elsewhere.size();
    if (count > PARTS_MAX) {
      throw options.wrong("option --at: more than " + PARTS_MAX + " partitions");
    }
    if (count > 1 || parts.nodes.isEmpty()) {
      refuse(options, "-T", "its parts are held and committed together by themselves");
    }
    for (String partition : parts.nodes.keySet()) {
      if (call.site().find(ObjectKind.PARTITION, partition).isEmpty()) {
        throw call.failure("unknown partition: " + partition, PlusAnswer.REFUSED);
      }
    }
    if (!parts.elsewhere.isEmpty()) {
      String unknown = OtherSites.missing(call.site().home(), parts.sites());
      if (!unknown.isEmpty()) {
        throw call.failure(unknown, PlusAnswer.REFUSED);
      }
    }
    return parts;
  }

  private static void refuse(PlusOptions options, String other, String why) throws Failure {
    if (options.has(other)) {
      throw options.wrong("option " + other + " cannot be used with --at: " + why);
    }
  }

  private void add(PlusOptions options, String text) throws Failure {
    Matcher part = PART.matcher(text);
    if (!part.matches()) {
      throw options.wrong("option --at: not partition=number or site:partition=number: " + text);
    }
    int number = Integer.parseInt(part.group(3));
    if (number < 1 || number > PlusRequest.NODES_MAX) {
      throw options.wrong(
          "option --at: not from 1 to " + PlusRequest.NODES_MAX + " nodes: " + text);
    }
    String site = part.group(1);
    String partition = part.group(2);
    boolean twice =
        site == null
            ? nodes.put(partition, number) != null
            : elsewhere.stream()
                .anyMatch(it -> it.site().equals(site) && it.partition().equals(partition));
    if (twice) {
      String name = text.substring(0, text.indexOf('='));
      throw options.wrong("option --at: " + name + " is named twice");
    }
    if (site != null) {
      elsewhere.add(new SiteNodes(site, partition, number));
    }
  }

  private Set<String> sites() {
    return elsewhere.stream()
        .map(SiteNodes::site)
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  /** The one partition of a reservation that is held with -T. */
  Map.Entry<String, Integer> only() {
    return nodes.entrySet().iterator().next();
  }

  long waitSeconds() {
    return elsewhere.isEmpty() ? WAIT_S : SITES_WAIT_S;
  }

  /** Of how many nodes of which partition other installations are asked. */
  List<SiteWish> wishes() {
    return elsewhere.stream()
        .map(it -> new SiteWish(it.site(), it.partition(), it.nodes()))
        .toList();
  }

  /**
   * What each of them is asked for besides: for whom the caller names and for himself, since it is
   * owned there by the account in whose name they are asked.
   */
  List<String> arguments(PlusOptions options, ReservedTime window, String owner) {
    if (elsewhere.isEmpty()) {
      return List.of();
    }
    List<String> arguments = new ArrayList<>();
    arguments.addAll(List.of("-s", Instant.ofEpochMilli(window.startMs()).toString()));
    arguments.addAll(List.of("-e", Instant.ofEpochMilli(window.endMs()).toString()));
    String users = options.has("-U") ? "," + options.value("-U") : "";
    arguments.addAll(List.of("-U", owner + users));
    for (String word : OF_NODES) {
      if (options.has(word)) {
        arguments.addAll(List.of(word, options.value(word)));
      }
    }
    return arguments;
  }
}
