package io.millrace.schedulers.dialects.gridengine.options;

import java.util.LinkedHashMap;
import java.util.Map;

/** All tables, by the name under which the documentation shows them. */
public final class ObjectTables {

  private ObjectTables() {}

  public static Map<String, OptionTable> all() {
    Map<String, OptionTable> tables = new LinkedHashMap<>();
    tables.put("sched_conf", SchedulerOptions.TABLE);
    tables.put("params of sched_conf", SchedulerParams.TABLE);
    tables.put("queue_conf", QueueOptions.TABLE);
    tables.put("sge_pe", EnvironmentOptions.TABLE);
    tables.put("host_conf", HostOptions.TABLE);
    tables.put("hostgroup", HostOptions.GROUP);
    tables.put("sge_conf", CellOptions.TABLE);
    return tables;
  }

  /** The table whose object a text describes, by its first word; none when no line begins so. */
  public static java.util.Optional<OptionTable> recognise(String text) {
    return Line.of(text).stream()
        .map(line -> line.text().split("\\s+", 2)[0])
        .flatMap(
            word ->
                switch (word) {
                  case "qname" -> java.util.stream.Stream.of(QueueOptions.TABLE);
                  case "pe_name" -> java.util.stream.Stream.of(EnvironmentOptions.TABLE);
                  case "hostname" -> java.util.stream.Stream.of(HostOptions.TABLE);
                  case "group_name" -> java.util.stream.Stream.of(HostOptions.GROUP);
                  case "algorithm", "schedule_interval", "max_reservation", "queue_sort_method" ->
                      java.util.stream.Stream.of(SchedulerOptions.TABLE);
                  case "execd_spool_dir", "max_aj_tasks", "max_aj_instances" ->
                      java.util.stream.Stream.of(CellOptions.TABLE);
                  default -> java.util.stream.Stream.<OptionTable>empty();
                })
        .findFirst();
  }
}
