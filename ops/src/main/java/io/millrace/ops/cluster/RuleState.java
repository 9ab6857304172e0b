package io.millrace.ops.cluster;

import io.millrace.ops.kafka.BriefClient;
import io.millrace.ops.kafka.BrokerRefusal;
import io.millrace.ops.word.WordFailed;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclBindingFilter;

/** Access rules that a cluster has, and those that it lacks. */
final class RuleState {

  private final Map<String, Object> client;

  /**
   * @param client settings of an administrator
   */
  RuleState(Map<String, Object> client) {
    this.client = BriefClient.of(client);
  }

  /** Those of the rules that a cluster with these others lacks, in their order. */
  static List<AclBinding> missing(List<AclBinding> rules, Collection<AclBinding> there) {
    Set<AclBinding> known = new HashSet<>(there);
    return rules.stream().filter(rule -> !known.contains(rule)).distinct().toList();
  }

  /**
   * Those of the rules that the cluster lacks.
   *
   * @param set whether they are set, all in one call
   * @throws WordFailed in one line, when the brokers do not answer or do not let it in
   */
  List<AclBinding> missing(List<AclBinding> rules, boolean set)
      throws WordFailed, InterruptedException {
    try (Admin admin = Admin.create(client)) {
      List<AclBinding> missing =
          missing(rules, admin.describeAcls(AclBindingFilter.ANY).values().get());
      if (set && !missing.isEmpty()) {
        admin.createAcls(missing).all().get();
      }
      return missing;
    } catch (ExecutionException e) {
      throw failed(e.getCause());
    } catch (KafkaException e) {
      throw failed(e.getCause() instanceof KafkaException ? e.getCause() : e);
    }
  }

  private WordFailed failed(Throwable why) {
    return new WordFailed(
        "the cluster at "
            + client.get("bootstrap.servers")
            + " does not tell or take rules: "
            + BrokerRefusal.of(why),
        why);
  }
}
