package io.millrace.server.gateway.command;

import io.millrace.schemas.common.Role;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.pbs.attributes.AccessList;
import io.millrace.server.gateway.session.Invocation;
import java.util.Optional;
import java.util.function.Supplier;

/** Who is manager or operator: root, and those named by the server's attributes. */
public final class Roles {

  private Roles() {}

  /** Role of a user of the gateway's host. */
  static Role of(Site site, String user) {
    return of(site, user, site::host);
  }

  /**
   * Role of a user who speaks from that host.
   *
   * @param host asked only when it matters, since it may have to be looked up
   */
  public static Role of(Site site, String user, Supplier<String> host) {
    if (user.equals("root") || listed(site, "managers", user, host)) {
      return Role.MANAGER;
    }
    return listed(site, "operators", user, host) ? Role.OPERATOR : Role.USER;
  }

  /** Host of the caller. */
  static String host(Site site, Invocation invocation) {
    String host = invocation.host();
    return host.isEmpty() ? site.host() : host;
  }

  /** Whether the caller may submit jobs: root may only where a list says so. */
  public static boolean maySubmit(Call call) {
    String user = call.invocation().user();
    return !user.equals("root") || listed(call.site(), "acl_roots", user, call::host);
  }

  /**
   * Whether somebody may see the jobs of others: not where query_other_jobs is False, unless he is
   * operator or manager.
   */
  public static boolean seesAll(Site site, Supplier<Role> role) {
    boolean all = site.serverAttribute("query_other_jobs").filter("False"::equals).isEmpty();
    return all || role.get() != Role.USER;
  }

  /**
   * Whether somebody may see variables, programs and arguments of others' jobs: operators and
   * managers, and everybody where the server says so.
   */
  public static boolean seesPrivateParts(Site site, Supplier<Role> role) {
    return site.serverAttribute(PrivateParts.SHOWN).filter("True"::equals).isPresent()
        || role.get() != Role.USER;
  }

  private static boolean listed(Site site, String attribute, String user, Supplier<String> host) {
    String list = site.serverAttribute(attribute).orElse("");
    return !list.isEmpty() && AccessList.allowsUser(list, user, host.get());
  }

  /**
   * Refuses users who may not use the server at all; root may, as in PBS.
   *
   * @throws Failure with PBS's text and status
   */
  static void refuseStrangers(Call call) throws Failure {
    Site site = call.site();
    Optional<PbsError> refused = stranger(site, call.invocation().user(), call::host);
    if (refused.isPresent()) {
      throw call.failure(refused.get());
    }
  }

  /**
   * Why somebody may not use the server.
   *
   * @param host asked only when it matters, since it may have to be looked up
   */
  public static Optional<PbsError> stranger(Site site, String user, Supplier<String> host) {
    if (user.equals("root")) {
      return Optional.empty();
    }
    if (enabled(site, "acl_host_enable")
        && !AccessList.allowsHost(site.serverAttribute("acl_hosts").orElse(""), host.get())) {
      return Optional.of(PbsError.HOST_REFUSED);
    }
    if (enabled(site, "acl_user_enable") && !listed(site, "acl_users", user, host)) {
      return Optional.of(PbsError.UNAUTHORIZED);
    }
    return Optional.empty();
  }

  private static boolean enabled(Site site, String attribute) {
    return site.serverAttribute(attribute).filter("True"::equals).isPresent();
  }
}
