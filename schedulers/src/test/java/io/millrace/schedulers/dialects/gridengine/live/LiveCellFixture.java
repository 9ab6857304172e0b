package io.millrace.schedulers.dialects.gridengine.live;

import io.millrace.schedulers.core.cycle.Records;
import io.millrace.schedulers.core.cycle.SchedulerState;
import io.millrace.schedulers.core.policy.Policies;
import io.millrace.schedulers.core.state.limit.LimitGate;
import io.millrace.schedulers.gridengine.language.Configuration;
import io.millrace.schedulers.gridengine.language.request.OptionLineWords;
import io.millrace.schemas.common.Allocation;
import io.millrace.schemas.common.ClassReason;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.GridEngineRequest;
import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.pbs.attributes.AttributeTable;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A cell of Grid Engine that an engine serves. */
abstract class LiveCellFixture {
  static final Instant NOW = Instant.ofEpochSecond(1_000_000_000L);
  static final LimitGate NO_LIMITS =
      new SchedulerState("default", 0, Policies.STANDARD, 1).limits();
  static final String COMPLEX =
      """
      slots   s    INT    <= YES YES 1     1000
      h_rt    h_rt TIME   <= YES NO  0:0:0 0
      s_rt    s_rt TIME   <= YES NO  0:0:0 0
      license lic  INT    <= YES YES 0     10
      """;

  final Map<String, String> files = new LinkedHashMap<>();
  LiveState state = new LiveState("default", 0);
  LiveScheduler scheduler = new LiveScheduler(state, 100, NO_LIMITS);
  final Map<Long, Job> jobs = new LinkedHashMap<>();
  String target = "workq";

  LiveCellFixture() {
    files.put("complex", COMPLEX);
    files.put("sched", "schedule_interval 0:0:1\nmax_reservation 5\nparams MONITOR=1\n");
    files.put("queue.all.q", "qname all.q\nhostlist n1 n2\nslots 2\npe_list mpi\n");
    files.put("pe.mpi", "pe_name mpi\nslots 99\nallocation_rule $fill_up\n");
    files.put("host.global", "hostname global\ncomplex_values license=3\n");
    tell(state);
  }

  void tell(LiveState told) {
    told.written(object());
    told.written(Records.queue("workq"));
    for (String name : List.of("n1", "n2")) {
      told.written(Records.object(ObjectKind.NODE, name));
      told.node(Records.node(name, "host", 4, 1L << 32));
    }
  }

  ClusterObject object() {
    return Records.object(
        ObjectKind.SCHEDULER,
        "default",
        "policy",
        "gridengine",
        AttributeTable.GRID_ENGINE_CONFIGURATION,
        Configuration.join(files));
  }

  Job submit(long number, String options) {
    return submit(number, options, 0, 0);
  }

  Job submit(long number, String options, long array, int task) {
    JobSpec spec = Records.spec(target, 0, Records.request("ncpus=1"));
    List<String> words = OptionLineWords.of(options);
    int name = words.indexOf("-N");
    spec.setName(name < 0 ? "job" : words.get(name + 1));
    spec.setGridEngine(
        GridEngineRequest.newBuilder()
            .setOptions(words)
            .setCategory(options)
            .setSlotsMax(10)
            .setArray(array)
            .setTask(task)
            .setImmediate(options.contains("-now y"))
            .build());
    Job job = Records.job(number, number, spec);
    jobs.put(number, job);
    state.job(job);
    return job;
  }

  List<ProposedStart> run(long second) {
    return scheduler.run(NOW.plusSeconds(second), Long.MAX_VALUE).launches();
  }

  void grant(ProposedStart launch, long second) {
    Allocation allocation = new Allocation(launch.shares(), "", "", launch.grant());
    long atMs = NOW.plusSeconds(second).toEpochMilli();
    state.granted(launch.number(), allocation, atMs);
    Job job = jobs.get(launch.number());
    job.setStatus(JobStatus.RUNNING);
    job.setAllocation(allocation);
    job.setStartedMs(atMs);
  }

  void end(long number) {
    state.gone(number);
    jobs.remove(number);
  }

  Map<String, String> reasons() {
    Map<String, String> reasons = new LinkedHashMap<>();
    for (ClassReason reason : scheduler.takeReasons(1000)) {
      reasons.put(reason.getClassKey(), reason.getCode() + ": " + reason.getSubject());
    }
    scheduler.takeCleared(1000).forEach(key -> reasons.put(key, "cleared"));
    return reasons;
  }

  List<Long> givenUp(long second) {
    return scheduler.run(NOW.plusSeconds(second), Long.MAX_VALUE).givenUp();
  }

  static List<Long> numbers(List<ProposedStart> launches) {
    return launches.stream().map(ProposedStart::number).toList();
  }

  void refuse(long job, long second, long restS) {
    state.withdraw(job);
    state.refused(job, true, NOW.plusSeconds(second).toEpochMilli(), 1000 * restS);
  }
}
