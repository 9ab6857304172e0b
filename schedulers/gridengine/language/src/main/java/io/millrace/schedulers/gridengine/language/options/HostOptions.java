package io.millrace.schedulers.gridengine.language.options;

import io.millrace.schedulers.gridengine.language.options.Option.Effect;
import java.util.List;
import java.util.Set;

/** host_conf and hostgroup: what {@code qconf -se NAME} and {@code qconf -shgrp @NAME} print. */
public final class HostOptions {

  private static final List<Option> ROWS =
      List.of(
          new Option(
              "hostname",
              Form.NAME,
              "template",
              Effect.DECIDES,
              "The host's name; global means the whole cluster.",
              "Whose resources the other lines give."),
          new Option(
              "load_scaling",
              Form.FACTORS,
              "NONE",
              Effect.DECIDES,
              "Factors for reported load values.",
              "The loads that order hosts and that requests are held against."),
          new Option(
              "complex_values",
              Form.AMOUNTS,
              "NONE",
              Effect.DECIDES,
              "What the host offers: amounts of consumables, values of the others.",
              "Which requests fit here, and how many at once."),
          new Option(
              "load_values",
              Form.AMOUNTS,
              "NONE",
              Effect.DECIDES,
              "What the host reported.",
              "The host's place in the order, and which requests on load values fit."),
          new Option(
              "processors",
              Form.COUNT,
              "0",
              Effect.KEPT,
              "Processors that the host reported.",
              "Nothing: num_proc among the load values counts."),
          new Option(
              "user_lists",
              Form.NAMES,
              "NONE",
              Effect.DECIDES,
              "Access lists of which a user must be in one.",
              "Who may use the host."),
          new Option(
              "xuser_lists",
              Form.NAMES,
              "NONE",
              Effect.DECIDES,
              "Access lists of which a user must be in none.",
              "Who may not use the host."),
          new Option(
              "projects",
              Form.NAMES,
              "NONE",
              Effect.DECIDES,
              "Projects of which a job must be in one.",
              "Whose jobs run here."),
          new Option(
              "xprojects",
              Form.NAMES,
              "NONE",
              Effect.DECIDES,
              "Projects of which a job must be in none.",
              "Whose jobs do not run here."),
          new Option(
              "usage_scaling",
              Form.USAGE,
              "NONE",
              Effect.KEPT,
              "Factors for accounted usage.",
              "Nothing: usage does not enter the order of jobs."),
          new Option(
              "report_variables",
              Form.TEXT,
              "NONE",
              Effect.KEPT,
              "Load values that are written to the reporting file.",
              "Nothing about who starts where."));

  /** Options of an execution host or the global host. */
  public static final OptionTable TABLE = new OptionTable("a host", ROWS, Set.of("hostname"));

  /** Options of a host group. */
  public static final OptionTable GROUP =
      new OptionTable(
          "a host group",
          List.of(
              new Option(
                  "group_name",
                  Form.matching("a name that begins with @", "@[\\w.-]+"),
                  "@template",
                  Effect.DECIDES,
                  "The group's name.",
                  "Which lists mean it."),
              new Option(
                  "hostlist",
                  Form.HOSTS,
                  "NONE",
                  Effect.DECIDES,
                  "Hosts and other groups that belong to it.",
                  "Where queues of the group have instances, and whose values [@group=...] sets.")),
          Set.of("group_name"));

  private HostOptions() {}
}
