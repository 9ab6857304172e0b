package io.millrace.connectors.gridengine.reserve;

import io.millrace.connectors.bridge.command.CommandRunner;
import io.millrace.connectors.bridge.command.OutsideAnswer;
import io.millrace.connectors.bridge.command.OutsideAnswer.ProcessEnding;
import io.millrace.connectors.bridge.command.OutsideCommand;
import io.millrace.connectors.bridge.system.OutsideHost;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A cell that does what qconf, qmod, qdel and qstat ask for, with the answers that were recorded.
 */
final class FalseCell implements CommandRunner {

  /** The process that asks is killed. */
  static final class Killed extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  final Map<String, String> queues = new TreeMap<>();
  final Map<String, String> groups = new TreeMap<>();
  final Map<String, String> sets = new TreeMap<>();

  /** Letters of queue instances, by QUEUE@HOST. */
  final Map<String, String> states = new TreeMap<>();

  /** Queue instance or queue of each job. */
  final Map<String, String> jobs = new TreeMap<>();

  /**
   * Jobs of whom it is not said are of bob; arrays and what is no single job are told with tasks.
   */
  final Map<String, String> owners = new TreeMap<>();

  /** What stands in the context of a job, and those that are held. */
  final Map<String, String> marks = new TreeMap<>();

  final Set<String> held = new TreeSet<>();

  /** Jobs that are suspended by themselves, are not to run twice, and are runs of Millrace. */
  final Set<String> suspended = new TreeSet<>();

  final Set<String> once = new TreeSet<>();
  final Set<String> runs = new TreeSet<>();

  /** Jobs that cannot be submitted again, with the words for it; none for no answer. */
  final Map<String, String> refused = new TreeMap<>();

  /** Jobs that do not go when they are deleted. */
  final Set<String> stuck = new TreeSet<>();

  /** Accounts of the system, with what they have for a uid. */
  final Map<String, String> uids = new TreeMap<>(Map.of("root", "0"));

  /** What was done, without questions. */
  final List<String> done = new ArrayList<>();

  /** What else a job has asked for, in words. */
  final Map<String, String> asked = new TreeMap<>();

  /** Orders that are denied, as they begin. */
  final Set<String> denied = new TreeSet<>();

  /** Hosts of which qhost tells nothing. */
  final Set<String> hidden = new TreeSet<>();

  private String hostlist = "";
  private int killedAfter = Integer.MAX_VALUE;

  FalseCell(String... hosts) {
    queues.put(
        "all.q", "qname all.q\nhostlist @allhosts\nslots 4,[n1=8],[n9=2]\nuser_lists NONE\n");
    groups.put("@allhosts", "group_name @allhosts\nhostlist " + String.join(" ", hosts) + "\n");
    for (String host : hosts) {
      states.put("all.q@" + host, "");
    }
  }

  /** Killed when so many orders are carried out. */
  void killAfter(int orders) {
    killedAfter = orders;
  }

  List<OutsideHost> hosts() {
    Map<String, Map<String, String>> fields = new TreeMap<>();
    states.forEach(
        (instance, state) -> {
          String[] parts = instance.split("@");
          fields
              .computeIfAbsent(parts[1], it -> new LinkedHashMap<>())
              .put("queue." + parts[0] + ".state_string", state);
        });
    List<OutsideHost> all = new ArrayList<>();
    fields.keySet().removeAll(hidden);
    fields.forEach((host, each) -> all.add(new OutsideHost(host, true, "up", 2, 1, each)));
    return all;
  }

