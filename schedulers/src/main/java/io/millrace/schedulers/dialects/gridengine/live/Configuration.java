package io.millrace.schedulers.dialects.gridengine.live;

import io.millrace.schedulers.dialects.gridengine.cluster.Cluster;
import io.millrace.schedulers.dialects.gridengine.cluster.ClusterText;
import io.millrace.schedulers.dialects.gridengine.cluster.Complexes;
import io.millrace.schedulers.dialects.gridengine.cluster.NamedAttributes;
import io.millrace.schedulers.dialects.gridengine.options.CellOptions;
import io.millrace.schedulers.dialects.gridengine.options.Objections;
import io.millrace.schedulers.dialects.gridengine.options.Refused;
import io.millrace.schedulers.dialects.gridengine.options.SchedulerOptions;
import io.millrace.schedulers.dialects.gridengine.options.Settings;
import io.millrace.schedulers.dialects.gridengine.request.JobLimits;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * All that a Grid Engine's administrator has configured, read from texts as qconf prints them: a
 * file for each object, named {@code complex}, {@code sched}, {@code hgrp...}, {@code queue.NAME},
 * {@code pe.NAME}, {@code host.NAME} and {@code acl.NAME}; perhaps {@code conf} for the cell.
 *
 * @param objections what is wrong with it although it is obeyed, with file and line: an earlier
 *     Millrace took it
 */
public record Configuration(
    Cluster cluster, Settings scheduler, JobLimits limits, Set<String> objections) {

  /** Begins the text of each file where all of them are one text. */
  private static final String MARK = "=== ";

  private static final String COMPLEX = "complex";
  private static final String SCHED = "sched";
  private static final String CELL = "conf";

  /**
   * @param files texts by the names of their files
   * @throws Refused with file, line and reason, when a text is wrong or one is missing
   */
  public static Configuration of(Map<String, String> files) {
    return of(files, Set.of(), Objections.STRICT);
  }

  /**
   * @param said where objections that are not thrown can be found
   */
  private static Configuration of(
      Map<String, String> files, Set<String> said, Objections objections) {
    for (String needed : List.of(COMPLEX, SCHED)) {
      if (!files.containsKey(needed)) {
        throw new Refused(needed, 0, "there is no such file");
      }
    }
    files.forEach(Configuration::checkApart);
    ClusterText texts =
        new ClusterText(Complexes.parse(COMPLEX, files.get(COMPLEX), objections), objections);
    Settings scheduler = SchedulerOptions.TABLE.parse(SCHED, files.get(SCHED), objections);
    new TreeMap<>(files)
        .forEach(
            (name, text) -> {
              if (!List.of(COMPLEX, SCHED, CELL).contains(name)) {
                texts.take(name, name, text);
              }
            });
    Cluster cluster = texts.checkNames().cluster();
    NamedAttributes.checkScheduler(scheduler, cluster.complexes());
    if (cluster.queues().isEmpty()) {
      throw new Refused("queue.NAME", 0, "there is no cluster queue with a host");
    }
    JobLimits limits =
        files.containsKey(CELL)
            ? JobLimits.of(CellOptions.TABLE.parse(CELL, files.get(CELL), objections))
            : JobLimits.USUAL;
    return new Configuration(cluster, scheduler, limits, said);
  }

  /** The files must be apart again when they have been one text. */
  private static void checkApart(String file, String text) {
    if (!file.matches("\\S+")) {
      throw new Refused(file, 0, "the name of a file must have no blanks");
    }
    int number = 0;
    for (String line : text.lines().toList()) {
      number++;
      if (line.startsWith(MARK)) {
        throw new Refused(file, number, "no line may begin with '" + MARK + "'");
      }
    }
  }

  /**
   * The configuration in the one text that a scheduler object carries. What an earlier Millrace has
   * taken is obeyed as it was then, also where it is refused now: {@link #objections} says where.
   *
   * @throws Refused when that would have refused it too
   */
  public static Configuration stored(String text) {
    Set<String> said = new LinkedHashSet<>();
    return of(split(text), said, refused -> said.add(refused.getMessage()));
  }

  /** All files as one text, in the order of their names. */
  public static String join(Map<String, String> files) {
    StringBuilder text = new StringBuilder();
    new TreeMap<>(files)
        .forEach(
            (name, content) -> {
              text.append(MARK).append(name).append('\n').append(content);
              if (!content.endsWith("\n")) {
                text.append('\n');
              }
            });
    return text.toString();
  }

  /** The files of {@link #join}. */
  public static Map<String, String> split(String text) {
    Map<String, String> files = new LinkedHashMap<>();
    StringBuilder content = null;
    String name = "";
    for (String line : text.lines().toList()) {
      if (line.startsWith(MARK)) {
        if (content != null) {
          files.put(name, content.toString());
        }
        name = line.substring(MARK.length()).strip();
        content = new StringBuilder();
      } else if (content != null) {
        content.append(line).append('\n');
      } else {
        throw new Refused(
            "the configuration", 1, "it does not begin with '" + MARK + "' and a file's name");
      }
    }
    if (content != null) {
      files.put(name, content.toString());
    }
    return files;
  }
}
