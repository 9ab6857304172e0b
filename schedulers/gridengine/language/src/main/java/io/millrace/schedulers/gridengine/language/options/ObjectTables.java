package io.millrace.schedulers.gridengine.language.options;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

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
    tables.put("access_list", AccessListOptions.TABLE);
    tables.put("sge_conf", CellOptions.TABLE);
    return tables;
  }

  /**
   * The table whose object a text describes: by the line that names the object, else the table of
   * which it has most options; empty when it has no option of any table.
   */
  public static Optional<OptionTable> recognise(String text) {
    return named(text).or(() -> mostLike(text));
  }

  private static Optional<OptionTable> mostLike(String text) {
    List<String> words =
        Line.of(text).stream().map(line -> line.text().split("\\s+", 2)[0]).toList();
    Map<OptionTable, Long> known = new LinkedHashMap<>();
    for (OptionTable table : all().values()) {
      List<String> names = table.options().stream().map(Option::name).toList();
      known.put(table, words.stream().filter(names::contains).count());
    }
    return known.entrySet().stream()
        .filter(each -> each.getValue() > 0 && each.getKey() != SchedulerParams.TABLE)
        .reduce((one, other) -> other.getValue() > one.getValue() ? other : one)
        .map(Map.Entry::getKey);
  }

  private static Optional<OptionTable> named(String text) {
    return Line.of(text).stream()
        .map(line -> line.text().split("\\s+", 2)[0])
        .flatMap(
            word ->
                switch (word) {
                  case "qname" -> Stream.of(QueueOptions.TABLE);
                  case "pe_name" -> Stream.of(EnvironmentOptions.TABLE);
                  case "hostname" -> Stream.of(HostOptions.TABLE);
                  case "group_name" -> Stream.of(HostOptions.GROUP);
                  case "name", "entries" -> Stream.of(AccessListOptions.TABLE);
                  case "algorithm", "schedule_interval", "max_reservation", "queue_sort_method" ->
                      Stream.of(SchedulerOptions.TABLE);
                  case "execd_spool_dir", "max_aj_tasks", "max_aj_instances" ->
                      Stream.of(CellOptions.TABLE);
                  default -> Stream.<OptionTable>empty();
                })
        .findFirst();
  }
}
