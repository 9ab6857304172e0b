package io.millrace.schedulers.core.model;

import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.pbs.resources.RequestClass;

/**
 * Owner of a job as run limits and fair share see it.
 *
 * @param account Account_Name of the job
 * @param entity whose share it uses; empty where nobody asks
 */
public record JobOwner(String user, String group, String project, String account, String entity) {

  /** Used where no limit tells owners apart. */
  public static final JobOwner ANYBODY = new JobOwner("", "", "", "", "");

  public static JobOwner of(JobSpec spec) {
    return new JobOwner(
        RequestClass.userOf(spec.getOwner()),
        spec.getGroup(),
        spec.getProject(),
        spec.getAccount(),
        "");
  }

  /** A copy that uses the share of an entity. */
  public JobOwner of(String whose) {
    return whose.equals(entity) ? this : new JobOwner(user, group, project, account, whose);
  }

  /** A copy in which jobs of different accounts are not told apart by them. */
  public JobOwner anyAccount() {
    return account.isEmpty() ? this : new JobOwner(user, group, project, "", entity);
  }

  /** A copy of which only the entity is told apart. */
  public JobOwner entityOnly() {
    return entity.isEmpty() ? ANYBODY : new JobOwner("", "", "", "", entity);
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
    if (this == ANYBODY) {
      return "";
    }
    boolean entityAlone = user.isEmpty() && !entity.isEmpty();
    return (entityAlone ? "" : RequestClass.owner(user, group, project))
        + (entity.isEmpty() ? "" : RequestClass.share(entity));
  }
}
