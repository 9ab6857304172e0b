package io.millrace.server.gridengine.stat;

import io.millrace.schedulers.gridengine.language.request.AttributeRequest;
import io.millrace.schedulers.gridengine.language.request.SlotRanges;
import io.millrace.schedulers.gridengine.language.request.Submission;
import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.state.Job;
import java.util.List;
import java.util.Locale;

/** The elements of one job of qstat -j -xml. */
final class StatElements {

  private static final int BINARY = 64;
  private static final int ARRAY = 128;
  private static final int RUNNING = 128;

  /** Grid Engine's marks for what a submission's environment was. */
  private static final String PREFIX = "__SGE_PREFIX__O_";

  private final CellJobFacts facts;
  private final Xml out;

  StatElements(CellJobFacts facts, Xml out) {
    this.facts = facts;
    this.out = out;
  }

  void write() {
    origin();
    resources("JB_hard_resource_list", facts.asked().hardText());
    resources("JB_soft_resource_list", facts.asked().softText());
    queues("JB_hard_queue_list", facts.asked().queuesText());
    queues("JB_soft_queue_list", facts.asked().softQueuesText());
    environment();
    program();
    runs();
    zeroes("JB_deadline");
    out.element("JB_execution_time", facts.asked().earliest_s());
    zeroes("JB_checkpoint_attr", "JB_checkpoint_interval");
    out.element("JB_reserve", facts.asked().reserve());
    zeroes("JB_mail_options");
    out.element("JB_priority", facts.spec().getPriority() + 1024);
    zeroes("JB_restart", "JB_verify", "JB_script_size");
    parallel();
    zeroes("JB_verify_suitable_queues", "JB_soft_wallclock_gmt", "JB_hard_wallclock_gmt");
    zeroes("JB_override_tickets", "JB_version");
    tasks();
    binding();
    out.element("JB_ja_task_concurrency", facts.asked().concurrent());
    double urgency = facts.view().figures(facts.number()).shares().urgency();
    out.element("JB_nurg", String.format(Locale.ROOT, "%.6f", urgency));
  }

  private void origin() {
    JobSpec spec = facts.spec();
    out.element("JB_job_number", facts.number()).element("JB_ar", 0);
    out.element("JB_submission_time", facts.job().getQueuedMs() / 1000);
    out.element("JB_owner", spec.getOwner()).element("JB_group", spec.getGroup());
    out.element("JB_account", facts.account());
    out.element("JB_merge_stderr", facts.asked().joined());
    out.open("JB_mail_list").open("element").element("MR_user", spec.getOwner());
    out.element("MR_host", spec.getSubmitHost()).close("element").close("JB_mail_list");
    out.element("JB_notify", false).element("JB_job_name", spec.getName());
    out.element("JB_jobshare", 0);
  }

  private void resources(String name, String list) {
    List<AttributeRequest> requests = facts.view().requests(list);
    if (requests.isEmpty()) {
      return;
    }
    out.open(name);
    for (AttributeRequest request : requests) {
      out.open("qstat_l_requests").element("CE_name", request.complex().name());
      out.element("CE_valtype", request.complex().type().code());
      out.element("CE_stringval", request.shown());
      out.element("CE_doubleval", String.format(Locale.ROOT, "%.6f", request.amount()));
      out.element("CE_relop", 0).element("CE_consumable", request.complex().consumable() ? 1 : 0);
      out.element("CE_dominant", 0).element("CE_pj_doubleval", "0.000000");
      out.element("CE_pj_dominant", 0).element("CE_requestable", 0).element("CE_tagged", 0);
      out.close("qstat_l_requests");
    }
    out.close(name);
  }

  private void queues(String name, String list) {
    if (!list.isEmpty()) {
      out.open(name);
      for (String queue : list.split(",")) {
        out.open("destin_ident_list").element("QR_name", queue).close("destin_ident_list");
      }
      out.close(name);
    }
  }

  private void environment() {
    if (!facts.inFull()) {
      return;
    }
    out.open("JB_env_list");
    for (String name : List.of("HOME", "LOGNAME", "PATH", "SHELL", "MAIL", "TZ")) {
      variable(PREFIX + name, facts.variable("SGE_O_" + name));
    }
    facts.exported().forEach(this::variable);
    variable(PREFIX + "HOST", facts.variable("SGE_O_HOST"));
    variable(PREFIX + "WORKDIR", facts.variable("SGE_O_WORKDIR"));
    out.close("JB_env_list");
  }

  private void variable(String name, String value) {
    if (!value.isEmpty() || !name.startsWith(PREFIX)) {
      out.open("job_sublist").element("VA_variable", name);
      if (!value.isEmpty()) {
        out.element("VA_value", value);
      }
      out.close("job_sublist");
    }
  }

  private void program() {
    if (!facts.arguments().isEmpty()) {
      out.open("JB_job_args");
      for (String word : facts.arguments()) {
        out.open("element").element("ST_name", word).close("element");
      }
      out.close("JB_job_args");
    }
    if (facts.inFull()) {
      out.element("JB_script_file", facts.variable("JOB_SCRIPT"));
    }
  }

  private void runs() {
    if (facts.runs().isEmpty()) {
      return;
    }
    out.open("JB_ja_tasks");
    for (Job run : facts.runs()) {
      out.open("ulong_sublist").element("JAT_status", RUNNING);
      out.element("JAT_task_number", CellJobFacts.task(run));
      out.element("JAT_start_time", run.getStartedMs() / 1000);
      out.element("JAT_ntix", "0.500000").close("ulong_sublist");
    }
    out.close("JB_ja_tasks");
  }

  private void parallel() {
    facts
        .asked()
        .environment()
        .ifPresent(
            pe -> {
              out.element("JB_pe", pe.name()).open("JB_pe_range");
              for (SlotRanges.Range range : pe.slots().ranges()) {
                out.open("ranges");
                range("ranges", range.from(), range.to(), 1);
              }
              out.close("JB_pe_range");
            });
  }

  private void range(String opened, int from, int to, int step) {
    out.element("RN_min", from).element("RN_max", to).element("RN_step", step).close(opened);
  }

  private void tasks() {
    Submission asked = facts.asked();
    out.open("JB_ja_structure").open("task_id_range");
    range("task_id_range", asked.tasks().from(), asked.tasks().to(), asked.tasks().step());
    out.close("JB_ja_structure");
    out.element("JB_type", (facts.binary() ? BINARY : 0) + (asked.array() ? ARRAY : 0));
  }

  private void binding() {
    out.open("JB_binding").open("element").element("BN_strategy", "no_job_binding");
    zeroes("BN_type", "BN_parameter_n", "BN_parameter_socket_offset");
    zeroes("BN_parameter_core_offset", "BN_parameter_striding_step_size");
    out.element("BN_parameter_explicit", "no_explicit_binding");
    out.close("element").close("JB_binding");
  }

  /** What Grid Engine prints of features that nobody asked for. */
  private void zeroes(String... names) {
    for (String name : names) {
      out.element(name, 0);
    }
  }
}
