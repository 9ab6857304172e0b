package io.millrace.server.gateway.plus;

import io.millrace.schemas.common.ObjectKind;
import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.command.Failure;
import io.millrace.server.gateway.link.LinkException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Option --at: how many nodes in which partition.
 *
 * @param nodes by partition, in the order of the option
 */
record PlusParts(Map<String, Integer> nodes) {
  static final String WORD = "--at";

  /** The shard answers when it is decided, and all parts have been told. */
  static final long WAIT_S = -20;

  private static final int PARTS_MAX = 64;
  private static final Pattern PART = Pattern.compile("([^=,:]+)=([0-9]{1,9})");

  /** Why the partitions and numbers of another option have no sense beside this one. */
  private static final Map<String, String> SENSELESS =
      Map.of(
          "-n", "it says how many nodes in which partition",
          "-sgeq", "it names the partitions",
          "-T", "its parts are held and committed together by themselves");

  static PlusParts read(Call call, PlusOptions options)
      throws Failure, LinkException, InterruptedException {
    for (String other : List.of("-n", "-sgeq", "-T")) {
      if (options.has(other)) {
        throw options.wrong(
            "option " + other + " cannot be used with --at: " + SENSELESS.get(other));
      }
    }
    Map<String, Integer> nodes = new LinkedHashMap<>();
    for (String text : options.value(WORD).split(",", -1)) {
      if (text.contains(":")) {
        throw options.wrong("option --at: other installations are not supported: " + text);
      }
      Matcher part = PART.matcher(text);
      if (!part.matches()) {
        throw options.wrong("option --at: not partition=number: " + text);
      }
      int number = Integer.parseInt(part.group(2));
      if (number < 1 || number > PlusRequest.NODES_MAX) {
        throw options.wrong(
            "option --at: not from 1 to " + PlusRequest.NODES_MAX + " nodes: " + text);
      }
      if (nodes.put(part.group(1), number) != null) {
        throw options.wrong("option --at: " + part.group(1) + " is named twice");
      }
    }
    if (nodes.size() > PARTS_MAX) {
      throw options.wrong("option --at: more than " + PARTS_MAX + " partitions");
    }
    for (String partition : nodes.keySet()) {
      if (call.site().find(ObjectKind.PARTITION, partition).isEmpty()) {
        throw call.failure("unknown partition: " + partition, PlusAnswer.REFUSED);
      }
    }
    return new PlusParts(nodes);
  }
}
