package io.millrace.connectors.bridge.run;

import io.millrace.connectors.bridge.system.OutsideAmounts;
import io.millrace.connectors.bridge.system.OutsideCause;
import io.millrace.connectors.bridge.system.OutsideEnd;
import io.millrace.connectors.bridge.system.OutsideId;
import io.millrace.connectors.bridge.system.OutsideShare;
import io.millrace.connectors.bridge.system.OutsideSubmission;
import io.millrace.connectors.bridge.system.OutsideTag;
import io.millrace.connectors.bridge.system.OutsideTask;
import io.millrace.connectors.bridge.system.OutsideUsage;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.CRC32;

/** A line of the journal: a check sum, a word that says what it is, and fields. */
record JournalLine(String word, List<String> fields) {

  private static final int RUN_FIELDS = 15;

  /** Of a run of which something is in doubt; others have no field for it. */
  private static final int DOUBT = RUN_FIELDS;

  private static final int ORDER_FIELDS = 12;

  /** Of an order: processors of each host; behind it memory, pieces, and resources. */
  private static final int SLOTS = 5;

  /** An empty field; no encoded text looks like it. */
  private static final String EMPTY = "~";

  /** The line with its check sum and its end. */
  String written() {
    StringBuilder text = new StringBuilder(word);
    for (String field : fields) {
      text.append(' ').append(URLEncoder.encode(field, StandardCharsets.UTF_8));
      if (field.isEmpty()) {
        text.append(EMPTY);
      }
    }
    return sum(text.toString()) + " " + text + "\n";
  }

  /** Reads a line; empty when it is not as it was written. */
  static Optional<JournalLine> read(String line) {
    int blank = line.indexOf(' ');
    if (blank < 0 || !sum(line.substring(blank + 1)).equals(line.substring(0, blank))) {
      return Optional.empty();
    }
    String[] words = line.substring(blank + 1).split(" ");
    List<String> fields = new ArrayList<>();
    for (int i = 1; i < words.length; i++) {
      fields.add(words[i].equals(EMPTY) ? "" : URLDecoder.decode(words[i], StandardCharsets.UTF_8));
    }
    return Optional.of(new JournalLine(words[0], fields));
  }

  private static String sum(String text) {
    CRC32 sum = new CRC32();
    sum.update(text.getBytes(StandardCharsets.UTF_8));
    return String.format("%08x", sum.getValue());
  }

  /** What is to be run. It is written once for each run. */
  static JournalLine order(OutsideSubmission order) {
    List<String> fields = new ArrayList<>();
    fields.add(order.tag().toString());
    fields.add(order.account());
    fields.add(order.name());
    fields.add(order.place().queue().orElse(""));
    fields.add(String.join(",", order.place().hosts()));
    fields.add(each(order, it -> Long.toString(it.slots())));
    fields.add(each(order, it -> Long.toString(it.memoryKb())));
    fields.add(each(order, it -> Long.toString(it.chunks())));
    fields.add(each(order, it -> resources(it.resources())));
    fields.add(order.amounts().wallSeconds().map(String::valueOf).orElse(""));
    fields.add(order.work().folder());
    fields.add(Base64.getEncoder().encodeToString(order.work().script()));
    fields.add(Integer.toString(order.work().arguments().size()));
    fields.addAll(order.work().arguments());
    order
        .work()
        .environment()
        .forEach(
            (name, value) -> {
              fields.add(name);
              fields.add(value);
            });
    return new JournalLine("order", fields);
  }

  /** A text of each host. */
  private static String each(OutsideSubmission order, Function<OutsideShare, String> text) {
    return order.amounts().hosts().stream().map(text).collect(Collectors.joining(","));
  }

  private List<String> each(int at) {
    return fields.get(at).isEmpty() ? List.of() : List.of(fields.get(at).split(",", -1));
  }

  private List<OutsideShare> shares() {
    List<OutsideShare> shares = new ArrayList<>();
    String[] resources = fields.get(SLOTS + 3).split(",", -1);
    for (int i = 0; i < each(SLOTS).size(); i++) {
      shares.add(
          new OutsideShare(
              Integer.parseInt(each(SLOTS).get(i)),
              Long.parseLong(each(SLOTS + 1).get(i)),
              Integer.parseInt(each(SLOTS + 2).get(i)),
              resources(resources[i])));
    }
    return shares;
  }

