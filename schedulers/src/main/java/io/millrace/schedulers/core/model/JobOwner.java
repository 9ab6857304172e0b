package io.millrace.schedulers.core.model;

import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.pbs.resources.RequestClass;

/**
 * Owner of a job as run limits and fair share see it.
 *
 * @param entity whose share it uses; empty where nobody asks
 * @param host where the job was submitted; limits do not see it
 */
public record JobOwner(String user, String group, String project, String entity, String host) {

  /** Used where no limit tells owners apart. */
  public static final JobOwner ANYBODY = new JobOwner("", "", "", "", "");

  public static JobOwner of(JobSpec spec) {
    String user = RequestClass.userOf(spec.getOwner());
    return new JobOwner(user, spec.getGroup(), spec.getProject(), "", spec.getSubmitHost());
  }

  /** A copy that uses the share of an entity. */
  public JobOwner of(String whose) {
    return whose.equals(entity) ? this : new JobOwner(user, group, project, whose, host);
  }

  /** A copy of which only the entity is told apart. */
  public JobOwner entityOnly() {
    return entity.isEmpty() ? ANYBODY : new JobOwner("", "", "", entity, "");
  }

  /** A copy as limits see it, which do not tell hosts apart. */
  public JobOwner anywhere() {
    return host.isEmpty() ? this : new JobOwner(user, group, project, entity, "");
  }

  /** The user, group or project name by which a limit knows the owner. */
  public String name(char whom) {
    return switch (whom) {
      case 'u' -> user;
      case 'g' -> group;
      case 'p' -> project;
      default -> "";
    };
  }

  /** The owner's part of a class key. */
  public String key() {
    return this == ANYBODY ? "" : RequestClass.owner(user, group, project) + whose();
  }

  private String whose() {
    return entity.isEmpty() ? "" : "/" + entity;
  }
}