  @Override
  public OutsideAnswer run(OutsideCommand command) {
    List<String> words = new ArrayList<>(command.words());
    words.set(0, command.program());
    String line = String.join(" ", words);
    String first = words.get(0) + " " + words.get(1);
    String last = words.get(words.size() - 1);
    String told =
        switch (first) {
          case "qconf -sql" -> names(queues.keySet());
          case "qconf -shgrpl" -> names(groups.keySet());
          case "qconf -sul" -> names(sets.keySet());
          case "qconf -sq" -> queues.get(last);
          case "qconf -su" -> sets.get(last);
          case "qconf -shgrp" -> groups.get(last);
          case "qstat -u" -> shown();
          case "qstat -j" -> details();
          case "id -u" -> uids.getOrDefault(last, "1001") + "\n";
          default -> null;
        };
    if (told != null) {
      return told.isEmpty()
          ? answer(1, "no such list defined\n")
          : new OutsideAnswer(ProcessEnding.EXITED, 0, told, "", Duration.ZERO);
    }
    if (done.size() >= killedAfter) {
      throw new Killed();
    }
    if (first.startsWith("qdel ") && !first.endsWith("-f") || first.startsWith("qrls ")) {
      first = words.get(0) + " ";
    }
    if (first.equals("qresub -h") && refused.containsKey(last)) {
      done.add(line);
      String said = refused.get(last);
      return said.isEmpty()
          ? new OutsideAnswer(ProcessEnding.TIMED_OUT, -1, "", "", Duration.ofSeconds(20))
          : answer(1, said + "\n");
    }
    hostlist = words.size() > 5 ? words.get(4) : "";
    boolean is =
        denied.stream().noneMatch(line::startsWith)
            && carryOut(first, last, words.get(words.size() > 2 ? 2 : 1));
    done.add(first.endsWith("hgrp") || first.matches("qconf -[AMr].*") ? first : line);
    return answer(is ? 0 : 1, is ? "" : "denied: " + line + "\n");
  }

  private static OutsideAnswer answer(int status, String err) {
    return new OutsideAnswer(ProcessEnding.EXITED, status, "", err, Duration.ZERO);
  }

  private static String names(Set<String> names) {
    return String.join("\n", names);
  }

  private String shown() {
    StringBuilder xml = new StringBuilder("<job_info><queue_info>");
    jobs.forEach(
        (job, queue) -> {
          xml.append("<job_list><JB_job_number>" + job.replaceFirst("\\..*", ""))
              .append("</JB_job_number>")
              .append("<JB_owner>" + owners.getOrDefault(job, "bob") + "</JB_owner>")
              .append("<state>" + letters(job) + "</state>")
              .append("<queue_name>" + (queue.contains("@") ? queue : "") + "</queue_name>");
          String all = queue.replaceFirst("@.*", "") + " " + asked.getOrDefault(job, "");
          for (String each : all.strip().split(" ")) {
            xml.append("<hard_req_queue>" + each + "</hard_req_queue>");
          }
          if (job.contains(".")) {
            xml.append("<tasks>" + job.replaceFirst(".*\\.", "") + "</tasks>");
          }
          xml.append("</job_list>");
        });
    return xml + "</queue_info></job_info>";
  }

  private String letters(String job) {
    return held.contains(job) ? "hqw" : suspended.contains(job) ? "Ss" : "r";
  }

  private String details() {
    StringBuilder xml = new StringBuilder("<detailed_job_info><djob_info>");
    for (String job : jobs.keySet()) {
      xml.append("<element><JB_job_number>" + job + "</JB_job_number>")
          .append("<JB_mail_list><element/></JB_mail_list><JB_env_list>")
          .append("<VA_variable>MR_OF</VA_variable><VA_value>9</VA_value>")
          .append("<VA_variable>MILLRACE</VA_variable><VA_value>9</VA_value></JB_env_list>")
          .append("<JB_restart>" + (once.contains(job) ? 2 : 0) + "</JB_restart>")
          .append("<JB_context>");
      if (marks.containsKey(job)) {
        xml.append("<context_list><VA_variable>MR_OF</VA_variable><VA_value>")
            .append(marks.get(job) + "</VA_value></context_list>");
      }
      if (runs.contains(job)) {
        xml.append("<context_list><VA_variable>MILLRACE</VA_variable><VA_value>")
            .append("mr.c1.1.1</VA_value></context_list>");
      }
      xml.append("</JB_context></element>");
    }
    return xml + "</djob_info></detailed_job_info>";
  }

  private boolean carryOut(String first, String last, String third) {
    if (first.startsWith("qconf ")) {
      return configure(first, last, third);
    }
    return switch (first) {
      case "qmod -sq", "qmod -usq", "qmod -e", "qmod -d" -> mod(first.split(" ")[1], last);
      default -> change(first, last, third);
    };
  }

