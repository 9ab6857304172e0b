package io.millrace.schemas.pbs.attributes;

import io.millrace.schemas.common.Role;

/** Who may set an attribute. Everybody may read it. */
public enum AttributeAccess {
  /** Managers and operators. */
  OPERATOR,
  /** Managers only. */
  MANAGER,
  /** Nobody: the server computes it, or it is fixed when the object is made. */
  READ_ONLY;

  /** Whether a principal of this role may set or unset the attribute. */
  public boolean allows(Role role) {
    return switch (this) {
      case OPERATOR -> role == Role.OPERATOR || role == Role.MANAGER;
      case MANAGER -> role == Role.MANAGER;
      case READ_ONLY -> false;
    };
  }
}
