package io.millrace.schedulers.core.cycle;

import io.millrace.schemas.common.Allocation;
import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.common.ResourceRequest;
import io.millrace.schemas.pbs.resources.RequestException;
import io.millrace.schemas.pbs.resources.RequestParser;
import io.millrace.schemas.pbs.resources.ResourceTable;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.Node;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Records for tests, short to write. */
public final class Records {

  private static final ClusterObject LICENSES =
      object(ObjectKind.RESOURCE, "lic", "type", "long", "flag", "nh");

  private static final ClusterObject RACK =
      object(ObjectKind.RESOURCE, "rack", "type", "string", "flag", "h");

  private static final ClusterObject FAST =
      object(ObjectKind.RESOURCE, "fast", "type", "boolean", "flag", "h");

  private static final ResourceTable RESOURCES = ResourceTable.of(List.of(LICENSES, RACK, FAST));

  private Records() {}

  public static ClusterObject fast() {
    return FAST;
  }

  public static ClusterObject rack() {
    return RACK;
  }

  public static ClusterObject object(ObjectKind kind, String name, String... pairs) {
    List<Attribute> attributes = new ArrayList<>();
    for (int i = 0; i < pairs.length; i += 2) {
      attributes.add(new Attribute(pairs[i], pairs[i + 1]));
    }
    return new ClusterObject(kind, name, 1L, attributes, 1L);
  }

  public static ClusterObject scheduler() {
    return object(ObjectKind.SCHEDULER, "default", "scheduling", "True");
  }

  public static ClusterObject licenses() {
    return LICENSES;
  }

  public static ClusterObject queue(String name) {
    return object(
        ObjectKind.QUEUE, name, "queue_type", "Execution", "enabled", "True", "started", "True");
  }

  public static Node node(String name, String host, long cpus, long memory) {
    return Node.newBuilder()
        .setName(name)
        .setHost(host)
        .setUp(true)
        .setMeasured(Map.of("ncpus", cpus, "mem", memory))
        .setHoldings(new ArrayList<>())
        .build();
  }

  /** Request as behind -l, for example "select=2:ncpus=4,place=scatter". */
  public static ResourceRequest request(String text) {
    List<Attribute> list = new ArrayList<>();
    for (String word : text.isEmpty() ? new String[0] : text.split(",")) {
      int equals = word.indexOf('=');
      list.add(new Attribute(word.substring(0, equals), word.substring(equals + 1)));
    }
    try {
      return new RequestParser(RESOURCES).parse(list).request();
    } catch (RequestException e) {
      throw new IllegalArgumentException(text, e);
    }
  }

  public static JobSpec spec(String queue, int priority, ResourceRequest request) {
    return JobSpec.newBuilder()
        .setName("j")
        .setOwner("u")
        .setSubmitHost("h")
        .setQueue(queue)
        .setPriority(priority)
        .setRequest(request)
        .setResourceList(List.of())
        .setOutputPath("o")
        .setErrorPath("e")
        .setVariables(List.of())
        .setScriptHash(ByteBuffer.allocate(0))
        .setArgv(List.of())
        .setExtra(List.of())
        .build();
  }

  public static Job job(long number, long rank, JobSpec spec) {
    return Job.newBuilder()
        .setId(number + ".vm")
        .setNumber(number)
        .setRank(rank)
        .setSpec(spec)
        .setStatus(JobStatus.QUEUED)
        .setCreatedMs(0)
        .setQueuedMs(0)
        .setModifiedMs(0)
        .setEvents(List.of())
        .build();
  }

  public static Job job(long number, String queue, int priority, String request) {
    return job(number, number, spec(queue, priority, request(request)));
  }

  public static Allocation allocation(List<NodeShare> shares) {
    return new Allocation(shares, "", "", null);
  }
}
