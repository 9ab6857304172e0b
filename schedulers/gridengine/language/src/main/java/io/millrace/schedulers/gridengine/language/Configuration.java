package io.millrace.schedulers.gridengine.language;

import io.millrace.schedulers.gridengine.language.cluster.Cluster;
import io.millrace.schedulers.gridengine.language.cluster.ClusterText;
import io.millrace.schedulers.gridengine.language.cluster.Complexes;
import io.millrace.schedulers.gridengine.language.cluster.NamedAttributes;
import io.millrace.schedulers.gridengine.language.options.CellOptions;
import io.millrace.schedulers.gridengine.language.options.ConfigurationRefused;
import io.millrace.schedulers.gridengine.language.options.OptionValues;
import io.millrace.schedulers.gridengine.language.options.SchedulerOptions;
import io.millrace.schedulers.gridengine.language.request.JobLimits;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * All that a Grid Engine's administrator has configured, read from texts as qconf prints them: a
 * file for each object, named {@code complex}, {@code sched}, {@code hgrp...}, {@code queue.NAME},
 * {@code pe.NAME}, {@code host.NAME} and {@code acl.NAME}; perhaps {@code conf} for the cell.
 */
public record Configuration(Cluster cluster, OptionValues scheduler, JobLimits limits) {

  /** Marks the beginning of each file where all files are joined into one text. */
  private static final String MARK = "=== ";

  private static final String COMPLEX = "complex";
  private static final String SCHED = "sched";
  private static final String CELL = "conf";

  /**
   * @param files texts by the names of their files
   * @throws ConfigurationRefused with file, line and reason, when a text is wrong or one is missing
   */
  public static Configuration of(Map<String, String> files) {
    for (String needed : List.of(COMPLEX, SCHED)) {
      if (!files.containsKey(needed)) {
        throw new ConfigurationRefused(needed, 0, "there is no such file");
      }
    }
    files.forEach(Configuration::checkApart);
    ClusterText texts = new ClusterText(Complexes.parse(COMPLEX, files.get(COMPLEX)));
    OptionValues scheduler = SchedulerOptions.TABLE.parse(SCHED, files.get(SCHED));
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
      throw new ConfigurationRefused("queue.NAME", 0, "there is no cluster queue with a host");
    }
    JobLimits limits =
        files.containsKey(CELL)
            ? JobLimits.of(CellOptions.TABLE.parse(CELL, files.get(CELL)))
            : JobLimits.USUAL;
    return new Configuration(cluster, scheduler, limits);
  }

  /** A file that contains the mark could not be split from the joined text again. */
  private static void checkApart(String file, String text) {
    if (!file.matches("\\S+")) {
      throw new ConfigurationRefused(file, 0, "the name of a file must have no blanks");
    }
    int number = 0;
    for (String line : text.lines().toList()) {
      number++;
      if (line.startsWith(MARK)) {
        throw new ConfigurationRefused(file, number, "no line may begin with '" + MARK + "'");
      }
    }
  }

  /**
   * The configuration from the joined text that a scheduler object carries.
   *
   * @throws ConfigurationRefused as of its files
   */
  public static Configuration stored(String text) {
    return of(split(text));
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

  /** Splits a text made by {@link #join} into its files. */
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
        throw new ConfigurationRefused(
            "the configuration", 1, "it does not begin with '" + MARK + "' and a file's name");
      }
    }
    if (content != null) {
      files.put(name, content.toString());
    }
    return files;
  }
}
