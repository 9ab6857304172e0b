package io.millrace.server.accounting.account;

import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.fact.JobAltered;
import io.millrace.schemas.pbs.jobs.JobAttributes;
import io.millrace.schemas.pbs.resources.Amounts;
import io.millrace.server.accounting.book.AccountValue;
import io.millrace.server.accounting.book.JobTexts;
import java.util.ArrayList;
import java.util.List;

/**
 * What of a job was altered, as lines have it: names of attributes with their new values, and of
 * the resources those that somebody named and that are not as they were. Variables are not told, as
 * they fill screens; dependencies are told with the job.
 */
final class Alterations {

  private Alterations() {}

  /**
   * {@code NAME=VALUE NAME=VALUE}; empty when nothing is told.
   *
   * @param before the resources as {@link JobTexts#requested} has them
   */
  static String of(String before, JobAltered fact) {
    List<String> told = new ArrayList<>();
    for (String name : fact.getChanged().split(",")) {
      if (name.equals("Resource_List")) {
        resources(before, fact.getSpec(), told);
      } else {
        String value = value(name, fact);
        if (value != null) {
          told.add(name + "=" + AccountValue.of(value));
        }
      }
    }
    return String.join(" ", told);
  }

  private static void resources(String before, JobSpec spec, List<String> told) {
    // Defaults of a queue that the job came to were asked for by nobody. Grid Engine's jobs get
    // none, and ask in words of their own: all of their list was asked for.
    boolean all = spec.getGridEngine() != null;
    List<Attribute> asked = spec.getAsked() == null ? List.of() : spec.getAsked();
    List<String> names = asked.stream().map(Attribute::getName).toList();
    for (Attribute resource : spec.getResourceList()) {
      String now = JobTexts.requested(resource);
      if ((all || names.contains(resource.getName())) && !(" " + before).contains(" " + now)) {
        told.add(now.strip());
      }
    }
  }

  /** Null for what is not told. */
  private static String value(String name, JobAltered fact) {
    JobSpec spec = fact.getSpec();
    return switch (name) {
      case "Job_Name" -> spec.getName();
      case "Priority" -> Integer.toString(spec.getPriority());
      case "Rerunable" -> spec.getRerunnable() ? "y" : "n";
      case "Account_Name" -> spec.getAccount();
      case "Output_Path" -> spec.getOutputPath();
      case "Error_Path" -> spec.getErrorPath();
      case "Join_Path" -> spec.getJoinPath();
      case "Shell_Path_List" -> spec.getShell();
      case "project" -> spec.getProject();
      case "Execution_Time" -> Long.toString(spec.getExecutionMs() / 1000);
      case "eligible_time" ->
          fact.getEligibleMs() == null ? null : Amounts.formatDuration(fact.getEligibleMs() / 1000);
      default -> JobAttributes.passed(spec, name, null);
    };
  }
}
