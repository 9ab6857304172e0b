package io.millrace.server.gateway.command;

import io.millrace.schemas.common.Role;

/** Who is manager or operator: root, and whom the server's attributes name. */
public final class Roles {

  private Roles() {}

  static Role of(Site site, String user) {
    if (user.equals("root") || listed(site, "managers", user)) {
      return Role.MANAGER;
    }
    return listed(site, "operators", user) ? Role.OPERATOR : Role.USER;
  }

  /** Whether root may submit jobs. */
  public static boolean maySubmit(Site site, String user) {
    return !user.equals("root") || listed(site, "acl_roots", user);
  }

  /** Entries are user, user@host or user@*, with commas between them. */
  private static boolean listed(Site site, String attribute, String user) {
    for (String entry : site.serverAttribute(attribute).orElse("").split(",")) {
      int at = entry.indexOf('@');
      String name = (at < 0 ? entry : entry.substring(0, at)).strip();
      String host = at < 0 ? "*" : entry.substring(at + 1).strip();
      if (name.equals(user) && (host.equals("*") || host.equalsIgnoreCase(site.host()))) {
        return true;
      }
    }
    return false;
  }
}
