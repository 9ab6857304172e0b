package io.millrace.ops.bench.site;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Processor time that each part of an installation has used so far, and in it each group of
 * threads, as the part's own list of its threads tells.
 *
 * @param ms milliseconds of a part and of a part's groups, which are named PART_GROUP
 */
public record PartTimes(Map<String, Double> ms) {
  private static final Pattern THREAD =
      Pattern.compile("^\"([^\"]+)\".*? cpu=([0-9.]+)ms", Pattern.MULTILINE);

  /** What the names of a group's threads contain; the first that fits counts. */
  private static final Map<String, List<String>> GROUPS = new LinkedHashMap<>();

  static {
    GROUPS.put("compilers", List.of("CompilerThread", "Sweeper thread"));
    GROUPS.put("collector", List.of("VM Thread", "GC Thread"));
    GROUPS.put("requests", List.of("request-handler"));
    GROUPS.put("network", List.of("data-plane-kafka-network-thread"));
    GROUPS.put("senders", List.of("SenderThread"));
    GROUPS.put("coordinators", List.of("coordinator-event-processor"));
    GROUPS.put("producers", List.of("kafka-producer-network-thread"));
    GROUPS.put("shards", List.of("StreamThread"));
    GROUPS.put("engines", List.of("engine-"));
    GROUPS.put("sessions", List.of("session", "caller-names"));
    GROUPS.put("replies", List.of("gateway-replies"));
  }

  private static final String OTHERS = "others";

  /** The list of the threads of a process; to make it costs that process some time. */
  interface ThreadLists {
    String of(long pid) throws IOException, InterruptedException;
  }

  /** Of all parts that run, when what is to be measured follows. */
  public static PartTimes before(BenchSite site) throws IOException, InterruptedException {
    return before(pids(site), pid -> Jcmd.ask(pid, "Thread.print"));
  }

  /** Of all parts that run, when what is to be measured is over. */
  public static PartTimes after(BenchSite site) throws IOException, InterruptedException {
    return after(pids(site), pid -> Jcmd.ask(pid, "Thread.print"));
  }

  /** Asks for threads first, so that the parts are not charged with the answers. */
  static PartTimes before(Map<String, Long> pids, ThreadLists lists)
      throws IOException, InterruptedException {
    Map<String, Double> ms = ofThreads(pids, lists);
    ms.putAll(ofParts(pids));
    return new PartTimes(ms);
  }

  /** Asks for threads last, for the same reason. */
  static PartTimes after(Map<String, Long> pids, ThreadLists lists)
      throws IOException, InterruptedException {
    Map<String, Double> ms = ofParts(pids);
    ms.putAll(ofThreads(pids, lists));
    return new PartTimes(ms);
  }

  private static Map<String, Long> pids(BenchSite site) throws IOException {
    Map<String, Long> pids = new LinkedHashMap<>();
    for (String part : site.installation().parts()) {
      site.pid(part).ifPresent(pid -> pids.put(part, pid));
    }
    return pids;
  }

  private static Map<String, Double> ofParts(Map<String, Long> pids) throws IOException {
    Map<String, Double> ms = new LinkedHashMap<>();
    for (Map.Entry<String, Long> part : pids.entrySet()) {
      ms.put(part.getKey(), ProcessorTime.ofProcess(part.getValue()) / 1000);
    }
    return ms;
  }

  private static Map<String, Double> ofThreads(Map<String, Long> pids, ThreadLists lists)
      throws IOException, InterruptedException {
    Map<String, Double> ms = new LinkedHashMap<>();
    for (Map.Entry<String, Long> part : pids.entrySet()) {
      groups(lists.of(part.getValue()))
          .forEach((group, used) -> ms.put(part.getKey() + "_" + group, used));
    }
    return ms;
  }

  /** Milliseconds of each group of the threads that a process lists. */
  static Map<String, Double> groups(String list) {
    Map<String, Double> groups = new LinkedHashMap<>();
    Matcher threads = THREAD.matcher(list);
    while (threads.find()) {
      groups.merge(group(threads.group(1)), Double.valueOf(threads.group(2)), Double::sum);
    }
    return groups;
  }

  private static String group(String thread) {
    for (Map.Entry<String, List<String>> group : GROUPS.entrySet()) {
      if (group.getValue().stream().anyMatch(thread::contains)) {
        return group.getKey();
      }
    }
    return OTHERS;
  }

  /** What was used since then for each of so many jobs, and by all parts together. */
  public BenchFigures since(PartTimes before, String prefix, int jobs) {
    BenchFigures figures = BenchFigures.none();
    double all = 0;
    for (Map.Entry<String, Double> now : ms.entrySet()) {
      double used = (now.getValue() - before.ms.getOrDefault(now.getKey(), 0.0)) / jobs;
      figures = figures.with(prefix + now.getKey() + "_ms", Math.max(0, used));
      all += now.getKey().contains("_") ? 0 : used;
    }
    return figures.with(prefix + "parts_ms", all);
  }
}