  /** What is done to a job. */
  private boolean change(String first, String last, String third) {
    switch (first) {
      case "qalter -ac" -> {
        marks.put(last, third.replace("MR_OF=", ""));
        return true;
      }
      case "qalter -dc" -> {
        return marks.remove(last) != null;
      }
      case "qmod -sj", "qmod -usj" -> {
        suspended.remove(last);
        if (first.endsWith(" -sj")) {
          suspended.add(last);
        }
        return jobs.containsKey(last);
      }
      case "qresub -h" -> {
        int number = 100 + jobs.size();
        while (jobs.containsKey(Integer.toString(number))) {
          number++;
        }
        String copy = Integer.toString(number);
        jobs.put(copy, jobs.get(last).replaceFirst("@.*", ""));
        owners.put(copy, owners.getOrDefault(last, "bob"));
        marks.put(copy, marks.get(last));
        held.add(copy);
        return true;
      }
      case "qdel " -> {
        if (stuck.contains(last)) {
          return true;
        }
        suspended.remove(last);
        return jobs.remove(last) != null;
      }
      case "qdel -f" -> {
        return jobs.remove(last.equals(third) ? last : third + "." + last) != null;
      }
      case "qrls " -> {
        return held.remove(last);
      }
      default -> throw new AssertionError(first);
    }
  }

  private boolean configure(String first, String last, String third) {
    switch (first) {
      case "qconf -au" -> {
        String entries =
            CellState.fields(sets.getOrDefault(last, ""))
                .getOrDefault("entries", "")
                .replace("NONE", "");
        put(last, (entries.isEmpty() ? "" : entries + ",") + third);
        return true;
      }
      case "qconf -du" -> {
        String text = sets.get(last);
        List<String> kept =
            new ArrayList<>(List.of(CellState.fields(text).get("entries").split(",")));
        boolean was = kept.remove(third);
        put(last, kept.isEmpty() ? "NONE" : String.join(",", kept));
        return was;
      }
      case "qconf -Ahgrp", "qconf -Mhgrp" -> {
        return put(groups, first.contains("-A"), "group_name", last) && instances();
      }
      case "qconf -Au", "qconf -Mu" -> {
        return put(sets, first.contains("-A"), "name", last);
      }
      case "qconf -Aq" -> {
        return put(queues, true, "qname", last) && instances();
      }
      case "qconf -dq" -> {
        boolean busy = jobs.values().stream().anyMatch(it -> it.startsWith(last + "@"));
        states.keySet().removeIf(it -> !busy && it.startsWith(last + "@"));
        return !busy && queues.remove(last) != null;
      }
      case "qconf -dul" -> {
        return queues.values().stream().noneMatch(it -> it.contains(" " + last + "\n"))
            && sets.remove(last) != null;
      }
      case "qconf -dhgrp" -> {
        return queues.values().stream().noneMatch(it -> it.contains(" " + last + "\n"))
            && groups.remove(last) != null;
      }
      case "qconf -rattr" -> {
        String text = queues.get(last);
        queues.put(last, text.replaceFirst("hostlist .*", "hostlist " + hostlist));
        return instances();
      }
      default -> throw new AssertionError(first);
    }
  }

  /** Puts a set of users. */
  private void put(String set, String entries) {
    sets.put(set, "name " + set + "\nentries " + entries + "\n");
  }

  private boolean mod(String verb, String which) {
    List<String> meant =
        states.keySet().stream()
            .filter(it -> it.equals(which) || it.startsWith(which + "@"))
            .toList();
    for (String each : meant) {
      String letter = verb.equals("-e") || verb.equals("-d") ? "d" : "s";
      String letters = states.get(each).replace(letter, "");
      states.put(each, verb.equals("-sq") || verb.equals("-d") ? letters + letter : letters);
    }
    return !meant.isEmpty();
  }

  private static boolean put(Map<String, String> objects, boolean isNew, String key, String file) {
    try {
      String text = Files.readString(Path.of(file));
      String name = CellState.fields(text).get(key);
      if (objects.containsKey(name) == isNew) {
        return false;
      }
      objects.put(name, text);
      return true;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Instances of the queues with a group of their own. */
  private boolean instances() {
    queues.forEach(
        (name, text) -> {
          String group = CellState.fields(text).get("hostlist");
          String members = CellState.fields(groups.getOrDefault(group, "")).get("hostlist");
          List<String> hosts = members == null ? List.of() : List.of(members.split(" "));
          for (String each : List.copyOf(states.keySet())) {
            if (each.startsWith(name + "@")) {
              boolean named = hosts.contains(each.replaceFirst(".*@", ""));
              String letters = states.remove(each).replace("o", "");
              if (named || jobs.containsValue(each)) {
                states.put(each, named ? letters : letters + "o");
              }
            }
          }
          for (String host : hosts) {
            states.putIfAbsent(
                name + "@" + host, text.contains("initial_state disabled") ? "d" : "");
          }
        });
    return true;
  }
}
