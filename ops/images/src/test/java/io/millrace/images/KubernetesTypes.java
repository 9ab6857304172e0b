package io.millrace.images;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.openshift.api.model.monitoring.v1.ServiceMonitor;
import java.io.IOException;
import java.util.Map;

/** Kubernetes' own types of the objects of a chart: what they do not have is refused. */
final class KubernetesTypes {

  private static final Map<String, Class<?>> TYPES =
      Map.of(
          "v1 Service", Service.class,
          "v1 ServiceAccount", ServiceAccount.class,
          "apps/v1 Deployment", Deployment.class,
          "apps/v1 StatefulSet", StatefulSet.class,
          "policy/v1 PodDisruptionBudget", PodDisruptionBudget.class,
          "networking.k8s.io/v1 NetworkPolicy", NetworkPolicy.class,
          "monitoring.coreos.com/v1 ServiceMonitor", ServiceMonitor.class);

  private static final ObjectMapper STRICT =
      new ObjectMapper()
          .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .setAnnotationIntrospector(new NothingElse());

  private KubernetesTypes() {}

  /** The types keep what they do not know for later; here it is an error. */
  private static final class NothingElse extends JacksonAnnotationIntrospector {
    private static final long serialVersionUID = 1;

    @Override
    public Boolean hasAnySetter(Annotated method) {
      return false;
    }
  }

  /**
   * Reads an object as its type.
   *
   * @throws IOException that names what the type does not have
   */
  static void check(JsonNode object) throws IOException {
    String named = object.path("apiVersion").asText() + " " + object.path("kind").asText();
    Class<?> type = TYPES.get(named);
    if (type == null) {
      throw new IOException("no type is known of " + named);
    }
    STRICT.treeToValue(object, type);
  }
}
