package io.millrace.schedulers.gridengine.language.options;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.schedulers.gridengine.language.cluster.Complexes;
import io.millrace.schemas.SeedSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;

/** The dialect parses what it prints. */
class OptionTablePropertyTest {

  private static final List<String> VALUES =
      List.of(
          "0",
          "1",
          "2",
          "17",
          "0:0:1",
          "1:30:0",
          "INFINITY",
          "NONE",
          "none",
          "TRUE",
          "false",
          "load",
          "seqno",
          "0.250000",
          "-3",
          "default",
          "4G",
          "512M",
          "a=1,b=2.5",
          "name",
          "@group",
          "node01 node02",
          "@all node03",
          "$fill_up",
          "$round_robin",
          "$pe_slots",
          "min",
          "avg",
          "BATCH",
          "BATCH INTERACTIVE",
          "job_list 1,2,3",
          "cpu=1.0,mem=0.0,io=0.0",
          "MONITOR=1,DURATION_OFFSET=0",
          "PROFILE=TRUE",
          "OFS",
          "np_load_avg+2*mem_used",
          "enabled",
          "disabled",
          "a b c",
          "2,[node01=4]",
          "INFINITY,[@big=0:1:0],[node02=10]",
          "NONE,[node01=qtok=2]",
          "mpi,[node01=smp]",
          "highest",
          "H_RT",
          "/bin/sh");

  @ParameterizedTest
  @SeedSource({1, 2, 3, 4, 5})
  void whatIsPrintedIsRead(long seed) {
    Random random = new Random(seed);
    for (OptionTable table : ObjectTables.all().values()) {
      OptionValues settings = table.usual();
      for (Option option : table.options()) {
        List<String> valid =
            VALUES.stream().filter(value -> option.form().accepts().test(value)).toList();
        if (!valid.isEmpty() && random.nextInt(3) > 0) {
          settings = settings.with(option.name(), valid.get(random.nextInt(valid.size())));
        }
      }
      if (table == SchedulerOptions.TABLE && settings.seconds("default_duration") == 0) {
        settings = settings.reset("default_duration"); // does not go with promises
      }
      String printed = table.print(settings);
      OptionValues read = table.parse("printed", printed);
      assertEquals(settings, read);
      assertEquals(printed, table.print(read));
    }
  }

  @ParameterizedTest
  @SeedSource({1, 2})
  void theComplexToo(long seed) {
    Random random = new Random(seed);
    List<String> types = List.of("INT", "DOUBLE", "TIME", "MEMORY", "BOOL", "STRING", "RESTRING");
    List<String> signs = List.of("==", "!=", "<=", "<", ">=", ">");
    List<String> rows = new ArrayList<>(List.of("slots s INT <= YES YES 1 1000"));
    for (int i = 0; i < 30; i++) {
      String type = types.get(random.nextInt(types.size()));
      boolean text = type.endsWith("STRING");
      boolean truth = type.equals("BOOL");
      String consumable = text ? "NO" : List.of("YES", "NO", "JOB").get(random.nextInt(3));
      String sign = signs.get(random.nextInt(text ? 2 : truth ? 1 : signs.size()));
      if (!consumable.equals("NO")) {
        sign = truth ? "EXCL" : "<=";
      }
      String asked = List.of("YES", "NO", "FORCED").get(random.nextInt(3));
      boolean taken = asked.equals("NO") && !consumable.equals("NO");
      rows.add(
          String.join(
              " ",
              "attribute" + i,
              "a" + i,
              type,
              sign,
              asked,
              consumable,
              text ? "NONE" : taken ? "1" : "0",
              String.valueOf(random.nextInt(5) * 0.5)));
    }
    Complexes complexes = Complexes.parse("rows", String.join("\n", rows));
    Complexes read = Complexes.parse("printed", complexes.print());
    assertEquals(complexes.all(), read.all());
  }

  @Test
  void linesMayGoOn() {
    OptionValues settings =
        HostOptions.TABLE.parse(
            "host", "hostname vm\nload_values load_avg=1.2, \\\n            arch=lx-amd64\n");
    assertEquals("load_avg=1.2,arch=lx-amd64", settings.get("load_values"));
    OptionValues group =
        HostOptions.GROUP.parse("group", "group_name @a\nhostlist node01\\\r\n  node02 \\\r\n");
    assertEquals("node01 node02", group.get("hostlist"));
  }

  @Test
  void aCommentEndsWithItsLine() {
    OptionValues settings =
        HostOptions.TABLE.parse("host", "# a folder \\\nhostname vm\n  # more \\\nprocessors 2\n");
    assertEquals("vm", settings.get("hostname"));
    assertEquals("2", settings.get("processors"));
  }
}
