package io.millrace.schedulers.dialects.gridengine.live;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.millrace.schedulers.core.cycle.Records;
import io.millrace.schedulers.core.cycle.SchedulerState;
import io.millrace.schedulers.core.policy.Policies;
import io.millrace.schedulers.core.state.limit.LimitGate;
import io.millrace.schedulers.gridengine.language.Configuration;
import io.millrace.schedulers.gridengine.language.options.ConfigurationRefused;
import io.millrace.schemas.common.GridEngineRequest;
import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.pbs.attributes.AttributeTable;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Reasons to refuse a configuration, the same for loading and for storing it. */
class StoredConfigurationTest {

  private static final LimitGate NO_LIMITS =
      new SchedulerState("default", 0, Policies.STANDARD, 1).limits();

  /** A file and the lines to add to it; a line replaces an existing one of the same option. */
  private static final List<String> WRONG =
      List.of(
          "queue.all.q|load_thresholds nosuch=1",
          "queue.all.q|load_thresholds arch=x",
          "queue.all.q|load_thresholds load=many",
          "queue.all.q|load_thresholds load=99,load=98",
          "queue.all.q|complex_values slots=1",
          "queue.all.q|complex_values license=1,lic=2",
          "queue.all.q|complex_values license=-1",
          "queue.all.q|suspend_thresholds load=3",
          "queue.all.q|xuser_lists staff",
          "queue.all.q|slots 2,[gone=8]",
          "queue.all.q|slots [n1=2]",
          "queue.all.q|slots [gone=8]",
          "queue.all.q|slots 2,[n1=0],[n1=2]",
          "queue.all.q|shell_start_mode mine",
          "queue.all.q|owner_list a;b",
          "queue.all.q|h_vmem -1G",
          "queue.all.q|hostlist n1,a/b",
          "queue.other|qname more.q;hostlist n2",
          "queue.a:b|qname a:b;hostlist n2",
          "host.global|load_scaling nosuch=1",
          "host.global|load_scaling load=much",
          "host.global|load_scaling arch=2",
          "host.global|load_values load=many",
          "host.global|usage_scaling disk=1",
          "host.global|xuser_lists staff",
          "host.n7|hostname n8",
          "hgrp.a|group_name @a|b;hostlist n1",
          "hgrp.a|group_name @a;hostlist @a n1",
          "hgrp.a|group_name @a;hostlist @nosuch n1",
          "pe.mpi|pe_name smp;slots 9",
          "acl.staff|name staff;entries @staff ann",
          "acl.staff|name team;entries ann",
          "acl.staff|name staff;what ever",
          "acl.staff|name staff;name staff",
          "acl.staff|entries ann",
          "complex|odd o INT >= YES YES 0 0",
          "complex|odd o INT <= YES NO 3 0",
          "complex|odd o INT <= NO YES 0 0",
          "complex|odd o INT <= FORCED YES 2 0",
          "complex|odd o INT <= YES YES -2 0",
          "complex|odd license INT <= YES YES 0 0",
          "complex|odd h_cpu INT <= YES YES 0 0",
          "complex|odd o STRING <= YES NO NONE 0",
          "complex|odd o BOOL EXCL YES NO 0 0",
          "complex|odd o BOOL >= YES NO 0 0",
          "complex|odd o INT EXCL YES NO 0 0",
          "complex|h_fsize h_fsize INT <= YES NO 0 0",
          "complex|odd=1 o INT <= YES YES 0 0",
          "complex|odd o INT <= YES YES 0 1e13",
          "sched|default_duration 0:0:0",
          "sched|params MONITOR=0,MONITOR=0",
          "sched|schedd_job_info job_list",
          "sched|schedd_job_info job_list , 3 -",
          "sched|schedd_job_info job_list 1,-3",
          "sched|load_formula nosuch",
          "sched|load_formula arch",
          "sched|job_load_adjustments nosuch=1",
          "sched|usage_weight_list disk=1",
          "sched|halflife_decay_list fast",
          "sched|policy_hierarchy OOF",
          "sched|max_pending_tasks_per_job 0",
          "sched|weight_urgency 1e13",
          "sched|weight_user INFINITY");

  private final Map<String, String> files = new LinkedHashMap<>();

  StoredConfigurationTest() {
    files.put(
        "complex",
        """
        slots   s    INT    <= YES YES 1     1000
        h_rt    h_rt TIME   <= YES NO  0:0:0 0
        license lic  INT    <= YES YES 0     10
        load    l    DOUBLE >= NO  NO  0     0
        arch    a    STRING == YES NO  NONE  0
        """);
    files.put("sched", "schedule_interval 0:0:1\nmax_reservation 5\n");
    files.put("queue.all.q", "qname all.q\nhostlist n1\nslots 2\n");
    files.put("host.global", "hostname global\n");
  }

  static Stream<String> wrong() {
    return WRONG.stream();
  }

  @ParameterizedTest
  @MethodSource("wrong")
  void isRefused(String changed) {
    assertEquals(1, started(state()), "without the change");
    int bar = changed.indexOf('|');
    String file = changed.substring(0, bar);
    change(file, List.of(changed.substring(bar + 1).split(";(?=\\w+ )")));
    refused();
  }

  @Test
  void aTextWithoutAnOptionIsRefused() {
    files.put("sched", "# nothing\n");
    refused();
  }

  /** Checks that no job of the cell starts then. */
  private void refused() {
    ConfigurationRefused why =
        assertThrows(ConfigurationRefused.class, () -> Configuration.of(files));
    LiveState state = state();
    assertEquals(why.getMessage(), state.problem());
    assertEquals(0, started(state));
  }

  private void change(String file, List<String> lines) {
    StringBuilder text = new StringBuilder();
    for (String line : files.getOrDefault(file, "").lines().toList()) {
      String option = line.split("\\s+")[0];
      if (lines.stream().noneMatch(it -> it.startsWith(option + " "))) {
        text.append(line).append('\n');
      }
    }
    lines.forEach(line -> text.append(line).append('\n'));
    files.put(file, text.toString());
  }

  private LiveState state() {
    LiveState state = new LiveState("default", 0);
    state.written(
        Records.object(
            ObjectKind.SCHEDULER,
            "default",
            "policy",
            "gridengine",
            AttributeTable.GRID_ENGINE_CONFIGURATION,
            Configuration.join(files)));
    state.written(Records.queue("workq"));
    state.written(Records.object(ObjectKind.NODE, "n1"));
    state.node(Records.node("n1", "host", 4, 1L << 32));
    return state;
  }

  private static int started(LiveState state) {
    JobSpec spec = Records.spec("workq", 0, Records.request("ncpus=1"));
    spec.setGridEngine(
        GridEngineRequest.newBuilder().setOptions(List.of()).setCategory("").build());
    state.job(Records.job(1, 1, spec));
    Instant now = Instant.ofEpochSecond(1_000_000_000L);
    return new LiveScheduler(state, 100, NO_LIMITS).run(now, Long.MAX_VALUE).launches().size();
  }
}
