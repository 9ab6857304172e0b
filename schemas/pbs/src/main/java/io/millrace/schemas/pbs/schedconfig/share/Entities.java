package io.millrace.schemas.pbs.schedconfig.share;

import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.pbs.resources.RequestClass;
import java.util.function.Function;

/**
 * Maps a job to the entity whose share it uses, by {@code fairshare_entity}.
 *
 * @param kind euser, egroup, Account_Name, queue, egroup:euser, or the name of another attribute
 */
public record Entities(String kind) implements Function<JobSpec, String> {

  /** The name of the job's entity; group and user where the job has none of the kind. */
  @Override
  public String apply(JobSpec job) {
    return of(
        new Of(
            RequestClass.userOf(job.getOwner()),
            job.getGroup(),
            job.getAccount(),
            job.getProject(),
            job.getQueue()));
  }

  /** What of a job tells whose share it uses. */
  public record Of(String user, String group, String account, String project, String queue) {}

  /** The name of an entity. */
  public String of(Of job) {
    String name =
        switch (kind) {
          case "euser" -> job.user();
          case "egroup" -> job.group();
          case "Account_Name" -> job.account();
          case "queue" -> job.queue();
          case "project" -> job.project();
          default -> "";
        };
    return name.isEmpty() ? job.group() + ":" + job.user() : name;
  }
}
