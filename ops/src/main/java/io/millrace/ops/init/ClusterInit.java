package io.millrace.ops.init;

import io.millrace.ops.home.KafkaPrincipal;
import io.millrace.schemas.Catalogue;
import io.millrace.schemas.Topics;
import io.millrace.schemas.registry.Codecs;
import io.millrace.schemas.registry.CompatibilityLevel;
import io.millrace.schemas.registry.RegistryException;
import io.millrace.schemas.registry.SchemaRegistry;
import io.millrace.schemas.registry.SchemaText;
import io.millrace.schemas.registry.TopicRegistry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.apache.avro.Schema;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclBindingFilter;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/**
 * Creates the topics, access rules and schemas of a cluster. Running it again creates what is
 * missing and changes nothing else.
 */
public final class ClusterInit {

  private final Map<String, Object> clientConfig;
  private final int shards;
  private final Consumer<String> say;

  /**
   * @param clientConfig client settings of an administrator; may name a schema registry
   * @param say called with one line for everything that was created
   */
  public ClusterInit(Map<String, Object> clientConfig, int shards, Consumer<String> say) {
    this.clientConfig = Map.copyOf(clientConfig);
    this.shards = shards;
    this.say = say;
  }

  /** Description of all that would be created; the text changes whenever any of it does. */
  public static String described(int shards) {
    StringBuilder all = new StringBuilder();
    TopicPlan.of(shards).forEach(all::append);
    AccessRules.all().forEach(all::append);
    Catalogue.get().entries().forEach(entry -> all.append(entry.schema()));
    return all.toString();
  }

  /**
   * @param accessRules whether the broker's rules are set; on an external cluster they are its
   *     administrator's responsibility
   * @throws InitException when something cannot be created, or exists with other properties
   */
  public void run(boolean accessRules) throws InitException, InterruptedException {
    run(accessRules ? AccessRules.usual() : Map.of());
  }

  /**
   * @param accounts names of the accounts that get access rules; none: no rules are set
   * @throws InitException when something cannot be created, or exists with other properties
   */
  public void run(Map<KafkaPrincipal, String> accounts) throws InitException, InterruptedException {
    Map<String, Object> kafka = new HashMap<>(clientConfig);
    kafka.remove(Codecs.REGISTRY_URL);
    kafka.put("default.api.timeout.ms", "30000");
    kafka.put("request.timeout.ms", "10000");
    try (Admin admin = Admin.create(kafka)) {
      topics(admin);
      if (!accounts.isEmpty()) {
        accessRules(admin, accounts);
      }
    } catch (ExecutionException e) {
      throw new InitException("the cluster cannot be initialised: " + oneLine(e.getCause()), e);
    } catch (KafkaException e) {
      throw new InitException("the cluster cannot be initialised: " + oneLine(e), e);
    }
    schemas();
  }

  private static String oneLine(Throwable e) {
    return String.valueOf(e.getMessage()).replaceAll("\\s+", " ");
  }

  private void topics(Admin admin) throws InitException, ExecutionException, InterruptedException {
    List<TopicPlan> missing = new ArrayList<>();
    Map<String, KafkaFuture<TopicDescription>> found =
        admin
            .describeTopics(TopicPlan.of(shards).stream().map(TopicPlan::name).toList())
            .topicNameValues();
    for (TopicPlan plan : TopicPlan.of(shards)) {
      try {
        check(plan, found.get(plan.name()).get().partitions().size());
      } catch (ExecutionException e) {
        if (!(e.getCause() instanceof UnknownTopicOrPartitionException)) {
          throw e;
        }
        missing.add(plan);
      }
    }
    try {
      new ShardPlaces(admin).make(missing, shards);
    } catch (TimeoutException e) {
      throw new InitException("the cluster cannot be initialised: " + e.getMessage(), e);
    }
    if (!missing.isEmpty()) {
      say.accept(
          "made the topics " + String.join(", ", missing.stream().map(TopicPlan::name).toList()));
    }
  }

  private void check(TopicPlan plan, int partitions) throws InitException {
    if (partitions == plan.partitions()) {
      return;
    }
    String what =
        plan.name().equals(Topics.COMMANDS)
            ? "the cluster was initialised with "
                + partitions
                + " shards, which is fixed: --shards "
                + shards
                + " is refused"
            : "topic "
                + plan.name()
                + " has "
                + partitions
                + " partitions where "
                + plan.partitions()
                + " are due";
    throw new InitException(what, null);
  }

  private void accessRules(Admin admin, Map<KafkaPrincipal, String> accounts)
      throws ExecutionException, InterruptedException {
    Set<AclBinding> there = Set.copyOf(admin.describeAcls(AclBindingFilter.ANY).values().get());
    List<AclBinding> missing =
        AccessRules.of(accounts).stream().filter(rule -> !there.contains(rule)).toList();
    admin.createAcls(missing).all().get();
    if (!missing.isEmpty()) {
      say.accept("set " + missing.size() + " access rules");
    }
    List<AclBinding> loose =
        there.stream().filter(rule -> AccessRules.loosens(rule, accounts)).toList();
    admin.deleteAcls(loose.stream().map(AclBinding::toFilter).toList()).all().get();
    if (!loose.isEmpty()) {
      say.accept("took back " + loose.size() + " access rules to topics of other families");
    }
  }

  private void schemas() throws InitException {
    Map<String, Schema> catalogue = new LinkedHashMap<>();
    for (Catalogue.CatalogueEntry entry : Catalogue.get().entries()) {
      catalogue.put(entry.fullName(), SchemaText.published(entry.schema()));
    }
    try (SchemaRegistry registry = Codecs.registry(clientConfig)) {
      if (registry.compatibility() != CompatibilityLevel.FULL_TRANSITIVE) {
        registry.setCompatibility(CompatibilityLevel.FULL_TRANSITIVE);
      }
      int before = registry.subjects().size();
      if (registry instanceof TopicRegistry topic) {
        topic.registerAll(catalogue);
      } else {
        for (Map.Entry<String, Schema> entry : catalogue.entrySet()) {
          registry.register(entry.getKey(), entry.getValue());
        }
      }
      int added = registry.subjects().size() - before;
      if (added > 0) {
        say.accept("registered the schemas of " + added + " records");
      }
    } catch (RegistryException e) {
      throw new InitException(e.getMessage(), e);
    }
  }
}
