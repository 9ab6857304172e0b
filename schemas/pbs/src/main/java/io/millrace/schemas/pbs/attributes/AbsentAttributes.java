package io.millrace.schemas.pbs.attributes;

import io.millrace.schemas.common.ObjectKind;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Attributes that PBS has and Millrace does not, each with what to use instead. Whoever sets one
 * gets this text in place of PBS's bare "Undefined attribute".
 */
public final class AbsentAttributes {
  private static final String NO_LICENCES = "no licences are needed";
  private static final String NO_PROVISIONING = "nodes are not provisioned";
  private static final String NO_HOOKS = "there are no hooks";
  private static final String NO_KERBEROS = "tokens and MUNGE say who somebody is";
  private static final String NO_CREDENTIALS = "no credentials go with jobs";
  private static final String NO_RPP = "the parts speak with each other by Kafka";
  private static final String OLD_LIMIT = "set max_run of a queue or of the server";
  private static final String THRESHOLD = "set max_queued, which counts all jobs";
  private static final String BY_HOST = "it is told by the executor of the host";

  private static final Map<ObjectKind, Map<String, String>> ALL =
      Map.of(
          ObjectKind.SERVER, server(),
          ObjectKind.QUEUE, queue(),
          ObjectKind.NODE, node());

  private AbsentAttributes() {}

  private static Map<String, String> server() {
    Map<String, String> all = new LinkedHashMap<>();
    all.put("acl_host_moms_enable", "name hosts of executors in acl_hosts, as any others");
    all.put("acl_krb_realm_enable", NO_KERBEROS);
    all.put("acl_krb_realms", NO_KERBEROS);
    all.put("acl_krb_submit_realms", NO_KERBEROS);
    all.put("clear_topjob_estimates_enable", "estimated.start_time follows each cycle by itself");
    all.put("cred_renew_cache_period", NO_CREDENTIALS);
    all.put("cred_renew_enable", NO_CREDENTIALS);
    all.put("cred_renew_period", NO_CREDENTIALS);
    all.put("cred_renew_tool", NO_CREDENTIALS);
    all.put("default_node", "jobs that name no node get one in the order of node_sort_key");
    all.put("default_qdel_arguments", "commands do what they are told, no more");
    all.put("est_start_time_freq", "estimated.start_time follows each cycle by itself");
    all.put("flatuid", "a user has the same name on all hosts");
    all.put("jobscript_max_size", "a script may have 1 MiB");
    all.put("license_count", NO_LICENCES);
    all.put("max_concurrent_provision", NO_PROVISIONING);
    all.put(
        "max_job_sequence_id",
        "numbers never begin anew; after a restore those given since the backup come again");
    all.put("node_pack", "jobs ask for place=pack or place=scatter themselves");
    all.put("pbs_license_info", NO_LICENCES);
    all.put("pbs_license_linger_time", NO_LICENCES);
    all.put("pbs_license_max", NO_LICENCES);
    all.put("pbs_license_min", NO_LICENCES);
    all.put("power_provisioning", NO_PROVISIONING);
    all.put("python_restart_max_hooks", NO_HOOKS);
    all.put("python_restart_max_objects", NO_HOOKS);
    all.put("python_restart_min_interval", NO_HOOKS);
    all.put("queued_jobs_threshold", THRESHOLD);
    all.put("queued_jobs_threshold_res", "set max_queued_res, which counts all jobs");
    all.put("resend_term_delay", "a run that outlives SIGTERM is ended by SIGKILL, see kill_delay");
    all.put("reserve_retry_init", "set reserve_retry_time, which has taken its place in PBS, too");
    all.put("restrict_res_to_release_on_suspend", "a suspended job frees all that it holds");
    all.put("resv_post_processing_time", "make the window as long as it is needed");
    all.put("rpp_highwater", NO_RPP);
    all.put("rpp_max_pkt_check", NO_RPP);
    all.put("rpp_retry", NO_RPP);
    all.put("show_hidden_attribs", "no attribute is hidden");
    all.put("single_signon_password_enable", NO_KERBEROS);
    all.put("sync_mom_hookfiles_timeout", NO_HOOKS);
    return all;
  }

  private static Map<String, String> queue() {
    Map<String, String> all = new LinkedHashMap<>();
    all.put("alt_router", "destinations are tried in their order");
    all.put("backfill_depth", "set it for the scheduler or the server");
    all.put("checkpoint_min", "there is no checkpointing");
    all.put("queued_jobs_threshold", THRESHOLD);
    all.put("queued_jobs_threshold_res", "set max_queued_res, which counts all jobs");
    all.put("route_waiting_jobs", "route_held_jobs says it for jobs that wait, too");
    return all;
  }

  private static Map<String, String> node() {
    Map<String, String> all = new LinkedHashMap<>();
    all.put("current_aoe", NO_PROVISIONING);
    all.put("current_eoe", NO_PROVISIONING);
    all.put("in_multivnode_host", BY_HOST);
    all.put("license", NO_LICENCES);
    all.put("license_info", NO_LICENCES);
    all.put("lictype", NO_LICENCES);
    all.put("maintenance_jobs", "no job is suspended for maintenance");
    all.put("max_group_run", OLD_LIMIT);
    all.put("max_running", OLD_LIMIT);
    all.put("max_user_run", OLD_LIMIT);
    all.put(
        "no_multinode_jobs",
        "nothing does that here; a queue of its own for the node (its attribute queue) and advice"
            + " to its users come nearest");
    all.put("pbs_version", BY_HOST);
    all.put("pcpus", BY_HOST);
    all.put("Port", "executors listen at no port");
    all.put("power_provisioning", NO_PROVISIONING);
    all.put("poweroff_eligible", NO_PROVISIONING);
    all.put("provision_enable", NO_PROVISIONING);
    all.put("topology_info", BY_HOST);
    all.put("vnode_pool", "each node is of one host, its Mom");
    return all;
  }

  /** The absent attributes of an object kind, each with what to use instead. */
  public static Map<String, String> of(ObjectKind kind) {
    return ALL.getOrDefault(kind, Map.of());
  }

  /** What to use instead of an attribute of PBS; empty when PBS has no attribute of this name. */
  public static Optional<String> instead(ObjectKind kind, String name) {
    String base = name.toLowerCase(Locale.ROOT).replaceFirst("\\..*", "");
    return of(kind).entrySet().stream()
        .filter(entry -> entry.getKey().toLowerCase(Locale.ROOT).equals(base))
        .map(entry -> entry.getKey() + ": " + entry.getValue())
        .findFirst();
  }
}
