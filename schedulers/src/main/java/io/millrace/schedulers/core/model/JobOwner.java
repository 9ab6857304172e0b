package io.millrace.schedulers.core.model;

import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.pbs.resources.RequestClass;

/** Whose a job is, as limits see it. */
public record JobOwner(String user, String group, String project) {

  /** Whose it is does not matter. */
  public static final JobOwner ANYBODY = new JobOwner("", "", "");

  public static JobOwner of(JobSpec spec) {
    return new JobOwner(RequestClass.userOf(spec.getOwner()), spec.getGroup(), spec.getProject());
  }

  /** Name by which a limit for users, groups or projects knows it. */
  public String name(char whom) {
    return switch (whom) {
      case 'u' -> user;
      case 'g' -> group;
      case 'p' -> project;
      default -> "";
    };
  }

  /** What it adds to the key of a class. */
  public String key() {
    return this == ANYBODY ? "" : RequestClass.owner(user, group, project);
  }
}
