package io.millrace.ops.bench.site;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/** How many requests of each kind the embedded broker has answered, as its counters tell. */
public record BrokerRequests(Map<String, Long> counts) {

  /** The request that ends a transaction. */
  private static final String END = "EndTxn";

  /** Counted once as such, and once more by who asks: FetchConsumer, FetchFollower. */
  private static final String FETCH = "Fetch";

  private static final String COUNTERS =
      "kafka.network:type=RequestMetrics,name=RequestsPerSec,request=*,*";

  public static BrokerRequests now(BenchSite site) throws IOException {
    return now(site.pid("broker").orElseThrow());
  }

  /** Those of a broker's process. */
  public static BrokerRequests now(long pid) throws IOException {
    try {
      VirtualMachine broker = VirtualMachine.attach(String.valueOf(pid));
      try {
        JMXServiceURL address = new JMXServiceURL(broker.startLocalManagementAgent());
        try (JMXConnector connector = JMXConnectorFactory.connect(address)) {
          return new BrokerRequests(counts(connector.getMBeanServerConnection()));
        }
      } finally {
        broker.detach();
      }
    } catch (AttachNotSupportedException | JMException e) {
      throw new IOException("the broker does not tell its counters: " + e.getMessage(), e);
    }
  }

  private static Map<String, Long> counts(MBeanServerConnection beans)
      throws IOException, JMException {
    Map<String, Long> counts = new TreeMap<>();
    Set<ObjectName> names = beans.queryNames(new ObjectName(COUNTERS), null);
    for (ObjectName name : names) {
      String request = name.getKeyProperty("request");
      if (!request.startsWith(FETCH + "C") && !request.startsWith(FETCH + "F")) {
        counts.merge(request, ((Number) beans.getAttribute(name, "Count")).longValue(), Long::sum);
      }
    }
    return counts;
  }

  /** Requests and transactions since then for each of so many jobs. */
  public BenchFigures since(BrokerRequests before, String prefix, int jobs) {
    BenchFigures figures = BenchFigures.none();
    double all = 0;
    for (Map.Entry<String, Long> now : counts.entrySet()) {
      long count = now.getValue() - before.counts.getOrDefault(now.getKey(), 0L);
      if (count > 0) {
        all += count;
        figures = figures.with(prefix + "requests_" + now.getKey(), (double) count / jobs);
      }
    }
    double ended = counts.getOrDefault(END, 0L) - before.counts.getOrDefault(END, 0L);
    return figures
        .with(prefix + "requests", all / jobs)
        .with(prefix + "transactions", ended / jobs);
  }
}
