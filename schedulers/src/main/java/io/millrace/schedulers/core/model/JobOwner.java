package io.millrace.schedulers.core.model;

import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.pbs.resources.RequestClass;

/**
 * Owner of a job as run limits and fair share see it.
 *
 * @param account Account_Name of the job; limits do not see it
 * @param entity whose share it uses; empty where nobody asks
 * @param host where the job was submitted; limits do not see it
 */
public record JobOwner(
    String user, String group, String project, String account, String entity, String host) {

  /** Used where no limit tells owners apart. */
  public static final JobOwner ANYBODY = new JobOwner("", "", "", "", "", "");

  public static JobOwner of(JobSpec spec) {
    return new JobOwner(
        RequestClass.userOf(spec.getOwner()),
        spec.getGroup(),
        spec.getProject(),
        spec.getAccount(),
        "",
        spec.getSubmitHost());
  }

  /** A copy that uses the share of an entity. */
  public JobOwner of(String whose) {
    return whose.equals(entity) ? this : new JobOwner(user, group, project, account, whose, host);
  }

  /** A copy of which only the entity is told apart. */
  public JobOwner entityOnly() {
    return entity.isEmpty() ? ANYBODY : new JobOwner("", "", "", "", entity, "");
  }

  /** A copy as limits see it, which tell neither hosts nor accounts apart. */
  public JobOwner asLimited() {
    return host.isEmpty() && account.isEmpty()
        ? this
        : new JobOwner(user, group, project, "", entity, "");
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
