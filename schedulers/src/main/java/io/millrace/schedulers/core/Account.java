package io.millrace.schedulers.core;

import io.millrace.reservations.resources.RequestClass;
import io.millrace.schemas.common.JobSpec;

/** Whose a job is, as limits see it. */
record Account(String user, String group, String project) {

  /** Whose it is does not matter. */
  static final Account ANYBODY = new Account("", "", "");

  static Account of(JobSpec spec) {
    return new Account(RequestClass.userOf(spec.getOwner()), spec.getGroup(), spec.getProject());
  }

  /** Name by which a limit for users, groups or projects knows it. */
  String name(char whom) {
    return switch (whom) {
      case 'u' -> user;
      case 'g' -> group;
      case 'p' -> project;
      default -> "";
    };
  }

  /** What it adds to the key of a class. */
  String key() {
    return this == ANYBODY ? "" : RequestClass.owner(user, group, project);
  }
}
