package io.millrace.schedulers.dialects.schedconfig.share;

import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.pbs.resources.RequestClass;
import java.util.function.Function;

/**
 * Whose share a job uses, by {@code fairshare_entity}.
 *
 * @param kind euser, egroup, Account_Name, queue, egroup:euser, or the name of another attribute
 */
public record Entities(String kind) implements Function<JobSpec, String> {

  /** The name of the job's entity; group and user where the job has none of the kind. */
  @Override
  public String apply(JobSpec job) {
    String user = RequestClass.userOf(job.getOwner());
    String name =
        switch (kind) {
          case "euser" -> user;
          case "egroup" -> job.getGroup();
          case "Account_Name" -> job.getAccount();
          case "queue" -> job.getQueue();
          case "project" -> job.getProject();
          default -> "";
        };
    return name.isEmpty() ? job.getGroup() + ":" + user : name;
  }
}
