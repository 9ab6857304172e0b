package io.millrace.server.gateway.command;

import io.millrace.schemas.attributes.AccessList;
import io.millrace.schemas.common.Role;

/** Who is manager or operator: root, and whom the server's attributes name. */
public final class Roles {

  private static final int UNAUTHORIZED = 15007;
  private static final int HOST_REFUSED = 15008;

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

  private static boolean listed(Site site, String attribute, String user) {
    String list = site.serverAttribute(attribute).orElse("");
    return AccessList.allowsUser(list, user, site.host());
  }

  /**
   * Refuses who may not use the server at all; root may, as in PBS.
   *
   * @throws Failure with PBS's text and status
   */
  static void refuseStrangers(Call call) throws Failure {
    Site site = call.site();
    String user = call.invocation().user();
    if (user.equals("root")) {
      return;
    }
    boolean host =
        !enabled(site, "acl_host_enable")
            || AccessList.allowsHost(site.serverAttribute("acl_hosts").orElse(""), site.host());
    if (!host) {
      String text = "Access from host not allowed, or unknown host";
      throw call.failure(text, Failure.status(HOST_REFUSED));
    }
    if (enabled(site, "acl_user_enable") && !listed(site, "acl_users", user)) {
      throw call.failure("Unauthorized Request ", Failure.status(UNAUTHORIZED));
    }
  }

  private static boolean enabled(Site site, String attribute) {
    return site.serverAttribute(attribute).filter("True"::equals).isPresent();
  }
}