  /** The submission that {@link #order} has written. */
  OutsideSubmission submission() {
    int arguments = ORDER_FIELDS + 1;
    int variables = arguments + Integer.parseInt(fields.get(ORDER_FIELDS));
    Map<String, String> environment = new LinkedHashMap<>();
    for (int i = variables; i + 1 < fields.size(); i += 2) {
      environment.put(fields.get(i), fields.get(i + 1));
    }
    return new OutsideSubmission(
        tag(),
        fields.get(1),
        fields.get(2),
        new OutsideSubmission.OutsidePlace(given(3), each(4)),
        new OutsideAmounts(shares(), given(9).map(Long::parseLong)),
        new OutsideSubmission.SubmittedScript(
            Base64.getDecoder().decode(fields.get(11)),
            List.copyOf(fields.subList(arguments, variables)),
            environment,
            fields.get(10)));
  }

  private static String resources(Map<String, Long> amounts) {
    return amounts.entrySet().stream()
        .map(it -> it.getKey() + "=" + it.getValue())
        .sorted()
        .collect(Collectors.joining("&"));
  }

  private static Map<String, Long> resources(String text) {
    Map<String, Long> amounts = new LinkedHashMap<>();
    for (String each : text.isEmpty() ? new String[0] : text.split("&")) {
      String[] pair = each.split("=", 2);
      amounts.put(pair[0], Long.parseLong(pair[1]));
    }
    return amounts;
  }

  /** All that changes of a run. */
  static JournalLine run(OutsideRun run) {
    return new JournalLine(
        "run",
        Stream.concat(
                Stream.of(
                    run.tag().toString(),
                    run.state().name(),
                    run.since().toString(),
                    run.id().map(OutsideId::toString).orElse(""),
                    run.submitted().map(Instant::toString).orElse(""),
                    Integer.toString(run.attempts()),
                    run.unclear().map(Instant::toString).orElse(""),
                    Boolean.toString(run.delete()),
                    run.end().map(it -> it.cause().name()).orElse(""),
                    run.end().map(it -> Integer.toString(it.status())).orElse(""),
                    run.end().map(it -> Integer.toString(it.signal())).orElse(""),
                    run.end().map(OutsideEnd::words).orElse(""),
                    run.end().flatMap(OutsideEnd::usage).map(JournalLine::amounts).orElse(""),
                    run.task().map(it -> it.array().toString()).orElse(""),
                    run.task().map(it -> Long.toString(it.index())).orElse("")),
                run.doubt().map(RunDoubt::written).stream())
            .toList());
  }

  private static String amounts(OutsideUsage usage) {
    return usage.cputMs() + "," + usage.walltimeMs() + "," + usage.memKb() + "," + usage.vmemKb();
  }

  private static OutsideUsage usage(String amounts) {
    String[] words = amounts.split(",");
    return new OutsideUsage(
        Long.parseLong(words[0]),
        Long.parseLong(words[1]),
        Long.parseLong(words[2]),
        Long.parseLong(words[3]));
  }

  /** The run that {@link #run} has written. */
  OutsideRun run(OutsideSubmission order) {
    if (fields.size() != RUN_FIELDS && fields.size() != DOUBT + 1) {
      throw new IllegalArgumentException(fields.size() + " fields of a run");
    }
    return new OutsideRun(
        order,
        OutsideRunState.valueOf(fields.get(1)),
        Instant.parse(fields.get(2)),
        given(3).map(JournalLine::id),
        given(4).map(Instant::parse),
        Integer.parseInt(fields.get(5)),
        given(6).map(Instant::parse),
        Boolean.parseBoolean(fields.get(7)),
        given(8)
            .map(
                it ->
                    new OutsideEnd(
                        Integer.parseInt(fields.get(9)),
                        Integer.parseInt(fields.get(10)),
                        OutsideCause.valueOf(it),
                        fields.get(11),
                        given(12).map(JournalLine::usage))),
        given(13).map(it -> new OutsideTask(tag(it), Long.parseLong(fields.get(14)))),
        fields.size() > DOUBT ? given(DOUBT).map(RunDoubt::read) : Optional.empty());
  }

  private static OutsideId id(String text) {
    return OutsideId.read(text)
        .orElseThrow(() -> new IllegalArgumentException(text + " is no number"));
  }

  OutsideTag tag() {
    return tag(fields.get(0));
  }

  private static OutsideTag tag(String text) {
    return OutsideTag.read(text)
        .orElseThrow(() -> new IllegalArgumentException(text + " is no tag"));
  }

  private Optional<String> given(int at) {
    return Optional.of(fields.get(at)).filter(it -> !it.isEmpty());
  }
}
